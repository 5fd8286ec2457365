/// The visibility of a status. The raw values are stored.
package enum Visibility: Int, Sendable, CaseIterable {
    case `public` = 0
    case unlisted = 1
    case followers = 2
    case direct = 3

    /// The name of the visibility in the Mastodon API.
    package var word: String {
        switch self {
        case .public: "public"
        case .unlisted: "unlisted"
        case .followers: "private"
        case .direct: "direct"
        }
    }

    /// Whether everyone may see the status. Only such replies are included in `replies_count`.
    package var isOpen: Bool { rawValue <= Self.unlisted.rawValue }

    /// Whether the status affects its author's status count and the time of the last status. Direct statuses do not,
    /// because that would reveal their existence.
    package var counts: Bool { self != .direct }

    package init?(word: String) {
        guard let match = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = match
    }
}
