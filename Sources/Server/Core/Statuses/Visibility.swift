/// Who may see a status. The raw values are stored.
package enum Visibility: Int, Sendable, CaseIterable {
    case everyone = 0
    case unlisted = 1
    case followers = 2
    case direct = 3

    /// The word on the wire.
    package var word: String {
        switch self {
        case .everyone: "public"
        case .unlisted: "unlisted"
        case .followers: "private"
        case .direct: "direct"
        }
    }

    /// Whether everybody may see it. Only such replies are in `replies_count`.
    package var isOpen: Bool { rawValue <= Self.unlisted.rawValue }

    /// Whether such a status is in its author's count, and moves the time of the last one: nobody but those it names is
    /// to learn that a direct one was written.
    package var counts: Bool { self != .direct }

    package init?(word: String) {
        guard let match = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = match
    }
}
