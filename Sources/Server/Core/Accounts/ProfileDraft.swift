/// Requested changes to an account's profile; `nil` leaves a property unchanged.
package struct ProfileDraft: Sendable {
    /// A custom field of the profile, in plain text.
    package struct Field: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A change of the avatar or the header.
    package enum PictureChange: Sendable, Equatable {
        /// Published blobs.
        case set(Picture)
        case remove
    }

    package var displayName: String?
    /// Plain text.
    package var note: String?
    package var isLocked: Bool?
    package var isBot: Bool?
    package var isDiscoverable: Bool?
    package var isIndexable: Bool?
    package var hidesCollections: Bool?
    package var isNoindex: Bool?
    /// Replaces all fields.
    package var fields: [Field]?
    package var defaultVisibility: Visibility?
    package var defaultSensitive: Bool?
    /// An empty string removes the default language.
    package var defaultLanguage: String?
    /// An empty string stands for UTC.
    package var timeZone: String?
    /// An empty string stands for the colors that the browser prefers.
    package var theme: String?
    /// An empty string stands for the language that the browser prefers.
    package var pageLanguage: String?
    package var avatar: PictureChange?
    package var header: PictureChange?

    package init() {}
}
