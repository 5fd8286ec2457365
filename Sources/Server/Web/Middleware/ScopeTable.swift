import HTTPTypes
import Hummingbird

/// Who may call which endpoint of the API, and what their token must allow: the one place that decides it.
/// An endpoint that is missing here answers nobody, and a test says so.
enum ScopeTable {
    enum Rule: Sendable, Equatable {
        /// Anybody; a token is not even looked at.
        case open
        /// Anybody; who shows a token sees as much as it allows.
        case reader(String)
        /// A token of an account.
        case account(String?)
        /// Any token, also of a program that speaks for nobody.
        case program(String?)

        var scope: String? {
            switch self {
            case .open: nil
            case .reader(let scope): scope
            case .account(let scope), .program(let scope): scope
            }
        }
    }

    /// - Parameter endpoint: The route's path, as the router writes it.
    static func rule(_ method: HTTPRequest.Method, _ endpoint: String) -> Rule? {
        rules[(method == .head ? HTTPRequest.Method.get : method).rawValue + " " + endpoint]
    }

    private static let rules: [String: Rule] = Dictionary(
        rows.flatMap { rule, endpoints in endpoints.map { (key($0), rule) } }
    ) { first, _ in first }

    /// `GET /a/:id` with the path as the router writes it.
    private static func key(_ row: String) -> String {
        let parts = row.split(separator: " ")
        return parts[0] + " " + RouterPath(String(parts[1])).description
    }

    static let rows: [(rule: Rule, endpoints: [String])] = [
        (
            .open,
            [
                "POST /api/v1/apps", "GET /api/v1/instance", "GET /api/v2/instance", "GET /api/v1/instance/peers",
                "GET /api/v1/instance/activity", "GET /api/v1/instance/rules", "GET /api/v1/instance/domain_blocks",
                "GET /api/v1/instance/extended_description", "GET /api/v1/instance/privacy_policy",
                "GET /api/v1/instance/translation_languages", "GET /api/v1/custom_emojis", "GET /api/v1/directory",
                "GET /api/v1/trends", "GET /api/v1/trends/tags", "GET /api/v1/trends/statuses",
                "GET /api/v1/trends/links",
            ]
        ),
        (.program(nil), ["GET /api/v1/apps/verify_credentials"]),
        (.program("write:accounts"), ["POST /api/v1/accounts"]),
        (.account(nil), ["GET /api/v1/announcements"]),
        (
            .reader("read:accounts"),
            [
                "GET /api/v1/accounts", "GET /api/v1/accounts/:id", "GET /api/v1/accounts/lookup",
                "GET /api/v1/accounts/:id/followers", "GET /api/v1/accounts/:id/following",
                "GET /api/v1/statuses/:id/reblogged_by", "GET /api/v1/statuses/:id/favourited_by",
            ]
        ),
        (
            .account("read:accounts"),
            [
                "GET /api/v1/accounts/verify_credentials", "GET /api/v1/accounts/search", "GET /api/v1/endorsements",
                "GET /api/v1/featured_tags", "GET /api/v1/preferences", "GET /api/v1/suggestions",
                "GET /api/v2/suggestions",
            ]
        ),
        (
            .account("write:accounts"),
            [
                "PATCH /api/v1/accounts/update_credentials", "POST /api/v1/accounts/:id/note",
                "POST /api/v1/statuses/:id/pin", "POST /api/v1/statuses/:id/unpin",
            ]
        ),
        (
            .reader("read:statuses"),
            [
                "GET /api/v1/accounts/:id/statuses", "GET /api/v1/statuses", "GET /api/v1/statuses/:id",
                "GET /api/v1/statuses/:id/context", "GET /api/v1/statuses/:id/history",
                "GET /api/v1/timelines/public", "GET /api/v1/timelines/tag/:tag",
            ]
        ),
        (
            .account("read:statuses"),
            [
                "GET /api/v1/conversations", "GET /api/v1/markers", "GET /api/v1/scheduled_statuses",
                "GET /api/v1/statuses/:id/source", "GET /api/v1/timelines/home",
            ]
        ),
        (
            .account("write:statuses"),
            [
                "POST /api/v1/statuses", "PUT /api/v1/statuses/:id", "DELETE /api/v1/statuses/:id",
                "POST /api/v1/statuses/:id/reblog", "POST /api/v1/statuses/:id/unreblog", "POST /api/v1/markers",
            ]
        ),
        (.account("read:favourites"), ["GET /api/v1/favourites"]),
        (
            .account("write:favourites"),
            ["POST /api/v1/statuses/:id/favourite", "POST /api/v1/statuses/:id/unfavourite"]
        ),
        (.account("read:bookmarks"), ["GET /api/v1/bookmarks"]),
        (
            .account("write:bookmarks"),
            ["POST /api/v1/statuses/:id/bookmark", "POST /api/v1/statuses/:id/unbookmark"]
        ),
        (
            .account("read:follows"),
            [
                "GET /api/v1/accounts/familiar_followers", "GET /api/v1/accounts/relationships",
                "GET /api/v1/follow_requests", "GET /api/v1/followed_tags",
            ]
        ),
        (
            .account("write:follows"),
            [
                "POST /api/v1/accounts/:id/follow", "POST /api/v1/accounts/:id/unfollow",
                "POST /api/v1/accounts/:id/remove_from_followers", "POST /api/v1/follow_requests/:id/authorize",
                "POST /api/v1/follow_requests/:id/reject",
            ]
        ),
        (.account("read:blocks"), ["GET /api/v1/blocks", "GET /api/v1/domain_blocks"]),
        (.account("write:blocks"), ["POST /api/v1/accounts/:id/block", "POST /api/v1/accounts/:id/unblock"]),
        (.account("read:mutes"), ["GET /api/v1/mutes"]),
        (
            .account("write:mutes"),
            [
                "POST /api/v1/accounts/:id/mute", "POST /api/v1/accounts/:id/unmute", "POST /api/v1/statuses/:id/mute",
                "POST /api/v1/statuses/:id/unmute",
            ]
        ),
        (
            .account("read:notifications"),
            [
                "GET /api/v1/notifications", "GET /api/v1/notifications/:id",
                "GET /api/v1/notifications/unread_count",
            ]
        ),
        (
            .account("write:notifications"),
            [
                "POST /api/v1/notifications/clear", "POST /api/v1/notifications/dismiss",
                "POST /api/v1/notifications/:id/dismiss",
            ]
        ),
        (.reader("read:search"), ["GET /api/v2/search"]),
        (.account("read:filters"), ["GET /api/v1/filters", "GET /api/v2/filters"]),
        (.account("read:lists"), ["GET /api/v1/lists"]),
    ]
}
