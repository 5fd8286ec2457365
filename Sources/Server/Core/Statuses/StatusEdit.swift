/// A status as it was from a time on.
package struct StatusEdit: Sendable, Equatable {
    /// Milliseconds since 1970.
    package var createdAt: Int64
    package var content: String
    package var spoilerText: String
    package var sensitive: Bool

    package init(createdAt: Int64, content: String, spoilerText: String, sensitive: Bool) {
        self.createdAt = createdAt
        self.content = content
        self.spoilerText = spoilerText
        self.sensitive = sensitive
    }
}
