import FeedAPI
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import FeedClientKit

/// Threads and pages of timelines, as other servers send them.
@Suite(.hangLimit)
struct ThreadLookupTests {
    /// The body of a response and, if there is one, its link.
    private typealias Answer = (body: String, link: String?)

    private static func json(_ text: String, link: String? = nil) -> Answer { (text, link) }

    private static func reading<Value: Sendable>(
        _ respond: @escaping @Sendable (Request) -> Answer,
        _ body: @escaping @Sendable (FeedClient) async throws -> Value
    ) async throws -> Value {
        try await LocalServer.serving({ request in
            let answer = respond(request)
            var headers: HTTPFields = [.contentType: "application/json"]
            if let name = HTTPField.Name("Link") { headers[name] = answer.link }
            let content = ByteBuffer(string: answer.body)
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: content))
        }) { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            let result: Result<Value, any Error>
            do { result = .success(try await body(client)) } catch { result = .failure(error) }
            await client.shutdown()
            return try result.get()
        }
    }

    @Test func threadKeepsTheBytesOfTheServer() async throws {
        let (one, two, three) = (MediaServer.status("1"), MediaServer.status("2"), MediaServer.status("3"))
        let thread = try await Self.reading({ request in
            request.uri.path.hasSuffix("/context")
                ? Self.json(
                    "{ \"extra\":[1,2],\"descendants\" : [\(three), {\"id\":\"broken\"}], \"ancestors\":[\(one)] }")
                : Self.json(two)
        }) { try await $0.thread(of: "2") }
        #expect(thread.items.map(\.entry.status.id) == ["1", "2", "3"])
        #expect(
            thread.items.map { JSONText.line($0.entry.json) }
                == [one, two, three].map { JSONText.line(Array($0.utf8)) })
    }

    @Test func threadMayLackItsMembers() async throws {
        let thread = try await Self.reading({ request in
            Self.json(request.uri.path.hasSuffix("/context") ? "{}" : MediaServer.status("2"))
        }) { try await $0.thread(of: "2") }
        #expect(thread.items.map(\.entry.status.id) == ["2"])
    }

    /// Favourites are sorted by an id that only the server knows.
    @Test func nextPageIsWhereTheLinkPoints() async throws {
        let entries = try await Self.reading({ request in
            switch request.uri.queryParameters["max_id"] {
            case nil: Self.json("[\(MediaServer.status("5"))]", link: "</x?max_id=777&limit=1>; rel=\"next\"")
            case "777": Self.json("[\(MediaServer.status("9"))]", link: "</x?max_id=777>; rel=\"next\"")
            default: Self.json("[]")
            }
        }) { try await $0.statuses(of: .favourites, count: 10) }
        #expect(entries.map(\.status.id) == ["5", "9"])
    }

    @Test func rangeIsSentWithEachPage() async throws {
        let entries = try await Self.reading({ request in
            let query = request.uri.queryParameters
            guard request.uri.path.hasSuffix("/tag/a%2Fb"), query["since_id"] == "3" else { return Self.json("[]") }
            guard query["max_id"] == "9" else { return Self.json("[\(MediaServer.status("4"))]") }
            return Self.json("[\(MediaServer.status("8"))]", link: "</x?max_id=8&since_id=3>; rel=\"next\"")
        }) { try await $0.statuses(of: .tag("a/b"), count: 10, in: TimelineRange(before: "9", since: "3")) }
        #expect(entries.map(\.status.id) == ["8", "4"])
    }

    // MARK: Entities

    @Test(
        arguments: [
            (#""quote":{"state":"accepted","quoted_status":Q}"#, "accepted", "7"),
            (#""quote":{"state":"pending","quoted_status":null}"#, "pending", nil),
            (#""quote":Q"#, "accepted", "7"), (#""quote":null,"pleroma":{"quote":Q}"#, "accepted", "7"),
            (#""quote":null,"pleroma":{"quote":null}"#, nil, nil), (#""quote":"https://a.test/1""#, nil, nil),
            (#""quote":{"state":"accepted","quoted_status":{"id":5}}"#, "accepted", nil), (#""quote":[]"#, nil, nil),
        ] as [(String, String?, String?)])
    func quotesOfServersAreRead(member: String, state: String?, id: String?) throws {
        let quoted = MediaServer.status("7")
        let text = String(MediaServer.status("1").dropLast()) + "," + member.replacing("Q", with: quoted) + "}"
        let status = try JSONDecoder().decode(Entity.Status.self, from: Data(text.utf8))
        #expect(status.quote?.state == state && status.quote?.quoted_status?.value.id == id)
    }

    @Test(
        arguments: [
            (#"{"url":"https://a.test","title":"T","type":"link","width":5}"#, "T"), (#"{"url":5,"title":"T"}"#, "T"),
            ("{}", nil), ("null", nil), ("7", nil), ("[]", nil),
        ] as [(String, String?)])
    func cardsOfServersAreRead(card: String, title: String?) throws {
        let text = String(MediaServer.status("1").dropLast()) + ",\"card\":" + card + "}"
        let status = try JSONDecoder().decode(Entity.Status.self, from: Data(text.utf8))
        #expect(status.card?.title == title)
    }
}
