import HTTPTypes

extension APIEndpoint {
    /// bob follows ada and dora; ada is a member of his list.
    static let lists: [APIEndpoint] = [
        bob(.get, "lists", "read:lists", .list(.entity(.list))),
        bob(.post, "lists", "write:lists", .entity(.list), form: "title=new&replies_policy=none&exclusive=true"),
        bob(.get, "lists/{list}", "read:lists", .entity(.list)),
        bob(.put, "lists/{list}", "write:lists", .entity(.list), form: "title=changed"),
        bob(.get, "lists/{list}/accounts", "read:lists", .list(.entity(.account))),
        bob(.post, "lists/{list}/accounts", "write:lists", .emptyObject, form: "account_ids[]={dora}"),
        bob(.delete, "lists/{list}/accounts", "write:lists", .emptyObject, form: "account_ids[]={dora}"),
        bob(.get, "timelines/list/{list}", "read:lists", .list(.entity(.status))),
        bob(.get, "accounts/{ada}/lists", "read:lists", .list(.entity(.list))),
        bob(.delete, "lists/{emptyList}", "write:lists", .emptyObject),
    ]

    static let tags: [APIEndpoint] = [
        .init(.get, "/api/v1/tags/tag", .anyoneOr(scope: "read:statuses"), .entity(.tag)),
        bob(.post, "tags/swift/follow", "write:follows", .entity(.tag)),
        bob(.get, "followed_tags", "read:follows", .list(.entity(.tag))),
        bob(.post, "tags/swift/unfollow", "write:follows", .entity(.tag)),
    ]

    private static func bob(
        _ method: HTTPRequest.Method, _ path: String, _ scope: String, _ shape: Shape, form: String? = nil
    ) -> APIEndpoint {
        .init(method, "/api/v1/" + path, .person(scope: scope), shape, form: form, viewer: "bob")
    }
}
