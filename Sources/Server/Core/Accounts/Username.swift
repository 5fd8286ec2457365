/// The rule for user names: ASCII letters, digits and `_`, at most 30; letter case is kept, but does not tell apart.
package enum Username {
    /// - Throws: ``FeedError`` `.invalid`.
    package static func check(_ name: String) throws(FeedError) {
        guard (1...30).contains(name.utf8.count), name.utf8.allSatisfy(isLetter) else {
            throw .invalid("Username must be 1 to 30 letters, digits or underscores (a-z, 0-9, _)")
        }
    }

    /// What two names are compared by.
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
