import FeedCore
import HTTPTypes
import NIOHPACK
import NIOHTTP1
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct HTTP2RequestRuleTests {
    private static func headers(
        _ method: String = "GET", authority: String? = "feed.test", path: String? = "/a",
        fields: [(String, String)] = []
    ) -> HPACKHeaders {
        let pseudo = [(":method", method), (":scheme", "http"), (":authority", authority), (":path", path)]
        return HPACKHeaders(pseudo.compactMap { name, value in value.map { (name, $0) } } + fields)
    }

    /// The status of the refusal; `nil` if the head is accepted.
    private static func refusal(_ headers: HPACKHeaders) -> Int? {
        do {
            _ = try HTTP2RequestRule.head(headers, ConnectionLimits())
            return nil
        } catch {
            return error.status.code
        }
    }

    @Test func headIsRead() throws {
        let headers = Self.headers("PUT", path: "/a?b", fields: [("expect", "100-Continue")])
        let head = try HTTP2RequestRule.head(headers, ConnectionLimits())
        #expect(head.method == .put && head.target == "/a?b" && head.host == "feed.test" && head.expectsContinue)
    }

    @Test func hostFieldReplacesAMissingAuthority() throws {
        for authority in [nil, "feed.test"] {
            let headers = Self.headers(authority: authority, fields: [("host", "feed.test")])
            #expect(try HTTP2RequestRule.head(headers, ConnectionLimits()).host == "feed.test")
        }
    }

    @Test(arguments: ["a\u{0}b", "a\rb", "a\nb", " a", "a\t"]) func malformedValuesAreRefused(value: String) {
        #expect(Self.refusal(Self.headers(fields: [("x", value)])) == 400)
    }

    @Test(arguments: ["", "a b"]) func malformedMethodsAreRefused(method: String) {
        #expect(Self.refusal(Self.headers(method)) == 400)
    }

    @Test(arguments: [nil, "", "a b", "a@b", "a/b"])
    func invalidAuthoritiesAreRefused(authority: String?) {
        #expect(Self.refusal(Self.headers(authority: authority)) == 400)
    }

    @Test func hostsThatDifferAreRefused() {
        #expect(Self.refusal(Self.headers(fields: [("host", "other.test")])) == 400)
    }

    @Test(arguments: [nil, "", "a", "http://feed.test/", "/a b", "/a\u{7F}b", "/\u{FE0F}a"])
    func invalidPathsAreRefused(path: String?) { #expect(Self.refusal(Self.headers(path: path)) == 400) }

    @Test func asteriskAndLongQueriesAreAccepted() {
        #expect(Self.refusal(Self.headers("OPTIONS", path: "*")) == nil)
        #expect(Self.refusal(Self.headers(path: "/a?" + String(repeating: "b", count: 8000))) == nil)
    }

    @Test func connectIsRefused() { #expect(Self.refusal(Self.headers("CONNECT")) == 400) }

    @Test func sizeIsLimited() {
        #expect(Self.refusal(Self.headers(fields: (0..<200).map { ("x-\($0)", "1") })) == nil)
        #expect(Self.refusal(Self.headers(fields: (0..<201).map { ("x-\($0)", "1") })) == 431)
        #expect(Self.refusal(Self.headers(fields: [("x", String(repeating: "a", count: 16_385))])) == 431)
        #expect(Self.refusal(Self.headers(path: "/" + String(repeating: "a", count: 16_384))) == 431)
    }

    @Test func repeatedLengthIsRefused() {
        #expect(Self.refusal(Self.headers("POST", fields: [("content-length", "5"), ("content-length", "5")])) == 400)
    }
}
