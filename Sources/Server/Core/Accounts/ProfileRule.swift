import Foundation

/// The rule for the values of a profile.
package enum ProfileRule {
    /// - Throws: ``FeedError`` `.invalid` if a value is too long or malformed.
    package static func check(_ draft: ProfileDraft, _ limits: Limits) throws(FeedError) {
        if let name = draft.displayName, name.count > limits.displayNameCharacters {
            throw .invalid("Display name is longer than \(limits.displayNameCharacters) characters")
        }
        // A single character can have any number of bytes.
        if let name = draft.displayName, name.utf8.count > limits.noteBytes {
            throw .invalid("Display name is longer than \(limits.noteBytes) bytes")
        }
        if let note = draft.note, note.utf8.count > limits.noteBytes {
            throw .invalid("Note is longer than \(limits.noteBytes) bytes")
        }
        try check(draft.fields ?? [], limits)
        if let language = draft.defaultLanguage, !isLanguage(language) {
            throw .invalid("Language is not a valid language code")
        }
        if let zone = draft.timeZone, !zone.isEmpty, !isTimeZone(zone) { throw .invalid("Time zone is unknown") }
        if let theme = draft.theme, !theme.isEmpty, Account.Theme(rawValue: theme) == nil {
            throw .invalid("Theme is not included in the list")
        }
        if let language = draft.pageLanguage, !language.isEmpty, PageLanguage(rawValue: language) == nil {
            throw .invalid("Page language is not included in the list")
        }
        guard draft.defaultVisibility != .direct else { throw .invalid("Privacy is not included in the list") }
    }

    private static func check(_ fields: [ProfileDraft.Field], _ limits: Limits) throws(FeedError) {
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

    /// Whether `text` looks like a language tag such as `de` or `zh-Hant` (RFC 5646), or is empty.
    private static func isLanguage(_ text: String) -> Bool {
        text.utf8.count <= 20
            && text.utf8.allSatisfy {
                (65...90).contains($0) || (97...122).contains($0) || (48...57).contains($0) || $0 == 45
            }
    }
}
