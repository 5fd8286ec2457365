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
