import Foundation

/// A body that must be rejected.
struct BadBody: Sendable {
    var method = "POST"
    /// May contain `{name}` for an id of ``EndpointWorld``.
    let path: String
    let body: WebBody?
    let codes: [Int]
    var headers: [String: String] = [:]
    var isAnonymous = false
    /// The caller, unless the request is anonymous.
    var viewer = "ada"

    var name: String {
        let text = body.map { String(decoding: $0.bytes.prefix(60), as: UTF8.self) } ?? "no body"
        return "\(method) \(path) \(body?.type.prefix(25) ?? "") \(text)"
    }
}

extension BadBody {
    static let all =
        policy + statuses + polls + votes + schedules + edits + anyBody + profile + queries + accountLists + members
        + applications + reports + featured + filters + filterChanges + filterEntries + oldFilters + notes + markers

    static let long = String(repeating: "x", count: 30_000)
    /// 400 graphemes, 40,400 bytes: letters with fifty accents each.
    static let accents = String(
        repeating: "e" + String(repeating: "\u{301}", count: 50), count: 400)
    private static let invalid = Data([0x22, 0xFF, 0xFE, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0x22])

    private static func post(_ body: WebBody, _ codes: [Int] = [422]) -> BadBody {
        BadBody(path: "/api/v1/statuses", body: body, codes: codes)
    }

    private static func report(_ form: String, _ code: Int) -> BadBody {
        BadBody(path: "/api/v1/reports", body: .form(form), codes: [code])
    }

    static let reports: [BadBody] = [
        report("", 404), report("comment=no", 404), report("account_id=1", 404), report("account_id=x", 400),
        report("account_id={fred}", 404),
        report("account_id={bob}&comment=" + String(repeating: "x", count: 1001), 422),
        report("account_id={bob}&category=rude", 422), report("account_id={bob}&rule_ids[]=1", 422),
        report("account_id={bob}&category=spam&category=legal", 422),
        report("account_id={bob}&status_ids[]={status}", 404), report("account_id={bob}&status_ids[]=1", 404),
        report("account_id={bob}&status_ids[]=-1", 404),
        report("account_id={bob}&status_ids[]={reply}&status_ids[]=x", 404),
        report("account_id={bob}&" + (1...41).map { "status_ids[]=\($0)" }.joined(separator: "&"), 422),
    ]

    static let statuses: [BadBody] = [
        BadBody(path: "/api/v1/statuses", body: nil, codes: [422]),
        post(.form("")), post(.form("status=")), post(.form("status=+%0A%09")), post(.form("spoiler_text=+%0A")),
        post(.form("status=" + long)), post(.json(#"{"status":"\#(long)"}"#)),
        post(.multipart([("status", long)])), post(.form("status=" + String(repeating: "x", count: 501))),
        post(.form("status=x&spoiler_text=" + long)),
        post(.form("status=\(String(repeating: "x", count: 300))&spoiler_text=\(String(repeating: "y", count: 201))")),
        post(.json(#"{"status":"\#(accents)"}"#)),
        post(.form("status=" + String(repeating: "x", count: 300_000)), [413]),
        post(.json(#"{"status":null}"#)), post(.json(#"{"status":[]}"#)), post(.json(#"{"status":{}}"#)),
        post(.json(#"{"status":{"text":"x"}}"#)), post(.json(#"{"status":["x","y"]}"#), [400, 422]),
        post(.form("status=x&visibility=secret")), post(.json(#"{"status":"x","visibility":7}"#), [400, 422]),
        post(.json(#"{"status":"x","visibility":["public","direct"]}"#), [400, 422]),
        post(.form("status=x&in_reply_to_id=1"), [404, 422]),
        post(.form("status=x&in_reply_to_id=abc"), [400, 404, 422]),
        post(.form("status=x&in_reply_to_id=-1"), [400, 404, 422]),
        post(.form("status=x&in_reply_to_id=99999999999999999999999"), [400, 404, 422]),
        post(.json(#"{"status":"x","in_reply_to_id":{"id":"1"}}"#), [400, 404, 422]),
        post(.json(#"{"status":"x","in_reply_to_id":["1","2"]}"#), [400]),
        BadBody(
            path: "/api/v1/statuses", body: .form("status=x"), codes: [400, 422, 431],
            headers: ["Idempotency-Key": long]),
    ]

    private static func poll(_ form: String) -> BadBody { post(.form("status=x" + form)) }

    private static let two = "&poll[options][]=a&poll[options][]=b"

    static let polls: [BadBody] = [
        poll("&poll[options][]=a&poll[expires_in]=300"),
        poll("&poll[options][]=a&poll[options][]=+&poll[expires_in]=300"),
        poll("&poll[options][]=&poll[expires_in]=300"), poll("&poll[expires_in]=300"), poll("&poll[multiple]=true"),
        poll((1...50).map { "&poll[options][]=\($0)" }.joined() + "&poll[expires_in]=300"),
        poll((1...5).map { "&poll[options][\($0)]=\($0)" }.joined() + "&poll[expires_in]=300"),
        poll("&poll[options][]=a&poll[options][]=+a+&poll[expires_in]=300"),
        poll("&poll[options][]=a&poll[options][]=\(String(repeating: "x", count: 51))&poll[expires_in]=300"),
        poll(two), poll(two + "&poll[expires_in]="), poll(two + "&poll[expires_in]=x"),
        poll(two + "&poll[expires_in]=300&poll[expires_in]=600"), poll(two + "&poll[expires_in]=1"),
        poll(two + "&poll[expires_in]=299"), poll(two + "&poll[expires_in]=2629747"),
        poll(two + "&poll[expires_in]=-300"), poll(two + "&poll[expires_in]=9223372036854775807"),
        poll(two + "&poll[expires_in]=99999999999999999999"), poll(two + "&poll[expires_in]=300&media_ids[]=1"),
        post(.form("status=" + two + "&poll[expires_in]=300")),
        post(.json(#"{"status":"x","poll":{"options":[]}}"#)),
        post(.json(#"{"status":"x","poll":{"expires_in":300}}"#)),
        post(.json(#"{"status":"x","poll":{"options":["a","b"],"expires_in":"soon"}}"#)),
        post(.json(#"{"status":"x","poll":{"options":[{"title":"a"},{"title":"b"}],"expires_in":300}}"#)),
        post(.json(#"{"status":"x","poll":{"options":["\#(accents)","b"],"expires_in":300}}"#)),
        BadBody(
            method: "PUT", path: "/api/v1/statuses/{status}", body: .form("status=x" + two + "&poll[expires_in]=1"),
            codes: [422]),
    ]

    static let edits: [BadBody] = [
        ("", [422]), ("status=", [422]), ("status=" + long, [422]), ("status=x&spoiler_text=" + long, [422]),
        ("status=" + String(repeating: "x", count: 300_000), [413]),
    ].map { BadBody(method: "PUT", path: "/api/v1/statuses/{status}", body: .form($0.0), codes: $0.1) }

    /// Malformed bodies, for every endpoint that reads a body.
    static let anyBody: [BadBody] = [
        ("POST", "/api/v1/statuses"), ("PUT", "/api/v1/statuses/{status}"),
        ("PATCH", "/api/v1/accounts/update_credentials"), ("POST", "/api/v1/apps"), ("POST", "/oauth/token"),
        ("POST", "/api/v1/markers"), ("POST", "/api/v1/polls/{poll}/votes"), ("POST", "/api/v1/featured_tags"),
        ("PATCH", "/api/v2/notifications/policy"), ("PUT", "/api/v1/notifications/policy"),
        ("POST", "/api/v1/lists"), ("PUT", "/api/v1/lists/{list}"), ("POST", "/api/v1/lists/{list}/accounts"),
        ("DELETE", "/api/v1/lists/{list}/accounts"), ("POST", "/api/v2/filters"), ("PUT", "/api/v2/filters/{filter}"),
        ("POST", "/api/v2/filters/{filter}/keywords"), ("PUT", "/api/v2/filters/keywords/{keyword}"),
        ("POST", "/api/v2/filters/{filter}/statuses"), ("POST", "/api/v1/filters"),
        ("PUT", "/api/v1/filters/{keyword}"), ("PUT", "/api/v1/scheduled_statuses/{scheduled}"),
        ("POST", "/api/v1/accounts/{bob}/note"), ("POST", "/api/v1/accounts/{bob}/mute"),
        ("POST", "/api/v1/accounts/{bob}/follow"), ("POST", "/api/v1/reports"),
        ("POST", "/api/v1/user/password_change"),
    ].flatMap { method, path in
        // The application is authenticated first; most endpoints accept only short bodies.
        unreadable.map {
            let codes = path == "/oauth/token" ? [400, 401] : [400, 422]
            return BadBody(method: method, path: path, body: $0, codes: codes + ($0.bytes.count > 16_384 ? [413] : []))
        }
    }

    private static let unreadable: [WebBody] = [
        .json("{"), .json("[1]"), .json("\"text\""), .json("7"), .json("null"), .json("{\"status\":\"x\"} more"),
        .json("{'status':'x'}"), .json(#"{"status":NaN}"#),
        .json(#"{"a":"# + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000) + "}"),
        .json(String(repeating: #"{"a":"#, count: 10_000) + "1" + String(repeating: "}", count: 10_000)),
        .json(String(repeating: "[", count: 10_000)), .json(#"{"status":"\ud800"}"#),
        WebBody(type: "application/json", bytes: Data(#"{"status":"#.utf8) + invalid + Data("}".utf8)),
        WebBody(type: "application/x-www-form-urlencoded", bytes: Data("status=x".utf8) + invalid),
        .form("status=%FF%FE&display_name=%FF&client_name=%FF&grant_type=%FF&home%5Blast_read_id%5D=%FF"),
        WebBody(type: "multipart/form-data", bytes: Data("--B\r\n".utf8)),
        WebBody(type: "multipart/form-data; boundary=B", bytes: Data("--B\r\nbroken".utf8)),
        WebBody(
            type: "multipart/form-data; boundary=B",
            bytes: Data("--B\r\nContent-Disposition: form-data; name=\"status\"\r\n\r\nx".utf8)),
    ]

    static let profile: [BadBody] = [
        "display_name=" + String(repeating: "x", count: 500), "note=" + long,
        "fields_attributes%5B0%5D%5Bname%5D=" + long, "fields_attributes%5B0%5D%5Bvalue%5D=" + long,
        (0..<100).map { "fields_attributes%5B\($0)%5D%5Bname%5D=n&fields_attributes%5B\($0)%5D%5Bvalue%5D=v" }
            .joined(separator: "&"),
        "source%5Bprivacy%5D=secret", "source%5Blanguage%5D=" + long,
        // A valid field does not make the request valid.
        "display_name=Eve&note=" + long, "locked=true&source%5Bprivacy%5D=secret",
    ].map { BadBody(method: "PATCH", path: "/api/v1/accounts/update_credentials", body: .form($0), codes: [422]) }

    static let queries: [BadBody] = [
        ("/api/v1/lists/{list}", [404]), ("/api/v1/timelines/list/{list}?max_id=x", [400]),
        ("/api/v1/followed_tags?max_id=x", [400]), ("/api/v1/accounts/1/lists", [404]), ("/api/v1/tags/1", [404]),
        ("/api/v1/timelines/home?max_id=x", [400]), ("/api/v1/timelines/home?max_id=1&max_id=2", [400]),
        ("/api/v1/timelines/public?min_id=-5", [400]),
        ("/api/v1/timelines/tag/tag?since_id=%00", [422]), ("/api/v1/notifications?max_id=x", [400]),
        ("/api/v2/notifications?max_id=x", [400]), ("/api/v2/notifications?account_id=x", [400]),
        ("/api/v2/notifications?expand_accounts=none", [400]),
        ("/api/v2/notifications/unread_count?account_id=-1", [400]),
        ("/api/v1/favourites?min_id=x", [400]), ("/api/v1/conversations?max_id=x", [400]),
        ("/api/v1/bookmarks?since_id=x", [400]), ("/api/v1/changes?since=x", [400]),
        ("/api/v1/changes?since=-1", [400]), ("/api/v1/changes?since=1-", [400]),
        ("/api/v1/changes?since=%EF%BC%91", [400]), ("/api/v1/changes?since=1%00", [422]),
        ("/api/v1/changes?since=" + String(repeating: "1", count: 201), [400]),
        ("/api/v1/accounts/{ada}/statuses?max_id=x", [400]), ("/api/v1/accounts/{ada}/followers?max_id=x", [400]),
        ("/api/v1/accounts/lookup", [400, 404]), ("/api/v1/accounts/lookup?acct=", [400, 404]),
        ("/api/v1/accounts/lookup?acct=ada%40elsewhere.test", [404]),
        ("/api/v1/accounts/lookup?acct=a%00b", [422]), ("/api/v1/accounts/lookup?acct=" + long, [400, 404, 414]),
        ("/api/v2/search", [400, 422]), ("/api/v2/search?q=", [400, 422]),
        ("/api/v2/search?q=ada&type=nonsense", [400, 422]),
    ].map { BadBody(method: "GET", path: $0.0, body: nil, codes: $0.1) }

    static let applications: [BadBody] = [
        ("/api/v1/apps", "client_name=", [422]), ("/api/v1/apps", "redirect_uris=http%3A%2F%2Fx.test", [422]),
        ("/api/v1/apps", "client_name=\(long)&redirect_uris=http%3A%2F%2Fx.test", [413]),
        ("/api/v1/apps", "client_name=x&redirect_uris=javascript%3Aalert(1)", [422]),
        ("/api/v1/apps", "client_name=x&redirect_uris=not+an+address", [422]),
        ("/api/v1/apps", "client_name=x&redirect_uris=http%3A%2F%2Fx.test&scopes=bogus", [400, 422]),
        ("/oauth/token", "", [400, 401]), ("/oauth/token", "grant_type=password", [400, 401]),
        ("/oauth/token", "grant_type=password&client_id=x&client_secret=y&username=ada&password=secret", [401]),
        ("/oauth/token", "grant_type=magic&client_id={client}&client_secret={secret}", [400]),
        ("/oauth/token", "grant_type=password&client_id={client}&client_secret={secret}", [400]),
        (
            "/oauth/token",
            "grant_type=password&client_id={client}&client_secret={secret}&username=ada&password=wrong", [400, 401]
        ),
        (
            "/oauth/token",
            "grant_type=password&client_id={client}&client_secret={secret}&username=ada&password=" + long, [413]
        ),
        (
            "/oauth/token",
            "grant_type=password&client_id={client}&client_secret={secret}&username=ada&password=secret&scope=admin:write",
            [400]
        ),
        (
            "/oauth/token", "grant_type=authorization_code&client_id={client}&client_secret={secret}&code=wrong",
            [400]
        ),
        (
            "/oauth/token", "grant_type=refresh_token&client_id={client}&client_secret={secret}&refresh_token=wrong",
            [400]
        ),
        ("/oauth/revoke", "token=x", [400, 401, 403]),
        ("/oauth/revoke", "token=x&client_id=y&client_secret=z", [401, 403]),
    ].map { BadBody(path: $0.0, body: .form($0.1), codes: $0.2, isAnonymous: true) }
}
