extension BadBody {
    /// New lists of ada's, and changes to a list of bob's.
    static let accountLists: [BadBody] =
        titles.flatMap { [post(.form($0), 422), put(.form($0), 422)] }
        + wrongTypes.flatMap { [post(.json($0), 422), put(.json($0), 422)] }
        + untitled.map { post($0, 422) } + foreign + hashtags

    /// A new list needs a title.
    private static let untitled: [WebBody?] = [
        nil, .form(""), .json(#"{"title":[]}"#), .json(#"{"title":null}"#),
        .form("replies_policy=list&exclusive=true"),
    ]

    /// A title that is too long, another account's list, and an unknown list.
    private static let foreign: [BadBody] = [
        post(.form("title=" + long), 413), put(.form("title=" + long), 413),
        put(.form("title=x"), 404, by: "ada"), put(.form("title=x"), 404, "/api/v1/lists/1"),
    ]

    private static let hashtags: [BadBody] = [
        "123/follow", "a%20b/follow", "%23%23a/follow", "a-b/unfollow",
        "\(String(repeating: "x", count: 201))/follow",
    ].map { BadBody(path: "/api/v1/tags/" + $0, body: nil, codes: [404]) }

    private static let wrongTypes = [
        #"{"title":{"x":1}}"#, #"{"title":["a","b"]}"#, #"{"title":"x","replies_policy":{"a":"list"}}"#,
        #"{"title":"x","replies_policy":1}"#, #"{"title":"x","replies_policy":["list","none"]}"#,
        #"{"title":"a\u0000b"}"#,
    ]

    private static let titles = [
        "title=", "title=+%0A", "title=" + String(repeating: "x", count: 257), "title[]=x&title[]=y",
        "title=x&replies_policy=all", "title=x&replies_policy=", "title=x&replies_policy=list&replies_policy=none",
    ]

    private static func post(_ body: WebBody?, _ code: Int) -> BadBody {
        BadBody(path: "/api/v1/lists", body: body, codes: [code])
    }

    private static func put(
        _ body: WebBody, _ code: Int, _ path: String = "/api/v1/lists/{list}", by viewer: String = "bob"
    ) -> BadBody {
        BadBody(method: "PUT", path: path, body: body, codes: [code], viewer: viewer)
    }
}

extension BadBody {
    /// bob's list contains ada. He also follows dora and has requested to follow cleo; eve is a stranger, and fred is
    /// suspended.
    static let members: [BadBody] =
        additions.map { member("POST", .form($0.ids), $0.code) }
        + wrongIDs.map { member("POST", .json(#"{"account_ids":\#($0.ids)}"#), $0.code) }
        + removals.map { member("DELETE", .form($0.ids), $0.code) }
        + ["POST", "DELETE"].map { member($0, .form("account_ids[]={ada}"), 404, by: "ada") }
        + ["POST", "DELETE"].map { member($0, .form("account_ids[]={ada}"), 404, in: "1") }
        + [member("POST", nil, 422)]

    private static let additions: [(ids: String, code: Int)] = [
        ("", 422), ("account_ids[]=", 422), ("account_ids[]=x", 404), ("account_ids[]=-1", 404),
        ("account_ids[]=1", 404), ("account_ids[]=99999999999999999999", 404), ("account_ids[]={cleo}", 404),
        ("account_ids[]={eve}", 404), ("account_ids[]={fred}", 404), ("account_ids[]={ada}", 422),
        // All or none.
        ("account_ids[]={dora}&account_ids[]={eve}", 404), ("account_ids[]={dora}&account_ids[]={ada}", 422),
        ("account_ids[]={dora}&account_ids[]=x", 404), (ids(201), 422), (ids(301), 413),
    ]

    private static let wrongIDs: [(ids: String, code: Int)] = [
        ("null", 422), ("[]", 422), (#"{"id":"1"}"#, 422), (#"[{"id":"1"}]"#, 422), (#""1,2""#, 404),
        ("[1.5]", 404), ("true", 404),
    ]

    private static let removals: [(ids: String, code: Int)] = [
        ("account_ids[]=x", 404), ("account_ids[]={ada}&account_ids[]=-1", 404), (ids(201), 422), (ids(301), 413),
    ]

    private static func ids(_ count: Int) -> String {
        (1...count).map { "account_ids[]=\($0)" }.joined(separator: "&")
    }

    private static func member(
        _ method: String, _ body: WebBody?, _ code: Int, in list: String = "{list}", by viewer: String = "bob"
    ) -> BadBody {
        BadBody(
            method: method, path: "/api/v1/lists/\(list)/accounts", body: body, codes: [code], viewer: viewer)
    }
}
