import Foundation

/// The rule for the values of a profile.
package enum ProfileRule {
    /// - Throws: ``FeedError`` `.invalid` if a value is too long or malformed.
    package static func check(_ changes: ProfileChanges, _ limits: Limits) throws(FeedError) {
        if let name = changes.displayName, name.count > limits.displayNameCharacters {
            throw .invalid("Display name is longer than \(limits.displayNameCharacters) characters")
        }
        // A single character can have any number of bytes.
        if let name = changes.displayName, name.utf8.count > limits.noteBytes {
            throw .invalid("Display name is longer than \(limits.noteBytes) bytes")
        }
        if let note = changes.note, note.utf8.count > limits.noteBytes {
            throw .invalid("Note is longer than \(limits.noteBytes) bytes")
        }
        try check(changes.fields ?? [], limits)
        if let language = changes.defaultLanguage, !language.isEmpty, !LanguageTag.isValid(language) {
            throw .invalid("Language is not a valid language code")
        }
        if let zone = changes.timeZone, !zone.isEmpty, !isTimeZone(zone) { throw .invalid("Time zone is unknown") }
        if let theme = changes.theme, !theme.isEmpty, Account.Theme(rawValue: theme) == nil {
            throw .invalid("Theme is not included in the list")
        }
        if let language = changes.pageLanguage, !language.isEmpty, PageLanguage(rawValue: language) == nil {
            throw .invalid("Page language is not included in the list")
        }
        guard changes.defaultVisibility != .direct else { throw .invalid("Privacy is not included in the list") }
    }

    private static func check(_ fields: [ProfileChanges.Field], _ limits: Limits) throws(FeedError) {
        guard fields.count <= limits.profileFields else {
            throw .invalid("A profile cannot have more than \(limits.profileFields) fields")
        }
        for text in fields.flatMap({ [$0.name, $0.value] }) {
            guard text.count <= limits.fieldCharacters, text.utf8.count <= limits.noteBytes else {
                throw .invalid("A field is longer than \(limits.fieldCharacters) characters")
            }
        }
        guard fields.allSatisfy({ !$0.name.isEmpty || $0.value.isEmpty }) else {
            throw .invalid("A field name is missing")
        }
    }

    /// Whether `name` is a name of the IANA database. Foundation also knows abbreviations, which are ambiguous.
    private static func isTimeZone(_ name: String) -> Bool {
        name.utf8.count <= 64 && name.utf8.contains(UInt8(ascii: "/")) && TimeZone(identifier: name) != nil
    }
}

/// Requested changes to an account's profile; `nil` leaves a property unchanged.
package struct ProfileChanges: Sendable {
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
