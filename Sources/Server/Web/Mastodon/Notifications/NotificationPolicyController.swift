import FeedAPI
import FeedCore

/// The policy that decides which notifications are held for review, and the held notifications. This server delivers all
/// notifications, so the policy cannot be changed and nothing awaits review.
struct NotificationPolicyController: Sendable {
    private static let path = "/api/v1/notifications/requests"
    /// The members of the policy as of version 2, which may only be `accept`, and of version 1, which may only be false.
    private static let rules: [StaticString] = [
        "for_not_following", "for_not_followers", "for_new_accounts", "for_private_mentions", "for_limited_accounts",
    ]
    private static let filters: [StaticString] = [
        "filter_not_following", "filter_not_followers", "filter_new_accounts", "filter_private_mentions",
    ]

    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        let (reading, writing) = (AccessRule.account(.readNotifications), AccessRule.account(.writeNotifications))
        for (version, show) in [("v1", Self.first), ("v2", Self.second)] {
            let path = "/api/\(version)/notifications/policy"
            let update: Endpoint.Handler = { request, context in
                try Self.check(try await request.input(upTo: settings.limits.formBytes, context: context))
                return show()
            }
            endpoints.immediate(path, reading) { _, _ in show() }
            endpoints.patch(path, writing, use: update)
            endpoints.put(path, writing, use: update)
        }
        endpoints.immediate(Self.path, reading) { _, _ in
            var json = JSONWriter(capacity: 2)
            json.array { _ in }
            return Response(json: json)
        }
        endpoints.immediate(Self.path + "/merged", reading) { _, _ in
            var json = JSONWriter(capacity: 16)
            json.object { $0.field("merged", true) }
            return Response(json: json)
        }
        endpoints.immediate(Self.path + "/:id", reading) { _, _ in throw FeedError.notFound }
        for verb in ["accept", "dismiss"] {
            // As in Mastodon, unknown ids in the body have no effect.
            endpoints.post(Self.path + "/" + verb, writing) { _, _ in Response.emptyObject }
            endpoints.post(Self.path + "/:id/" + verb, writing) { _, _ in throw FeedError.notFound }
        }
    }

    /// - Throws: ``FeedError`` `.invalid` if the policy would hold back notifications.
    private static func check(_ input: RequestParameters) throws(FeedError) {
        for rule in rules {
            guard let word = try input.one("\(rule)"), word != "accept" else { continue }
            throw .invalid("This server does not filter notifications: \(rule) can only be accept")
        }
        for filter in filters where input.flag("\(filter)") == true {
            throw .invalid("This server does not filter notifications: \(filter) can only be false")
        }
    }

    @Sendable private static func first() -> Response {
        policy { for filter in filters { $0.field(filter, false) } }
    }

    @Sendable private static func second() -> Response {
        policy { for rule in rules { $0.field(rule, "accept") } }
    }

    private static func policy(_ rules: (inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter(capacity: 256)
        json.object {
            rules(&$0)
            $0.object("summary") {
                $0.field("pending_requests_count", 0)
                $0.field("pending_notifications_count", 0)
            }
        }
        return Response(json: json)
    }
}
