/// Private data of an account: notes, read positions, featured hashtags, the policy of its notifications.
extension BadBody {
    static let notes: [BadBody] =
        comments.map { note("{bob}", $0, $0.bytes.count > 262_144 ? 413 : 422) }
        + [
            // An unknown account, a suspended one, and the caller's own.
            note("1", .form("comment=x"), 404), note("{fred}", .form("comment=x"), 404),
            note("{ada}", .form("comment=x"), 403),
            BadBody(path: "/api/v1/accounts/{dora}/endorse", body: nil, codes: [422]),
            BadBody(
                method: "GET",
                path: "/api/v1/accounts/familiar_followers?" + (1...21).map { "id[]=\($0)" }.joined(separator: "&"),
                body: nil, codes: [422]),
        ]

    private static let comments: [WebBody] = [
        .form("comment=" + String(repeating: "x", count: 2001)),
        .form("comment=" + String(repeating: "x", count: 300_000)),
        .json(#"{"comment":"\#(accents)"}"#), .json(#"{"comment":["a","b"]}"#), .json(#"{"comment":{"text":"x"}}"#),
        .json(#"{"comment":"a\u0000b"}"#), .multipart([("comment", "a"), ("comment", "b")]),
    ]

    private static func note(_ account: String, _ body: WebBody, _ code: Int) -> BadBody {
        BadBody(path: "/api/v1/accounts/\(account)/note", body: body, codes: [code])
    }

    /// ada has no markers. A valid position does not make the other one valid.
    static let markers: [BadBody] =
        positions.map { marker(.form($0.form), $0.code) }
        + [
            marker(.json(#"{"home":{"last_read_id":{"id":"1"}}}"#), 400),
            marker(.json(#"{"home":{"last_read_id":true}}"#), 400),
            marker(.json(#"{"home":{"last_read_id":["1","2"]}}"#), 400),
            marker(.json(#"{"home":{"last_read_id":"1","version":[0,0]}}"#), 422),
            marker(.json(#"{"home":{"last_read_id":"1","version":{"a":1}}}"#), 422),
            marker(.json(#"{"home":{"last_read_id":"1","version":"new"}}"#), 422),
            marker(.json(#"{"home":{"last_read_id":"1"},"notifications":{"last_read_id":"1","version":1}}"#), 409),
        ]

    private static let positions: [(form: String, code: Int)] = [
        ("home[last_read_id]=1&home[version]=7", 409), ("home[last_read_id]=1&home[version]=x", 422),
        ("home[last_read_id]=1&home[version]=-1", 422), ("home[last_read_id]=1&home[version]=2147483648", 422),
        ("home[last_read_id]=1&home[version][a]=1", 422), ("home[last_read_id]=x", 400),
        ("home[last_read_id]=1&home[last_read_id]=2", 400), ("home[last_read_id]=-1", 400),
        ("home[last_read_id]=1.5", 400), ("home[last_read_id][a]=1", 400),
        ("home[last_read_id]=1&notifications[last_read_id]=x", 400),
        ("home[last_read_id]=1&notifications[last_read_id]=1&notifications[version]=9", 409),
        ("home[last_read_id]=" + long, 413),
    ]

    private static func marker(_ body: WebBody, _ code: Int) -> BadBody {
        BadBody(path: "/api/v1/markers", body: body, codes: [code])
    }

    static let featured: [BadBody] =
        featuredNames.map { feature(.form("name=" + $0), 422) }
        + wrongNames.map { feature(.json(#"{"name":\#($0)}"#), 422) }
        + [
            feature(nil, 422), feature(.form("name=" + long), 413), feature(.form("name[]=a&name[]=b"), 422),
        ]

    private static let featuredNames = [
        "", "%23", "+", "two+words", "%23%23x", "1", "a%2Fb", String(repeating: "x", count: 201),
    ]
    private static let wrongNames = [#"["a","b"]"#, #"{"a":"b"}"#, "[]", "null", "7", #""a\u0000b""#]

    private static func feature(_ body: WebBody?, _ code: Int) -> BadBody {
        BadBody(path: "/api/v1/featured_tags", body: body, codes: [code])
    }

    /// A policy that this server does not have.
    static let policy: [BadBody] = ["v1", "v2"].flatMap { version in
        ["PATCH", "PUT"].flatMap { method in
            policies.map {
                BadBody(
                    method: method, path: "/api/\(version)/notifications/policy", body: $0,
                    codes: [$0.bytes.count > 16_384 ? 413 : 422])
            }
        }
    }

    private static let policies: [WebBody] = policyForms.map { .form($0) } + policyObjects.map { .json($0) }

    private static let policyForms = [
        "for_new_accounts=drop", "for_private_mentions=filter", "for_limited_accounts=", "for_not_following=Accept",
        "for_not_followers=accept&for_not_followers=drop", "for_new_accounts[a]=accept",
        "for_new_accounts=accept&for_not_following=filter", "filter_new_accounts=true", "filter_not_following=1",
        "filter_private_mentions=false&filter_not_followers=on", "for_new_accounts=" + long,
    ]
    private static let policyObjects = [
        #"{"for_new_accounts":true}"#, #"{"for_new_accounts":["accept","drop"]}"#,
        #"{"for_new_accounts":{"value":"drop"}}"#, #"{"for_limited_accounts":0}"#, #"{"filter_new_accounts":true}"#,
        #"{"filter_not_followers":"t"}"#, #"{"for_new_accounts":"a\u0000"}"#,
    ]
}
