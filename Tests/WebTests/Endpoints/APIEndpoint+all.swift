import HTTPTypes

extension APIEndpoint {
    /// All Mastodon API endpoints of this server, in an order in which each can be called after the previous one. The
    /// scopes are those of docs.joinmastodon.org/methods.
    static let all =
        accounts + media + statuses + polls + scheduledStatuses + acts + timelines + lists + tags + discovery
        + conversations + filters + acquaintances + social + notifications + applications + unsupported
        + moderation
        + registration
        + deletions

    static let accounts: [APIEndpoint] = [
        .init(
            .get, "/api/v1/accounts/verify_credentials", .person(scope: "read:accounts"), .entity(.credentialAccount)),
        .init(
            .patch, "/api/v1/accounts/update_credentials", .person(scope: "write:accounts"),
            .entity(.credentialAccount),
            form: "display_name=Ada&note=hi+%23tag&fields_attributes%5B0%5D%5Bname%5D=a"
                + "&fields_attributes%5B0%5D%5Bvalue%5D=b"),
        .init(.get, "/api/v1/accounts/lookup?acct=bob", .anyone, .entity(.account)),
        .init(
            .get, "/api/v1/accounts/search?q=bo", .person(scope: "read:accounts"), .list(.entity(.account))),
        .init(
            .get, "/api/v1/accounts/relationships?id[]={bob}&id[]={cleo}", .person(scope: "read:follows"),
            .list(.entity(.relationship))),
        .init(
            .get, "/api/v1/accounts?id[]={ada}&id[]={bob}", .anyoneOr(scope: "read:accounts"),
            .list(.entity(.account))),
        .init(.get, "/api/v1/accounts/{bob}", .anyoneOr(scope: "read:accounts"), .entity(.account)),
        .init(
            .get, "/api/v1/accounts/{ada}/statuses", .anyoneOr(scope: "read:statuses"), .list(.entity(.status))),
        .init(
            .get, "/api/v1/accounts/{ada}/followers", .anyoneOr(scope: "read:accounts"), .list(.entity(.account))),
        .init(
            .get, "/api/v1/accounts/{bob}/following", .anyoneOr(scope: "read:accounts"), .list(.entity(.account))),
    ]

    static let statuses: [APIEndpoint] = [
        .init(
            .post, "/api/v1/statuses", .person(scope: "write:statuses"), .entity(.status),
            form: "status=%40bob+%23tag+https%3A%2F%2Fexample.org&spoiler_text=cw&language=en"),
        .init(.get, "/api/v1/statuses/{status}", .anyoneOr(scope: "read:statuses"), .entity(.status)),
        .init(
            .get, "/api/v1/statuses?id[]={status}&id[]={reply}", .anyoneOr(scope: "read:statuses"),
            .list(.entity(.status))),
        .init(
            .put, "/api/v1/statuses/{status}", .person(scope: "write:statuses"), .entity(.status),
            form: "status=edited+%23tag"),
        .init(.get, "/api/v1/statuses/{status}/source", .person(scope: "read:statuses"), .entity(.statusSource)),
        .init(
            .get, "/api/v1/statuses/{status}/history", .anyoneOr(scope: "read:statuses"),
            .list(.entity(.statusEdit))),
        .init(.get, "/api/v1/statuses/{reply}/context", .anyoneOr(scope: "read:statuses"), .entity(.context)),
        .init(
            .get, "/api/v1/statuses/{status}/favourited_by", .anyoneOr(scope: "read:accounts"),
            .list(.entity(.account))),
        .init(
            .get, "/api/v1/statuses/{status}/reblogged_by", .anyoneOr(scope: "read:accounts"),
            .list(.entity(.account))),
    ]

    static let acts: [APIEndpoint] = [
        act("favourite", "write:favourites"), act("unfavourite", "write:favourites"),
        act("reblog", "write:statuses", viewer: "bob"), act("unreblog", "write:statuses", viewer: "bob"),
        act("bookmark", "write:bookmarks"), act("unbookmark", "write:bookmarks"),
        act("pin", "write:accounts"), act("unpin", "write:accounts"),
        act("mute", "write:mutes"), act("unmute", "write:mutes"),
    ]

    private static func act(_ name: String, _ scope: String, viewer: String = "ada") -> APIEndpoint {
        .init(
            .post, "/api/v1/statuses/{status}/" + name, .person(scope: scope), .entity(.status), viewer: viewer)
    }

    /// The change feed, an extension of the Mastodon API.
    private static let changeFeed = Shape.object([
        "position": .must(.text), "more": .must(.flag),
        "changes": .must(
            .list(
                .object([
                    "position": .must(.text), "id": .must(.orNull(.id)), "at": .must(.time),
                    "event": .must(
                        .word([
                            "update", "delete", "status.update", "notification", "conversation", "filters_changed",
                            "resync",
                        ])),
                    "status": .must(.orNull(.entity(.status))),
                ]))),
    ])

    static let timelines: [APIEndpoint] = [
        .init(.get, "/api/v1/timelines/home", .person(scope: "read:statuses"), .list(.entity(.status)), viewer: "bob"),
        .init(.get, "/api/v1/timelines/public", .anyoneOr(scope: "read:statuses"), .list(.entity(.status))),
        .init(.get, "/api/v1/timelines/tag/tag?any[]=x", .anyoneOr(scope: "read:statuses"), .list(.entity(.status))),
        .init(.get, "/api/v1/favourites", .person(scope: "read:favourites"), .list(.entity(.status)), viewer: "bob"),
        .init(.get, "/api/v1/bookmarks", .person(scope: "read:bookmarks"), .list(.entity(.status)), viewer: "bob"),
        .init(.get, "/api/v1/changes?since=0", .person(scope: "read"), changeFeed, viewer: "bob"),
    ]
}
