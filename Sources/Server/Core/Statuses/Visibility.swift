/// The visibility of a status. The raw values are stored.
package enum Visibility: Int, Sendable, CaseIterable {
    case `public` = 0
    case unlisted = 1
    case followers = 2
    case direct = 3

    /// The name of the visibility in the Mastodon API.
    package var apiName: String {
        switch self {
        case .public: "public"
        case .unlisted: "unlisted"
        case .followers: "private"
        case .direct: "direct"
        }
    }

    /// Whether everyone may see the status. Only such replies are included in `replies_count`.
    package var isPublicOrUnlisted: Bool { rawValue <= Self.unlisted.rawValue }

    /// Whether the status affects its author's status count and the time of the last status. Direct statuses do not,
    /// because that would reveal their existence.
    package var affectsStatusCount: Bool { self != .direct }

    package init?(apiName: String) {
        guard let match = Self.allCases.first(where: { $0.apiName == apiName }) else { return nil }
        self = match
    }
}
