/// The rules for usernames: 1 to 30 ASCII letters, digits and underscores. Case is preserved, but ignored in
/// comparisons.
package enum Username {
    /// Validates a username.
    /// - Throws: ``FeedError`` `.invalid`.
    package static func check(_ name: String) throws(FeedError) {
        guard isValid(name) else {
            throw .invalid("Username must be 1 to 30 letters, digits or underscores (a-z, 0-9, _)")
        }
    }

    static func isValid(_ name: String) -> Bool {
        (1...30).contains(name.utf8.count) && name.utf8.allSatisfy(isLetter)
    }

    /// The form in which usernames are compared.
    package static func key(_ name: String) -> String { name.lowercased() }

    static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
