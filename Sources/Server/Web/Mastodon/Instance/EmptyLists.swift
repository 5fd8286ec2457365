import FeedAPI
import FeedCore

/// Empty lists for features that this server does not have. Apps request them at startup and fail on a 404.
/// Docs/mastodon-api.md gives the reason for each.
struct EmptyLists: Sendable {
    private static let lists: [(path: String, access: Access)] = [
        ("/api/v1/announcements", .account(nil)),
        ("/api/v1/domain_blocks", .account(.readBlocks)),
        ("/api/v1/instance/activity", .open),
        ("/api/v1/instance/domain_blocks", .open),
        ("/api/v1/instance/languages", .open),
        ("/api/v1/instance/peers", .open),
        ("/api/v1/peers/search", .open),
        ("/api/v1/timelines/link", .optional(.readStatuses)),
        ("/api/v1/trends/links", .open),
    ]

    func addEndpoints(to endpoints: Endpoints) {
        for list in Self.lists {
            endpoints.immediate(list.path, list.access) { _, _ in
                var json = JSONWriter(capacity: 2)
                json.array { _ in }
                return Response(json: json)
            }
        }
    }
}
