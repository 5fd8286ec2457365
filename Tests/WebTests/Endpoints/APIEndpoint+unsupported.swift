import HTTPTypes

extension APIEndpoint {
    /// Empty lists for features this server does not have yet, which apps request at startup.
    static let unsupported: [APIEndpoint] =
        open.map { .init(.get, $0, .anyone, .emptyList) }
        + personal.map { .init(.get, $0.path, .person(scope: $0.scope), .emptyList) }

    private static let open = [
        "/api/v1/custom_emojis", "/api/v1/directory", "/api/v1/instance/activity", "/api/v1/instance/domain_blocks",
        "/api/v1/instance/peers", "/api/v1/trends", "/api/v1/trends/links", "/api/v1/trends/statuses",
        "/api/v1/trends/tags",
    ]

    private static let personal = [
        (path: "/api/v1/announcements", scope: "read"), (path: "/api/v1/conversations", scope: "read:statuses"),
        (path: "/api/v1/domain_blocks", scope: "read:blocks"),
        (path: "/api/v1/featured_tags", scope: "read:accounts"), (path: "/api/v1/followed_tags", scope: "read:follows"),
        (path: "/api/v1/lists", scope: "read:lists"), (path: "/api/v1/scheduled_statuses", scope: "read:statuses"),
        (path: "/api/v1/suggestions", scope: "read:accounts"), (path: "/api/v2/suggestions", scope: "read:accounts"),
    ]
}
