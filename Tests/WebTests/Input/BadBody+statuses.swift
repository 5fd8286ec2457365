extension BadBody {
    static let votes: [BadBody] =
        forms.map { vote(.form($0.choices), $0.code) }
        + wrongTypes.map { vote(.json(#"{"choices":\#($0.choices)}"#), $0.code) }
        + [
            vote(nil, 400),
            // No poll, no status, and one's own poll.
            vote(.form("choices[]=0"), 404, in: "{reply}"), vote(.form("choices[]=0"), 404, in: "1"),
            vote(.form("choices[]=0"), 422, by: "bob"),
        ]

    private static let forms: [(choices: String, code: Int)] = [
        ("", 400), ("choices=", 400), ("choices[]=", 400), ("choices[]=2", 422), ("choices[]=-1", 422),
        ("choices[]=x", 422), ("choices[]=0&choices[]=1", 422), ("choices[]=0&choices[]=0", 422),
        ("choices[]=9223372036854775807", 422), ("choices[]=99999999999999999999", 422),
        ((0..<301).map { "choices[]=\($0)" }.joined(separator: "&"), 413), ("choices[]=" + long, 413),
    ]

    private static let wrongTypes: [(choices: String, code: Int)] = [
        ("[]", 400), ("null", 400), (#"[{"id":0}]"#, 400), (#"{"option":0}"#, 400), ("[0.5]", 422),
        (#""0,1""#, 422), ("true", 422), (#"{"0":true}"#, 422), ("[[0],[0]]", 422),
    ]

    private static func vote(
        _ body: WebBody?, _ code: Int, in poll: String = "{poll}", by viewer: String = "ada"
    ) -> BadBody {
        BadBody(path: "/api/v1/polls/\(poll)/votes", body: body, codes: [code], viewer: viewer)
    }
}

extension BadBody {
    /// Times that are malformed or too soon. The test's clock is in November 2023.
    private static let times = [
        "now", "tomorrow", "2023-11-14", "2023-11-14T22%3A13%3A20Z", "1970-01-01T00%3A00%3A00Z",
        "9999-99-99T00%3A00%3A00Z", "99999-01-01T00%3A00%3A00Z", "4102444800", "-1", "9223372036854775808",
        "2099-01-01T25%3A00%3A00Z", "2099-02-30", "%2B2h", "2099-01-01T00%3A00%3A00Z%0A",
    ]

    static let schedules: [BadBody] =
        times.map { schedule("status=x&scheduled_at=\($0)") } + times.map { move("scheduled_at=\($0)") }
        + wrongTimes.map { BadBody(method: "PUT", path: own, body: .json(#"{"scheduled_at":\#($0)}"#), codes: [422]) }
        + [
            schedule("status=&scheduled_at=2099-01-01"),
            schedule("status=\(String(repeating: "x", count: 501))&scheduled_at=2099-01-01"),
            schedule("status=x&scheduled_at=2099-01-01&visibility=secret"),
            schedule("status=x&scheduled_at=2099-01-01&media_ids[]=1"),
            schedule("status=x&scheduled_at[]=2099-01-01&scheduled_at[]=2099-01-02"),
            schedule("status=x&scheduled_at[year]=2099"),
            schedule("status=x&scheduled_at=2099-01-01&in_reply_to_id=1", [404, 422]),
            move(""), move("scheduled_at="), move("status=x"), move("scheduled_at=" + long, [413]),
            move("scheduled_at[]=2099-01-01&scheduled_at[]=2099-01-02"), move("scheduled_at[year]=2099"),
            BadBody(method: "PUT", path: own, body: nil, codes: [422]),
            // Another account's scheduled status, and an unknown one.
            BadBody(method: "PUT", path: own, body: .form("scheduled_at=2098-01-01"), codes: [404], viewer: "bob"),
            BadBody(
                method: "PUT", path: "/api/v1/scheduled_statuses/1", body: .form("scheduled_at=2098-01-01"),
                codes: [404]),
            BadBody(
                method: "PUT", path: "/api/v1/statuses/{status}", body: .form("status=x&scheduled_at=2099-01-01"),
                codes: [422]),
        ]

    private static let wrongTimes = [
        "null", "[]", "{}", "true", "4102444800", #"{"year":2099}"#, #"["2099-01-01","2099-01-02"]"#,
        #""2099-01-01T00:00:00Z\u0000""#,
    ]

    private static let own = "/api/v1/scheduled_statuses/{scheduled}"

    private static func schedule(_ form: String, _ codes: [Int] = [422]) -> BadBody {
        BadBody(path: "/api/v1/statuses", body: .form(form), codes: codes)
    }

    private static func move(_ form: String, _ codes: [Int] = [422]) -> BadBody {
        BadBody(method: "PUT", path: own, body: .form(form), codes: codes)
    }
}
