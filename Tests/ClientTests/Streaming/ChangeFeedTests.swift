import FeedTestSupport
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// The change feed.
@Suite(.hangLimit)
struct ChangeFeedTests {
    private static func response(_ body: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, body: .init(byteBuffer: ByteBuffer(string: body)))
    }

    private static func change(_ number: Int, status: String = "null") -> String {
        #"{ "position" : "e-\#(number)", "event":"update","id":"\#(number)","at":"2026-01-01T00:00:00.000Z","#
            + "\"status\": \(status) }"
    }

    private static func page(_ changes: [String], position: String, more: Bool = false) -> String {
        #"{"position":"\#(position)","more":\#(more),"changes":[\#(changes.joined(separator: ","))]}"#
    }

    /// Reads changes from a server.
    /// - Parameter respond: Responds to the first request, the second, and so on.
    private static func read(
        _ count: Int, since position: String? = nil, _ respond: @escaping @Sendable (_ request: Int) -> Response
    ) async throws -> (changes: [ChangeFeedEntry], queries: [String]) {
        let queries = Mutex<[String]>([])
        let result = try await LocalServer.serving({ request in
            let number = queries.withLock { queries in
                queries.append(request.uri.query ?? "")
                return queries.count
            }
            return respond(number)
        }) { port -> Result<[ChangeFeedEntry], any Error> in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            var changes: [ChangeFeedEntry] = []
            var failure: (any Error)?
            do {
                for try await change in client.changeFeed(since: position) {
                    changes.append(change)
                    if changes.count == count { break }
                }
            } catch { failure = error }
            await client.shutdown()
            return failure.map { .failure($0) } ?? .success(changes)
        }
        return (try result.get(), queries.withLock { $0 })
    }

    @Test func pagesAreReadOneAfterTheOther() async throws {
        let status = MediaServer.status("2")
        let (changes, queries) = try await Self.read(3, since: "e-1") { request in
            switch request {
            case 1: Self.response(Self.page([Self.change(2, status: status), Self.change(3)], position: "e-9"))
            case 2: Self.response(Self.page([], position: "e-20", more: true))
            default: Self.response(Self.page([Self.change(21)], position: "e-21"))
            }
        }
        #expect(changes.map(\.position) == ["e-2", "e-3", "e-21"] && changes.map(\.id) == ["2", "3", "21"])
        #expect(changes[0].entry.map { String(decoding: $0.json, as: UTF8.self) } == status)
        #expect(changes[0].entry?.status.id == "2" && changes[1].entry == nil)
        #expect(queries == ["e-1", "e-9", "e-20"].map { "since=\($0)&limit=200&wait=25" })
    }

    /// Unknown events are passed on; unreadable ones are left out.
    @Test func unknownEventsArePassedOn() async throws {
        let changes = [#"{"position":"e-2","event":"resync"}"#, #"{"event":7}"#, Self.change(4, status: "{}")]
        let (found, _) = try await Self.read(2) { _ in Self.response(Self.page(changes, position: "e-4")) }
        #expect(found.map(\.event) == ["resync", "update"] && found[0].id == nil && found[1].entry == nil)
    }

    @Test func failureIsTriedAgain() async throws {
        let (changes, queries) = try await Self.read(2) { request in
            switch request {
            case 1: Self.response(Self.page([Self.change(1)], position: "e-1"))
            case 2: Self.response("{}", .serviceUnavailable)
            default: Self.response(Self.page([Self.change(2)], position: "e-2"))
            }
        }
        #expect(changes.map(\.id) == ["1", "2"])
        #expect(queries.dropFirst().allSatisfy { $0.hasPrefix("since=e-1&") })
    }

    @Test func serverWithoutChangeFeedIsAnError() async throws {
        await #expect {
            _ = try await Self.read(1) { _ in Self.response("{}", .notFound) }
        } throws: {
            ($0 as? FeedClientError)?.code == .notFound
        }
    }

    @Test func membersOfObjectsAreFound() {
        let json = Array(#"{"a" : [1,{"b":2}] , "b":"x,\"}", "c" :null,"ab":3}"#.utf8)
        func member(_ name: String) -> String? {
            RawJSON.member(name, of: json).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(member("a")?.hasPrefix(#"[1,{"b":2}]"#) == true)
        #expect(member("b") == #""x,\"}""# && member("c") == "null" && member("ab") == "3" && member("d") == nil)
    }
}
