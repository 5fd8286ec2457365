/// Limits the edit history of a status to the first version and the newest ones.
package enum StatusHistory {
    /// The maximum number of versions kept, including the current one.
    package static let maximumVersions = 50

    /// The numbers of the former versions to remove, or `nil` if all are kept. The first version has the number 0.
    /// - Parameter newest: The number of the newest former version.
    package static func removed(newest: Int) -> ClosedRange<Int>? {
        newest >= maximumVersions - 1 ? 1...(newest - (maximumVersions - 2)) : nil
    }
}

/// A version of a status.
package struct StatusEdit: Sendable, Equatable {
    /// The time of the edit, or of the creation for the first version, in milliseconds since 1970, UTC.
    package var createdAt: Int64
    package var content: String
    package var spoilerText: String
    package var sensitive: Bool
    /// The files that this version attached, with their descriptions at that time.
    package var media: [MediaAttachment]
    /// The options of the poll that this version had.
    package var pollOptions: [String]

    package init(
        createdAt: Int64, content: String, spoilerText: String, sensitive: Bool, media: [MediaAttachment] = [],
        pollOptions: [String] = []
    ) {
        self.createdAt = createdAt
        self.content = content
        self.spoilerText = spoilerText
        self.sensitive = sensitive
        self.media = media
        self.pollOptions = pollOptions
    }
}
