import HTTPTypes
import NIOHTTP1
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct HTTP1RequestRuleTests {
    private static func check(_ uri: String, _ headers: [(String, String)], version: HTTPVersion = .http1_1) throws
        -> (uri: String, host: [String])
    {
        var head = HTTPRequestHead(version: version, method: .GET, uri: uri, headers: HTTPHeaders(headers))
        try HTTP1RequestRule.check(&head)
        return (head.uri, head.headers["Host"])
    }

    @Test(arguments: [
        ("http://other.test/a?b=c", "/a?b=c", "other.test"), ("HTTP://other.test:81", "/", "other.test:81"),
        ("https://other.test?x", "/?x", "other.test"), ("http://[::1]:80/", "/", "[::1]:80"), ("/a", "/a", "feed.test"),
        ("*", "*", "feed.test"), ("//a", "//a", "feed.test"),
    ])
    func hostOfTheTargetTakesPrecedence(target: String, path: String, host: String) throws {
        let found = try Self.check(target, [("Host", "feed.test")])
        #expect(found.uri == path && found.host == [host])
    }

    @Test(arguments: [
        ("a", "feed.test"), ("ftp://feed.test/", "feed.test"), ("http:///a", "feed.test"), ("http://a b/", "feed.test"),
        ("http://user@feed.test/", "feed.test"), ("/", ""), ("/", "[]"), ("/", "[::1"), ("/", "[g::1]"), ("/", "a/b"),
        ("/\u{FE0F}a", "feed.test"), ("http://feed.test/\u{FE0F}a", "feed.test"),
        ("/", "[:::]"), ("/", "a:b"), ("/", "a:123456"), ("/", "ä.test"), ("/", "user@feed.test"), ("/", "[1.2.3.4]"),
    ])
    func invalidTargetsAndHostsAreRejected(target: String, host: String) {
        let error = #expect(throws: HeadRefusal.self) { try Self.check(target, [("Host", host)]) }
        #expect(error?.status == .badRequest)
    }

    @Test func hostFieldMustOccurOnce() throws {
        #expect(throws: HeadRefusal.self) { try Self.check("/", []) }
        #expect(throws: HeadRefusal.self) { try Self.check("/", [("Host", "a"), ("Host", "a")]) }
        #expect(throws: HeadRefusal.self) {
            try Self.check("/", [("Host", "a"), ("Host", "b")], version: .http1_0)
        }
        #expect(try Self.check("/", [], version: .http1_0).host.isEmpty)
    }

    @Test(
        arguments: [
            (["gzip, chunked"], 501), (["gzip"], 501), (["identity"], 501), (["chunked", "chunked"], 501),
            (["chunked, chunked"], 501), (["chunked;x=1"], 501), (["chunked"], nil), (["Chunked"], nil), ([], nil),
        ] as [([String], Int?)])
    func onlyChunkedCodingIsAccepted(codings: [String], status: Int?) {
        let headers = [("Host", "a")] + codings.map { ("Transfer-Encoding", $0) }
        var found: Int?
        do { _ = try Self.check("/", headers) } catch let error as HeadRefusal {
            found = error.status.code
        } catch { found = 0 }
        #expect(found == status)
    }

    @Test(arguments: [
        ("9223372036854775808", true), ("18446744073709551615", true), ("9223372036854775807", false), ("0", false),
        ("100000000000000000000000000000", true),
    ])
    func overflowingLengthsAreTooLarge(length: String, isRefused: Bool) {
        var found: HTTPResponse.Status?
        do { _ = try Self.check("/", [("Host", "a"), ("Content-Length", length)]) } catch {
            found = (error as? HeadRefusal)?.status
        }
        #expect(found == (isRefused ? .contentTooLarge : nil))
    }
}
