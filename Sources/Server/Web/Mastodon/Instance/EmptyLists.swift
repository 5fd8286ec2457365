import FeedAPI
import Hummingbird

/// Lists of what this server does not have yet: apps ask for them at every start and take an empty one well, a 404 badly.
struct EmptyLists: Sendable {
    private static let paths = [
        "/api/v1/announcements", "/api/v1/conversations", "/api/v1/custom_emojis", "/api/v1/directory",
        "/api/v1/domain_blocks", "/api/v1/endorsements", "/api/v1/featured_tags", "/api/v1/filters",
        "/api/v1/followed_tags", "/api/v1/instance/activity", "/api/v1/instance/domain_blocks",
        "/api/v1/instance/peers", "/api/v1/instance/rules", "/api/v1/lists", "/api/v1/scheduled_statuses",
        "/api/v1/suggestions", "/api/v1/trends", "/api/v1/trends/links", "/api/v1/trends/statuses",
        "/api/v1/trends/tags", "/api/v2/filters", "/api/v2/suggestions",
    ]

    func addRoutes(to router: Router<FeedContext>) {
        for path in Self.paths {
            router.get(RouterPath(path)) { _, _ in
                var json = JSONWriter(capacity: 2)
                json.array { _ in }
                return Response(json: json)
            }
        }
    }
}
