import FeedAPI
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct StatusThreadTests {
    static func entry(
        _ id: String, replyTo parent: String? = nil, boosting status: Entity.Status? = nil, by user: String = "1"
    )
        -> TimelineEntry
    {
        let account = Entity.Account(id: user, username: "u" + user, acct: "u" + user, display_name: "", avatar: nil)
        var value = Entity.Status(
            id: id, created_at: "", account: account, content: "", visibility: "public", spoiler_text: "",
            application: nil, mentions: [], tags: [])
        value.in_reply_to_id = parent
        value.reblog = status.map { Entity.Indirect($0) }
        return TimelineEntry(status: value, json: [])
    }

    /// `id:depth` of each item.
    private static func shape(_ thread: StatusThread) -> [String] {
        thread.items.map { "\($0.entry.status.id):\($0.depth)" }
    }

    private static func thread(_ descendants: [TimelineEntry], maximum: Int = 100) -> StatusThread {
        StatusThread(
            ancestors: [entry("1"), entry("2", replyTo: "1")], status: entry("3", replyTo: "2"),
            descendants: descendants, maximum: maximum)
    }

    @Test func repliesFormATree() {
        // In the order of time, as some servers send them.
        let thread = Self.thread([
            Self.entry("4", replyTo: "3"), Self.entry("5", replyTo: "3"), Self.entry("6", replyTo: "4"),
            Self.entry("7", replyTo: "6"), Self.entry("8", replyTo: "5"),
        ])
        #expect(Self.shape(thread) == ["1:0", "2:0", "3:0", "4:1", "6:2", "7:3", "5:1", "8:2"])
        #expect(thread.items.map(\.isFocus) == [false, false, true, false, false, false, false, false])
    }

    /// Replies to a status that is hidden from this account, or that refer to each other in a circle.
    @Test func noReplyIsLost() {
        let thread = Self.thread([
            Self.entry("5", replyTo: "hidden"), Self.entry("6", replyTo: "7"), Self.entry("7", replyTo: "6"),
            Self.entry("8", replyTo: "8"), Self.entry("9"), Self.entry("5", replyTo: "3"), Self.entry("3"),
        ])
        #expect(Self.shape(thread) == ["1:0", "2:0", "3:0", "5:1", "9:1", "6:1", "7:2", "8:1"])
    }

    @Test func sizeIsBounded() {
        let many = (10..<40).map { Self.entry("\($0)", replyTo: "\($0 - 1)") }
        let thread = Self.thread(many, maximum: 1)
        #expect(Self.shape(thread) == ["2:0", "3:0", "10:1"])
        #expect(thread.omittedAncestors == 1 && thread.omittedReplies == 29)
        let deep = (10..<100_000).map { Self.entry("\($0)", replyTo: $0 == 10 ? "3" : "\($0 - 1)") }
        #expect(Self.thread(deep, maximum: 1000).items.last?.depth == 1000)
    }

    @Test func conversationOfABoostIsThatOfTheStatus() {
        let boost = Self.entry("9", boosting: Self.entry("3").status)
        let thread = StatusThread(ancestors: [], status: boost, descendants: [Self.entry("4", replyTo: "3")])
        #expect(Self.shape(thread) == ["9:0", "4:1"])
    }

    // MARK: Boosts

    @Test func boostedStatusIsShownOnce() {
        let status = Self.entry("1", by: "5").status
        let items = BoostedStatus.merged([
            Self.entry("8", boosting: status, by: "2").status, Self.entry("7").status,
            Self.entry("6", boosting: status, by: "3").status, Self.entry("4", boosting: status, by: "2").status,
            status,
        ])
        #expect(items.map(\.status.id) == ["1", "7"] && items[0].boosters.map(\.id) == ["2", "3"])
        #expect(items[1].boosters.isEmpty)
    }

    @Test func repetitionsDoNotCount() {
        let status = Self.entry("1").status
        let page = [
            Self.entry("9", boosting: status, by: "2"), Self.entry("8", boosting: status, by: "3"), Self.entry("7"),
            Self.entry("6", boosting: status, by: "4"), Self.entry("5"),
        ]
        var distinct = StatusLimit(count: 2, countsRepetitions: false)
        #expect(page.prefix(while: { distinct.take($0) }).map(\.status.id) == ["9", "8", "7", "6"])
        #expect(distinct.missing == 0)
        var raw = StatusLimit(count: 2, countsRepetitions: true)
        #expect(raw.missing == 2)
        #expect(page.prefix(while: { raw.take($0) }).map(\.status.id) == ["9", "8"])
        #expect(raw.missing == 0)
    }

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
            thread.items.map { RawJSON.line($0.entry.json) }
                == [one, two, three].map { RawJSON.line(Array($0.utf8)) })
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
