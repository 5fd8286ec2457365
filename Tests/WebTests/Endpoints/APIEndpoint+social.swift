import HTTPTypes

extension APIEndpoint {
    static let social: [APIEndpoint] = [
        relation("follow", "write:follows"), relation("unfollow", "write:follows"),
        relation("mute", "write:mutes", form: "duration=3600"),
        .init(.get, "/api/v1/mutes", .person(scope: "read:mutes"), .list(.entity(.mutedAccount))),
        relation("unmute", "write:mutes"), relation("block", "write:blocks"),
        .init(.get, "/api/v1/blocks", .person(scope: "read:blocks"), .list(.entity(.account))),
        relation("unblock", "write:blocks"), relation("remove_from_followers", "write:follows"),
        .init(
            .get, "/api/v1/follow_requests", .person(scope: "read:follows"), .list(.entity(.account)), viewer: "cleo"),
        .init(
            .post, "/api/v1/follow_requests/{ada}/authorize", .person(scope: "write:follows"),
            .entity(.relationship), viewer: "cleo"),
        .init(
            .post, "/api/v1/follow_requests/{bob}/reject", .person(scope: "write:follows"), .entity(.relationship),
            viewer: "cleo"),
        .init(
            .get, "/api/v2/search?q=ada&type=accounts", .anyoneOr(scope: "read:search"), .entity(.search)),
        .init(.get, "/api/v1/preferences", .person(scope: "read:accounts"), .entity(.preferences)),
        .init(
            .post, "/api/v1/markers", .person(scope: "write:statuses"), .entity(.markers),
            form: "home%5Blast_read_id%5D={status}"),
        .init(.get, "/api/v1/markers?timeline[]=home", .person(scope: "read:statuses"), .entity(.markers)),
    ]

    private static func relation(_ name: String, _ scope: String, form: String? = nil) -> APIEndpoint {
        .init(
            .post, "/api/v1/accounts/{dora}/" + name, .person(scope: scope), .entity(.relationship), form: form)
    }

    static let notifications: [APIEndpoint] =
        notificationPolicy + notificationGroups + [
            .init(.get, "/api/v1/notifications", .person(scope: "read:notifications"), .list(.entity(.notification))),
            .init(
                .get, "/api/v1/notifications/{notification}", .person(scope: "read:notifications"),
                .entity(.notification)),
            .init(
                .get, "/api/v1/notifications/unread_count", .person(scope: "read:notifications"), .entity(.unreadCount)),
            .init(
                .post, "/api/v1/notifications/{notification}/dismiss", .person(scope: "write:notifications"),
                .emptyObject),
            .init(
                .post, "/api/v1/notifications/dismiss", .person(scope: "write:notifications"), .emptyObject,
                form: "id={notificationBefore}"),
            .init(.post, "/api/v1/notifications/clear", .person(scope: "write:notifications"), .emptyObject),
            .init(.post, "/api/v2/notifications/clear", .person(scope: "write:notifications"), .emptyObject),
        ]

    static let applications: [APIEndpoint] = [
        .init(.get, "/api/v1/instance", .anyone, .entity(.instanceV1)),
        .init(.get, "/api/v1/instance/", .anyone, .entity(.instanceV1)),
        .init(.get, "/api/v2/instance", .anyone, .entity(.instanceV2)),
        .init(.get, "/api/v2/instance/", .anyone, .entity(.instanceV2)),
        .init(.get, "/api/v1/instance/rules", .anyone, .list(.entity(.rule))),
        .init(.get, "/api/v1/instance/extended_description", .anyone, .entity(.page)),
        .init(.get, "/api/v1/instance/privacy_policy", .anyone, .entity(.page)),
        .init(.get, "/api/v1/instance/translation_languages", .anyone, .emptyObject),
        .init(.get, "/.well-known/nodeinfo", .anyone, .entity(.nodeInfoLinks)),
        .init(.get, "/nodeinfo/2.0", .anyone, .entity(.nodeInfo)),
        .init(
            .post, "/api/v1/apps", .credentials, .entity(.credentialApplication),
            form:
                "client_name=x&redirect_uris=urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob&scopes=read&website=https%3A%2F%2Fx.test"
        ),
        .init(.get, "/api/v1/apps/verify_credentials", .application, .entity(.application)),
        .init(
            .post, "/oauth/token", .credentials, .entity(.token),
            form: "grant_type=client_credentials&client_id={client}&client_secret={secret}&scope=read"),
        .init(
            .post, "/oauth/token", .credentials, .entity(.token),
            form: "grant_type=password&username=ada&password=secret&client_id={client}&client_secret={secret}"
                + "&scope=read+write"),
        .init(
            .post, "/oauth/revoke", .credentials, .emptyObject,
            form: "token=no-such-token-at-all&client_id={client}&client_secret={secret}"),
        .init(.get, "/api/v1/tokens", .person(scope: "read:accounts"), .list(.entity(.tokenInfo))),
        .init(.get, "/api/v1/tokens/{login}", .person(scope: "read:accounts"), .entity(.tokenInfo)),
        .init(.post, "/api/v1/tokens/{ended}/invalidate", .person(scope: "write:accounts"), .entity(.tokenInfo)),
    ]

    static let deletions: [APIEndpoint] = [
        .init(
            .delete, "/api/v1/statuses/{status}", .person(scope: "write:statuses"), .entity(.deletedStatus))
    ]
}
