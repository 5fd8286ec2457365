import FeedFiles
import NIOHTTP1
import TestKit
import Testing

@testable import FeedWeb

/// The requests that stored responses may answer.
@Suite(.hangLimit)
struct PlainRequestTests {
    private static func request(
        _ method: HTTPMethod = .GET, _ target: String = "/", version: HTTPVersion = .http1_1,
        _ fields: [(String, String)] = [("Host", "a")]
    ) -> PlainRequest? {
        PlainRequest(HTTPRequestHead(version: version, method: method, uri: target, headers: HTTPHeaders(fields)))
    }

    @Test(arguments: ["/", "/api/v1/timelines/public?limit=5&max_id=1", "/@ada", "/a%00b", "/a//b", "/?", "/#x"])
    func anyTargetInOriginFormIsPlain(target: String) {
        #expect(Self.request(.GET, target)?.target == target)
        #expect(Self.request(.HEAD, target)?.isHead == true)
    }

    @Test(arguments: [
        "", "*", "//", "//evil.example/", "http://a/", "a", "/\u{212A}", "/caf\u{E9}", "/cafe\u{301}", "/a b",
        "/\u{7F}",
        "/" + String(repeating: "x", count: 1024),
    ])
    func otherTargetsAreNot(target: String) { #expect(Self.request(.GET, target) == nil) }

    @Test func otherMethodsAndVersionsAreNot() {
        for method in [HTTPMethod.POST, .PUT, .DELETE, .OPTIONS, .CONNECT, .TRACE, .RAW(value: "get")] {
            #expect(Self.request(method) == nil)
        }
        for version in [HTTPVersion.http1_0, .http0_9, .http2, .init(major: 1, minor: 2)] {
            #expect(Self.request(version: version) == nil)
        }
    }

    static let harmless = [
        ("Accept", "text/html"), ("Accept-Encoding", "gzip"), ("Origin", "https://app.example"), ("Cookie", "a=b"),
        ("Connection", "keep-alive"), ("Connection", "Keep-Alive"), ("If-Modified-Since", "x"), ("X-Anything", "\u{1}"),
        ("User-Agent", "curl/8"), ("Authorization", "Bearer x"), ("If-None-Match", "\"a\""), ("X-Request-Id", "1"),
        ("X-Forwarded-For", "10.0.0.1"), ("X-Forwarded-Proto", "https"),
    ]

    @Test(arguments: harmless.indices)
    func harmlessFieldsArePlain(index: Int) {
        #expect(Self.request(.GET, "/", [("host", "a"), Self.harmless[index]]) != nil)
    }

    static let others = [
        ("Content-Length", "0"), ("Content-Length", "5"), ("transfer-encoding", "chunked"), ("TRAILER", "x"),
        ("Expect", "100-continue"), ("Upgrade", "h2c"), ("Range", "bytes=0-1"), ("If-Range", "\"a\""),
        ("If-Match", "*"), ("If-Unmodified-Since", "x"), ("Connection", "close"), ("Connection", "keep-alive, upgrade"),
        ("Host", "b"), ("User-Agent", "\u{1}"), ("User-Agent", "caf\u{E9}"), ("Authorization", "Bearer \u{0}"),
        ("If-None-Match", "\"\u{E9}\""), ("X-Forwarded-For", "\u{E9}"),
    ]

    @Test(arguments: others.indices)
    func fieldsWithMeaningAreNot(index: Int) {
        #expect(Self.request(.GET, "/", [("Host", "a"), Self.others[index]]) == nil)
    }

    /// The ordinary path joins the lines of a field, or rejects the request.
    @Test(arguments: ["Host", "Authorization", "If-None-Match", "User-Agent", "X-Request-Id"])
    func repeatedFieldsAreNot(name: String) {
        let fields = (name == "Host" ? [] : [("Host", "a")]) + [(name, "x"), (name.lowercased(), "x")]
        #expect(Self.request(.GET, "/", fields) == nil)
    }

    @Test func hostIsRequired() { #expect(Self.request(.GET, "/", []) == nil) }

    @Test func entityTagsAreComparedWeakly() {
        let tag = EntityTag("abc")
        let values: [(String?, Bool)] = [
            ("\"abc\"", true), ("W/\"abc\"", true), ("\"x\", \"abc\"", true), ("*", true), ("\"x\"", false),
            ("abc", false), ("", false), (nil, false),
        ]
        for (value, isKnown) in values {
            let fields = [("Host", "a")] + (value.map { [("If-None-Match", $0)] } ?? [])
            #expect(Self.request(.GET, "/", fields)?.has(tag) == isKnown, "\(value ?? "none")")
        }
    }
}
