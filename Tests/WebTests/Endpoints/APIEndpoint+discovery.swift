import HTTPTypes

extension APIEndpoint {
    static let discovery: [APIEndpoint] = [
        .init(.get, "/api/v1/custom_emojis", .anyone, .list(.entity(.customEmoji))),
        .init(.get, "/api/v1/tags/{tag}", .anyoneOr(scope: "read:statuses"), .entity(.tag)),
        .init(.get, "/api/v1/trends", .anyoneOr(scope: "read:statuses"), .list(.entity(.tag))),
        .init(.get, "/api/v1/trends/tags?limit=5&offset=0", .anyoneOr(scope: "read:statuses"), .list(.entity(.tag))),
        .init(.get, "/api/v1/trends/statuses", .anyoneOr(scope: "read:statuses"), .list(.entity(.status))),
        .init(.get, "/api/v1/directory?order=new", .anyoneOr(scope: "read:accounts"), .list(.entity(.account))),
        .init(.get, "/api/v1/suggestions", .person(scope: "read:accounts"), .list(.entity(.account))),
        .init(.get, "/api/v2/suggestions", .person(scope: "read:accounts"), .list(.entity(.suggestion))),
        .init(.delete, "/api/v1/suggestions/{bob}", .person(scope: "write:accounts"), .emptyObject),
        .init(
            .post, "/api/v1/featured_tags", .person(scope: "write:accounts"), .entity(.featuredTag),
            form: "name=%23Another"),
        .init(.get, "/api/v1/featured_tags", .person(scope: "read:accounts"), .list(.entity(.featuredTag))),
        .init(
            .get, "/api/v1/featured_tags/suggestions", .person(scope: "read:accounts"), .list(.entity(.tag))),
        .init(
            .get, "/api/v1/accounts/{ada}/featured_tags", .anyoneOr(scope: "read:accounts"),
            .list(.entity(.featuredTag))),
        .init(.delete, "/api/v1/featured_tags/{featured}", .person(scope: "write:accounts"), .emptyObject),
    ]

    static let conversations: [APIEndpoint] = [
        .init(.get, "/api/v1/conversations", .person(scope: "read:statuses"), .list(.entity(.conversation))),
        .init(
            .post, "/api/v1/conversations/{conversation}/read", .person(scope: "write:conversations"),
            .entity(.conversation)),
        .init(
            .delete, "/api/v1/conversations/{conversation}", .person(scope: "write:conversations"), .emptyObject),
    ]
}

extension APIEndpoint {
    /// Empty lists for features that this server does not have, which apps request at startup.
    static let unsupported: [APIEndpoint] =
        open.map { .init(.get, $0, .anyone, .emptyList) }
        + [.init(.get, "/api/v1/timelines/link?url=x", .anyoneOr(scope: "read:statuses"), .emptyList)]
        + personal.map { .init(.get, $0.path, .person(scope: $0.scope), .emptyList) }

    private static let open = [
        "/api/v1/instance/activity", "/api/v1/instance/domain_blocks", "/api/v1/instance/languages",
        "/api/v1/instance/peers", "/api/v1/peers/search", "/api/v1/trends/links",
    ]

    private static let personal = [
        (path: "/api/v1/accounts/{bob}/identity_proofs", scope: "read"), (path: "/api/v1/announcements", scope: "read"),
        (path: "/api/v1/domain_blocks", scope: "read:blocks"),
    ]
}
