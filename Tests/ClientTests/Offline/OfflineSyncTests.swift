import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Stored timelines and a server.
@Suite(.hangLimit)
struct OfflineSyncTests {
    private static func text(_ entry: TimelineEntry) -> String { String(decoding: entry.json, as: UTF8.self) }

    private static func change(_ event: String, _ id: String, status: String = "null") -> String {
        #"{"position":"e-1","event":"\#(event)","id":"\#(id)","status":\#(status)}"#
    }

    /// Runs `test` with a server that sends responses one after the other, and repeats the last one.
    /// - Returns: The queries.
    private static func syncing(
        _ responses: [Response],
        _ test: @escaping @Sendable (StoreFixture, FeedClient) async throws -> Void
    ) async throws -> [String] {
        let queries = Mutex<[String]>([])
        let fixture = try StoreFixture()
        try await LocalServer.serving({ request in
            let number = queries.withLock { queries in
                queries.append(request.uri.query ?? "")
                return queries.count
            }
            guard !responses.isEmpty else { return Response(status: .notFound) }
            return responses[min(number, responses.count) - 1]
        }) { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            let result: Result<Void, any Error>
            do { result = .success(try await test(fixture, client)) } catch { result = .failure(error) }
            await client.shutdown()
            try result.get()
        }
        return queries.withLock { $0 }
    }

    private static func page(_ ids: [Int], next: Int? = nil) -> Response {
        let statuses = ids.map { MediaServer.status("\($0)") }.joined(separator: ",")
        var headers = HTTPFields()
        if let next, let link = HTTPField.Name("Link") {
            headers[link] = #"<http://127.0.0.1/x?max_id=\#(next)>; rel="next""#
        }
        return MediaServer.json("[\(statuses)]", .ok, headers)
    }

    // MARK: Timelines

    /// Statuses that were read before an error remain, and the gap says where to continue.
    @Test func interruptedReadingIsResumed() async throws {
        let first = Array((61...100).reversed())
        let queries = try await Self.syncing([
            Self.page(first, next: 61), MediaServer.error(.badRequest, "no"), Self.page([60, 59]),
        ]) { fixture, client in
            let store = try fixture.open()
            let sync = OfflineSync(store, with: client)
            await #expect(throws: FeedClientError.self) { try await sync.statuses(of: .public, count: 100) }
            #expect(try await store.contents() == first.dropLast().map(String.init) + ["61|"])
            _ = try await sync.statuses(of: .public, count: 40, in: TimelineRange(before: "61"))
            #expect(try await store.contents() == (59...100).reversed().map(String.init))
        }
        #expect(queries == ["limit=40", "limit=40&max_id=61", "limit=40&max_id=61"])
    }

    /// Favourites are replaced as a whole or not at all.
    @Test func interruptedReadingOfAnUnsortedTimelineChangesNothing() async throws {
        _ = try await Self.syncing([
            Self.page([3, 9]), Self.page(Array(1...40), next: 77), MediaServer.error(.badRequest, "no"),
        ]) { fixture, client in
            let store = try fixture.open()
            let sync = OfflineSync(store, with: client)
            _ = try await sync.statuses(of: .favourites, count: 40)
            await #expect(throws: FeedClientError.self) { try await sync.statuses(of: .favourites, count: 100) }
            #expect(try await store.contents(.favourites) == ["3", "9"])
        }
    }

    /// A full page is not the end of a timeline, even if a proxy has removed the links.
    @Test func fullPageWithoutALinkIsNotTheEnd() async throws {
        _ = try await Self.syncing([Self.page([9, 8])]) { fixture, client in
            let store = try fixture.open()
            try await store.save(try StoreFixture.segment([5, 4]), of: .public, now: 1)
            _ = try await OfflineSync(store, with: client, now: { 2 }).statuses(of: .public, count: 2)
            let stored = try await store.contents()
            #expect(stored == ["9", "8|", "5", "4"])
        }
    }

    @Test func unwritableStoreDoesNotPreventReading() async throws {
        _ = try await Self.syncing([Self.page([9, 8])]) { fixture, client in
            let store = try fixture.open()
            try FileManager.default.removeItem(atPath: fixture.folder.path)
            try Data().write(to: URL(fileURLWithPath: fixture.folder.path))
            let failures = Mutex<[FeedClientError]>([])
            let sync = OfflineSync(store, with: client, onFailure: { error in failures.withLock { $0.append(error) } })
            #expect(try await sync.statuses(of: .public, count: 5).count == 2)
            #expect(failures.withLock { $0.map(\.code) } == [.disk])
        }
    }

    // MARK: Changes

    @Test func editsAndDeletionsReachAllTimelines() async throws {
        let edited = Self.text(try StoreFixture.entry(3, "new"))
        let changes = [Self.change("delete", "1"), Self.change("status.update", "3", status: edited)]
        let queries = try await Self.syncing([
            MediaServer.json(#"{"position":"e-5","more":false,"changes":[]}"#),
            MediaServer.json(#"{"position":"e-7","more":true,"changes":[\#(changes[0])]}"#),
            MediaServer.json(#"{"position":"e-8","more":false,"changes":[\#(changes[1])]}"#),
        ]) { fixture, client in
            let (store, other) = (try fixture.open(), try fixture.open(owner: "http://other bob"))
            let boosts = [try StoreFixture.entry(5, boosting: 1), try StoreFixture.entry(4, boosting: 3)]
            let entries = try boosts + [3, 2, 1].map { try StoreFixture.entry($0) }
            for name in [TimelineName.home, .public] {
                try await store.save(TimelineSegment(entries: entries, next: "1"), of: name, now: 1)
            }
            try await other.save(TimelineSegment(entries: entries), of: .public, now: 1)
            try await OfflineSync(store, with: client, now: { 1 }).applyChanges()
            try await OfflineSync(store, with: client, now: { 2 }).applyChanges()
            for name in [TimelineName.home, .public] {
                #expect(try await store.contents(name) == ["4", "3new", "2|"])
            }
            let boost = try await store.statuses(of: .home, count: 1)?.entries.first
            #expect(boost?.entry.status.reblog?.value.content == "new")
            #expect(try await other.contents() == ["5", "4", "3", "2", "1"])
            #expect(try await store.changeState() == .init(position: "e-8", time: 2))
        }
        #expect(queries == ["", "since=e-5&", "since=e-7&"].map { $0 + "limit=200&without=update" })
    }

    /// Without the missed deletions, nobody knows which statuses still exist. The newest ones have just been fetched.
    @Test func resyncRemovesWhatWasFetchedBefore() async throws {
        let day: Int64 = 86_400_000
        let resync = #"{"position":"f-9","event":"resync","id":null,"at":null}"#
        _ = try await Self.syncing([
            MediaServer.json(#"{"position":"e-5","more":false,"changes":[]}"#),
            MediaServer.json(#"{"position":"f-9","more":false,"changes":[\#(resync)]}"#),
        ]) { fixture, client in
            let (store, other) = (try fixture.open(), try fixture.open(owner: "http://other bob"))
            for store in [store, other] {
                try await store.save(try StoreFixture.segment([3, 2, 1], next: 1), of: .home, now: day)
                try await store.save(try StoreFixture.segment([1]), of: .public, now: day)
            }
            try await OfflineSync(store, with: client, now: { day }).applyChanges()
            // A later call was unsuccessful.
            try await store.save(try StoreFixture.segment([5, 4, 3], next: 3), of: .home, now: 2 * day)
            try await store.save(try StoreFixture.segment([9, 8, 5], next: 5), of: .home, now: 40 * day)
            try await OfflineSync(store, with: client, now: { 40 * day + 1 }).applyChanges()
            #expect(try await store.contents(.home) == ["9", "8", "5|"])
            #expect(try await store.contents(.public) == nil)
            #expect(try await other.contents(.home) == ["3", "2", "1|"])
            #expect(try await store.changeState() == .init(position: "f-9", time: 40 * day + 1))
        }
    }

    /// The database of the server was replaced a minute after the last call.
    @Test func resyncRemovesWhatWasFetchedBeforeTheLastCall() async throws {
        let store = try StoreFixture().open()
        let time: Int64 = 86_400_000_000
        try await store.save(try StoreFixture.segment([3, 2, 1]), of: .public, now: time)
        try await store.apply([], .init(position: "e-5", time: time))
        try await store.save(try StoreFixture.segment([5, 4], next: 4), of: .public, now: time + 1)
        let resync = ChangeFeedEntry(position: "f-1", event: "resync", id: nil, time: nil, entry: nil)
        try await store.apply([resync], .init(position: "f-1", time: time + 60_000))
        #expect(try await store.contents() == ["5", "4|"])
    }

    /// A server that says that there is more, but does not move on, is not asked forever.
    @Test func repeatedPageEndsTheSync() async throws {
        let page = MediaServer.json(#"{"position":"e-5","more":true,"changes":[]}"#)
        let queries = try await Self.syncing([page]) { fixture, client in
            try await OfflineSync(try fixture.open(), with: client).applyChanges()
        }
        #expect(queries == ["", "since=e-5&"].map { $0 + "limit=200&without=update" })
    }

    @Test func serverWithoutChangeFeedIsAskedOnceADay() async throws {
        let queries = try await Self.syncing([]) { fixture, client in
            let store = try fixture.open()
            // At the end, the clock has been set back.
            for time in [0, 1, OfflineSync.pause - 1, OfflineSync.pause, 5] {
                try await OfflineSync(store, with: client, now: { time }).applyChanges()
            }
        }
        #expect(queries.count == 3)
    }
}
