import FeedAPI
import FeedCore
import Hummingbird

/// Empty lists for features that this server does not have yet. Apps request them at startup and fail on a 404.
struct EmptyLists: Sendable {
    private static let lists: [(path: String, access: Access)] = [
        ("/api/v1/announcements", .account(nil)),
        ("/api/v1/conversations", .account(.readStatuses)),
        ("/api/v1/custom_emojis", .open),
        ("/api/v1/directory", .open),
        ("/api/v1/domain_blocks", .account(.readBlocks)),
        ("/api/v1/featured_tags", .account(.readAccounts)),
        ("/api/v1/followed_tags", .account(.readFollows)),
        ("/api/v1/instance/activity", .open),
        ("/api/v1/instance/domain_blocks", .open),
        ("/api/v1/instance/peers", .open),
        ("/api/v1/lists", .account(.readLists)),
        ("/api/v1/scheduled_statuses", .account(.readStatuses)),
        ("/api/v1/suggestions", .account(.readAccounts)),
        ("/api/v1/trends", .open),
        ("/api/v1/trends/links", .open),
        ("/api/v1/trends/statuses", .open),
        ("/api/v1/trends/tags", .open),
        ("/api/v2/suggestions", .account(.readAccounts)),
    ]

    func addEndpoints(to endpoints: Endpoints) {
        for list in Self.lists {
            endpoints.get(list.path, list.access) { _, _ in
                var json = JSONWriter(capacity: 2)
                json.array { _ in }
                return Response(json: json)
            }
        }
    }
}
