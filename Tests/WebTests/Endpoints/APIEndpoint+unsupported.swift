import HTTPTypes

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
