import FeedAPI
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Search results of several servers, some of them faulty.
@Suite(.hangLimit)
struct SearchResultTests {
    private static func search(
        _ body: String, _ kind: SearchKind? = nil, as credential: Credential? = nil
    ) async throws -> (results: SearchResults, query: String, skipped: [String]) {
        let query = Mutex("")
        let skipped = Mutex<[String]>([])
        let results = try await LocalServer.serving({ request in
            query.withLock { $0 = request.uri.query ?? "" }
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: body)))
        }) { port -> Result<SearchResults, any Error> in
            let client = FeedClient(
                server: try ServerAddress("http://127.0.0.1:\(port)"), credential: credential,
                onSkip: { entity in skipped.withLock { $0.append("\(entity)") } })
            let results: Result<SearchResults, any Error>
            do { results = .success(try await client.search("a b&c", for: kind)) } catch { results = .failure(error) }
            await client.shutdown()
            return results
        }
        return (try results.get(), query.withLock { $0 }, skipped.withLock { $0 })
    }

    @Test func everyKindIsDecodedAndKept() async throws {
        let account = #"{"id":"1","username":"ada","acct":"ada","display_name":"Ada","new":{"x":1}}"#
        let (results, query, skipped) = try await Self.search(
            #"{"accounts":[\#(account)],"statuses":[\#(MediaServer.status("7"))],"hashtags":[{"name":"kites","url":""}]}"#,
            .accounts)
        #expect(results.accounts.map(\.value.acct) == ["ada"] && results.hashtags.map(\.value.name) == ["kites"])
        #expect(results.statuses.map(\.status.id) == ["7"] && !results.isEmpty && skipped.isEmpty)
        #expect(String(decoding: results.accounts[0].json, as: UTF8.self).contains(#""new":{"x":1}"#))
        #expect(query == "q=a%20b%26c&type=accounts&limit=20")
    }

    /// A server refuses `resolve` without a token, which classic logins lack.
    @Test func onlyTokensResolveAddresses() async throws {
        let classic = Credential.classic(username: "ada", password: "secret-secret")
        #expect(try await Self.search("{}", as: classic).query == "q=a%20b%26c&limit=20")
        #expect(try await Self.search("{}", as: .token("t")).query == "q=a%20b%26c&limit=20&resolve=true")
    }

    @Test func faultyAndMissingPartsAreLeftOut() async throws {
        let (results, _, skipped) = try await Self.search(
            #"{"accounts":[{"id":"1"},{"id":"2","username":"bob"}],"statuses":null,"hashtags":["old"]}"#)
        #expect(results.accounts.map(\.value.id) == ["2"] && results.statuses.isEmpty && results.hashtags.isEmpty)
        #expect(skipped.count == 2 && skipped[0].contains("account 1"), "\(skipped)")
        #expect(try await Self.search("{}").results.isEmpty)
    }

    @Test(arguments: ["", "[]", "null", "<!DOCTYPE html>"]) func otherResponsesAreErrors(body: String) async {
        await #expect(throws: FeedClientError.self) { _ = try await Self.search(body) }
    }

    /// Pages are read until one is neither full nor incomplete, or empty; the further ones hold statuses only.
    @Test func searchIsReadPageByPage() async throws {
        let queries = Mutex<[String]>([])
        try await LocalServer.serving({ request in
            let query = request.uri.query ?? ""
            queries.withLock { $0.append(query) }
            let last = query.firstMatch(of: /max_id=(\d+)/).flatMap { Int($0.1) } ?? 101
            let ids = (max(1, last - 40)..<last).reversed()
            let statuses = ids.map { MediaServer.status("\($0)") }.joined(separator: ",")
            let body = #"{"accounts":[],"statuses":[\#(statuses)],"hashtags":[]}"#
            let field = try #require(HTTPField.Name("Search-Incomplete"))
            return Response(
                status: .ok, headers: last < 50 ? [field: "true"] : [:],
                body: .init(byteBuffer: ByteBuffer(string: body)))
        }) { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            var (ids, incomplete): ([String], [Bool]) = ([], [])
            try await client.search("x", count: 200) { page in
                ids += page.statuses.map(\.status.id)
                incomplete.append(page.isIncomplete)
                return true
            }
            #expect(ids == (1...100).reversed().map(String.init) && incomplete == [false, false, true, true])
            try await client.search("x", count: 50, before: "91") { page in
                ids += page.statuses.map(\.status.id)
                return page.statuses.count < 40
            }
            #expect(ids.count == 140 && ids.last == "51")
            // Nothing is asked for after the last status that is wanted.
            try await client.search("x", count: 40) { page in page.statuses.count == 40 }
            await client.shutdown()
        }
        #expect(
            queries.withLock(\.self) == [
                "q=x&limit=40", "q=x&type=statuses&limit=40&max_id=61", "q=x&type=statuses&limit=40&max_id=21",
                "q=x&type=statuses&limit=40&max_id=1", "q=x&limit=40&max_id=91", "q=x&limit=40",
            ])
    }

    /// A server ends a page early, perhaps before its first status, where too many candidates are hidden, and links to
    /// the next one.
    @Test func linksLeadBeyondPagesThatEndEarly() async throws {
        let pages: [String?: (id: String, next: String)] = [
            nil: ("9", "7"), "7": ("", "5"), "5": ("4", "3"), "3": ("", "3"),
        ]
        try await LocalServer.serving({ request in
            let before = request.uri.query?.firstMatch(of: /max_id=(\d+)/).map { String($0.1) }
            let (id, next) = try #require(pages[before])
            let body = #"{"accounts":[],"statuses":[\#(id.isEmpty ? "" : MediaServer.status(id))],"hashtags":[]}"#
            let (field, link) = (
                try #require(HTTPField.Name("Link")), #"<http://a.example/x?max_id=\#(next)>; rel="next""#
            )
            return Response(
                status: .ok, headers: [field: link],
                body: .init(byteBuffer: ByteBuffer(string: body)))
        }) { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            var ids: [String] = []
            try await client.search("x", count: 200) { page in
                ids += page.statuses.map(\.status.id)
                return true
            }
            #expect(ids == ["9", "4"])
            await client.shutdown()
        }
    }
}
