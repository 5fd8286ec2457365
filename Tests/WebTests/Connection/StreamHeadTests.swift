import FeedCore
import HTTPTypes
import NIOHTTP1
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct StreamHeadTests {
    private static func head(
        _ method: HTTPRequest.Method = .get, authority: String? = "feed.test", path: String? = "/a",
        fields: [(String, String)] = []
    ) -> HTTPRequest {
        var head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { head.headerFields.append(HTTPField(name: name, value: value)) }
        }
        return head
    }

    /// The status of the refusal; `nil` if the head is accepted.
    private static func refusal(_ head: HTTPRequest) -> Int? {
        var head = head
        do {
            try StreamHeadRules.check(&head, ConnectionLimits())
            return nil
        } catch {
            return Int(error.status.code)
        }
    }

    @Test func schemeMatchesTheConnection() throws {
        var head = Self.head()
        try StreamHeadRules.check(&head, ConnectionLimits())
        #expect(head.scheme == "https" && head.authority == "feed.test")
    }

    @Test func hostFieldReplacesAMissingAuthority() throws {
        for authority in [nil, "feed.test"] {
            var head = Self.head(authority: authority, fields: [("host", "feed.test")])
            try StreamHeadRules.check(&head, ConnectionLimits())
            #expect(head.authority == "feed.test" && head.headerFields.isEmpty)
        }
    }

    @Test(arguments: [nil, "", "a b", "a@b", "a/b"])
    func invalidAuthoritiesAreRefused(authority: String?) {
        #expect(Self.refusal(Self.head(authority: authority)) == 400)
    }

    @Test func hostsThatDifferAreRefused() {
        #expect(Self.refusal(Self.head(fields: [("host", "other.test")])) == 400)
    }

    @Test(arguments: [nil, "", "a", "http://feed.test/", "/a b", "/a\u{7F}b", "/\u{FE0F}a"])
    func invalidPathsAreRefused(path: String?) { #expect(Self.refusal(Self.head(path: path)) == 400) }

    @Test func asteriskAndLongQueriesAreAccepted() {
        #expect(Self.refusal(Self.head(.options, path: "*")) == nil)
        #expect(Self.refusal(Self.head(path: "/a?" + String(repeating: "b", count: 8000))) == nil)
    }

    @Test func connectIsRefused() { #expect(Self.refusal(Self.head(.connect)) == 400) }

    @Test func sizeIsLimited() {
        #expect(Self.refusal(Self.head(fields: (0..<200).map { ("x-\($0)", "1") })) == nil)
        #expect(Self.refusal(Self.head(fields: (0..<201).map { ("x-\($0)", "1") })) == 431)
        #expect(Self.refusal(Self.head(fields: [("x", String(repeating: "a", count: 16_385))])) == 431)
        #expect(Self.refusal(Self.head(path: "/" + String(repeating: "a", count: 16_384))) == 431)
    }

    @Test func repeatedLengthIsRefused() {
        #expect(Self.refusal(Self.head(.post, fields: [("content-length", "5"), ("content-length", "5")])) == 400)
    }
}
