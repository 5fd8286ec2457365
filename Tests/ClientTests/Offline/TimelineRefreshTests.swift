import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Which requests bring a stored timeline up to date.
@Suite(.hangLimit)
struct TimelineRefreshTests {
    /// A server with a timeline of statuses with the ids 1 to `count`.
    private final class Server: Sendable {
        struct State {
            var count = 30
            var text = ""
            var requests: [String] = []
        }

        let state = Mutex(State())
        let hasTag, hasFeed: Bool

        init(hasTag: Bool = false, hasFeed: Bool = false) { (self.hasTag, self.hasFeed) = (hasTag, hasFeed) }

        func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

        /// The requests since the last call.
        func requests() -> [String] {
            state.withLock { state in
                defer { state.requests = [] }
                return state.requests
            }
        }

        @Sendable func respond(_ request: Request) -> Response {
            let path = String(request.uri.path.split(separator: "/").last ?? "")
            let state = state.withLock { state in
                state.requests.append(path + (request.uri.query.map { "?" + $0 } ?? ""))
                return state
            }
            if path == "changes" { return hasFeed ? changes(request, state) : Response(status: .notFound) }
            return page(request, state)
        }

        private func changes(_ request: Request, _ state: State) -> Response {
            let since = request.uri.queryParameters["since"].flatMap { Int($0.dropFirst(2)) } ?? state.count
            let new = (since..<max(since, state.count)).map {
                #"{"position":"e-\#($0 + 1)","event":"update","id":"\#($0 + 1)","status":null}"#
            }
            let list = new.joined(separator: ",")
            return MediaServer.json(#"{"position":"e-\#(state.count)","more":false,"changes":[\#(list)]}"#)
        }

        private func page(_ request: Request, _ state: State) -> Response {
            let tag = #""\#(state.count)\#(state.text)""#
            var headers = HTTPFields()
            if hasTag { headers[.eTag] = tag }
            if hasTag, request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
            let query = request.uri.queryParameters
            let (since, before) = (query["since_id"].flatMap { Int($0) } ?? 0, query["max_id"].flatMap { Int($0) })
            let last = min(state.count, (before ?? .max) - 1)
            let ids = last > since ? Array((since + 1...last).reversed().prefix(Int(query["limit"] ?? "") ?? 20)) : []
            if let link = HTTPField.Name("Link"), let oldest = ids.last, oldest > since + 1 {
                headers[link] = #"<http://127.0.0.1/x?max_id=\#(oldest)>; rel="next""#
            }
            let statuses = ids.map {
                MediaServer.status("\($0)").replacing(#""content":"""#, with: #""content":"\#(state.text)""#)
            }
            return MediaServer.json("[\(statuses.joined(separator: ","))]", .ok, headers)
        }
    }

    /// Refreshes a stored timeline as time passes.
    private final class Reader: Sendable {
        let fixture: StoreFixture
        private let client: FeedClient
        private let time = Mutex<Int64>(1_000_000)

        init(port: Int) throws {
            fixture = try StoreFixture()
            let cache = ResponseCache(folder: fixture.folder.path, owner: StoreFixture.owner)
            client = FeedClient(
                server: try ServerAddress("http://127.0.0.1:\(port)"), credential: .token("t"), cache: cache)
        }

        func close() async { await client.shutdown() }

        func pass(milliseconds: Int64) { time.withLock { $0 += milliseconds } }

        /// - Returns: The ids and texts of the statuses.
        func refresh(_ name: TimelineName = .home, count: Int = 5) async throws -> [String] {
            pass(milliseconds: 1000)
            var found: [String] = []
            let sync = OfflineSync(try fixture.open(), with: client, now: { self.time.withLock { $0 } })
            try await sync.refreshStatuses(of: name, count: count) { page in
                found += page.map { $0.status.id + $0.status.content }
                return true
            }
            return found
        }

        func synchronize() async throws -> SyncSummary {
            pass(milliseconds: 1000)
            return try await OfflineSync(try fixture.open(), with: client, now: { self.time.withLock { $0 } })
                .syncAccount()
        }
    }

    private static func reading(_ server: Server, _ test: (Reader) async throws -> Void) async throws {
        try await LocalServer.serving(server.respond) { port in
            let reader = try Reader(port: port)
            let result: Result<Void, any Error>
            do { result = .success(try await test(reader)) } catch { result = .failure(error) }
            await reader.close()
            try result.get()
        }
    }

    // MARK: Requests

    /// The feed says whether there is something new.
    @Test func changeFeedIsTheOnlyRequestWithoutNews() async throws {
        let server = Server(hasFeed: true)
        try await Self.reading(server) { reader in
            let first = try await reader.refresh()
            #expect(first == ["30", "29", "28", "27", "26"])
            #expect(server.requests() == ["changes?limit=200&without=update", "home?limit=5"])
            #expect(try await reader.refresh() == ["30", "29", "28", "27", "26"])
            #expect(server.requests() == ["changes?since=e-30&limit=200&without=update"])
            server.change { $0.count = 32 }
            #expect(try await reader.refresh() == ["32", "31", "30", "29", "28"])
            #expect(
                server.requests() == [
                    "changes?since=e-30&limit=200&without=update", "home?limit=5&since_id=30",
                ])
        }
    }

    /// What the feed has announced is news for every timeline, until it is read.
    @Test func announcedStatusesAreFetchedForEachTimeline() async throws {
        let server = Server(hasFeed: true)
        try await Self.reading(server) { reader in
            for name in [TimelineName.home, .local] { _ = try await reader.refresh(name) }
            server.change { $0.count = 31 }
            _ = try await reader.refresh()
            _ = server.requests()
            #expect(try await reader.refresh(.local, count: 1) == ["31"])
            #expect(server.requests().last == "public?local=true&limit=1&since_id=30")
        }
    }

    @Test func newestPageIsConfirmedByItsTag() async throws {
        let server = Server(hasTag: true)
        try await Self.reading(server) { reader in
            _ = try await reader.refresh()
            _ = server.requests()
            #expect(try await reader.refresh() == ["30", "29", "28", "27", "26"])
            #expect(server.requests() == ["home?limit=5"])
            server.change { $0.text = "edited" }
            #expect(try await reader.refresh(count: 5).first == "30edited")
            #expect(server.requests() == ["home?limit=5"])
        }
    }

    /// Neither feed nor tag: edits are noticed when the page is read again.
    @Test func onlyNewStatusesAreFetchedFromOtherServers() async throws {
        let server = Server()
        try await Self.reading(server) { reader in
            _ = try await reader.refresh()
            _ = server.requests()
            server.change { $0.text = "edited" }
            #expect(try await reader.refresh() == ["30", "29", "28", "27", "26"])
            #expect(server.requests() == ["home?limit=5&since_id=30"])
            server.change { $0.count = 31 }
            #expect(try await reader.refresh() == ["31edited", "30", "29", "28", "27"])
            #expect(server.requests() == ["home?limit=5&since_id=30"])
            reader.pass(milliseconds: TimelineRefresh.interval)
            #expect(try await reader.refresh().last == "27edited")
            #expect(server.requests() == ["home?limit=5"])
        }
    }

    /// More news than was asked for leaves a gap, and older statuses that were not stored are fetched.
    @Test func gapIsFilledWhenItIsReached() async throws {
        let server = Server()
        try await Self.reading(server) { reader in
            _ = try await reader.refresh()
            server.change { $0.count = 90 }
            #expect(try await reader.refresh() == ["90", "89", "88", "87", "86"])
            #expect(try await reader.fixture.open().contents(.home)?.dropFirst(3).first == "87")
            #expect(try await reader.fixture.open().contents(.home)?.dropFirst(4).first == "86|")
            _ = server.requests()
            #expect(try await reader.refresh(count: 8) == (83...90).reversed().map(String.init))
            #expect(server.requests() == ["home?limit=8&since_id=90", "home?limit=3&max_id=86"])
        }
    }

    // MARK: Synchronization

    @Test func synchronizationWithoutNewsIsOneRequest() async throws {
        let server = Server(hasFeed: true)
        try await Self.reading(server) { reader in
            let first = try await reader.synchronize()
            #expect(first.statuses == 30)
            _ = server.requests()
            #expect(try await reader.synchronize() == SyncSummary())
            #expect(server.requests() == ["changes?since=e-30&limit=200&without=update"])
            server.change { $0.count = 33 }
            #expect(try await reader.synchronize().statuses == 3)
            #expect(server.requests().contains("home?limit=40&since_id=30"))
        }
    }

    /// A server with a validator is asked for its newest page, which need not reach down to what is stored.
    @Test func synchronizationFillsTheGapBelowTheNewestPage() async throws {
        let server = Server(hasTag: true)
        try await Self.reading(server) { reader in
            let first = try await reader.synchronize()
            #expect(first.statuses == 30)
            server.change { $0.count = 120 }
            #expect(try await reader.synchronize().statuses == 90)
            let stored = try await reader.fixture.open().contents(.home)
            #expect(stored == (1...120).reversed().map(String.init))
        }
    }

    // MARK: Decisions

    @Test(
        arguments: [
            (50, nil, false, 0, .news), (50, nil, true, 0, .page), (50, 60, true, 0, .changes),
            (50, nil, false, 50, .page),
            (0, 60, false, -1, .page), (0, -1, false, -1, .changes), (0, 60, false, 0, .page),
            (0, nil, false, -1, .page),
            (200, nil, false, 0, .page),
        ] as [(Int64, Int64?, Bool, Int64, TimelineRefresh.Step)])
    func stepDependsOnWhatIsKnown(
        verifiedAt: Int64, feedTime: Int64?, canConfirm: Bool, lastEdit: Int64, step: TimelineRefresh.Step
    ) throws {
        let head = try #require(StatusKey("9"))
        let refresh = TimelineRefresh(
            state: .init(head: head, hasNews: false, verifiedAt: verifiedAt), feedTime: feedTime, maximumAge: 100,
            canConfirm: canConfirm, lastEdit: lastEdit, now: 110)
        #expect(refresh.step == step)
    }
}
