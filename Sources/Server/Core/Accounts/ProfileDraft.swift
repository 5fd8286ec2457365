/// What somebody asks to change about an account; what is left out stays.
package struct ProfileDraft: Sendable {
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var displayName: String?
    /// Plain text.
    package var note: String?
    package var isLocked: Bool?
    package var isBot: Bool?
    package var isDiscoverable: Bool?
    /// All of them.
    package var fields: [Field]?
    package var defaultVisibility: Visibility?
    package var defaultSensitive: Bool?
    /// Empty for none.
    package var defaultLanguage: String?

    package init() {}
}
