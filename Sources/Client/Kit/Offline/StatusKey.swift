/// The place of a status in a timeline that is sorted by ids. The ids of a server are numbers, where a longer one is
/// greater, or strings of equal length (ULID, Flake). Pure.
struct StatusKey: Hashable, Sendable, Comparable {
    private static let maximumLength = 99
    private static let digits = 2

    /// The length of the id in two digits, and the id. The order of these texts in bytes is the order of the keys.
    let text: String

    /// - Returns: `nil` for an id that no server would use.
    init?(_ id: String) {
        let bytes = id.utf8
        guard (1...Self.maximumLength).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        text = (bytes.count < 10 ? "0" : "") + String(bytes.count) + id
    }

    /// A key from the database.
    init(text: String) { self.text = text }

    var id: String { String(text.dropFirst(Self.digits)) }

    /// The smallest key above this one. No id has this key, because ids contain no spaces.
    var successor: StatusKey { StatusKey(text: text + " ") }

    static func < (one: StatusKey, other: StatusKey) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
}
