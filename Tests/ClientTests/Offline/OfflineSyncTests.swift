import FeedTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import FeedClientKit

/// Stored timelines and the change feed.
@Suite(.timeLimit(.minutes(15)))
struct OfflineSyncTests {
    private static let owner = "http://127.0.0.1 ada"

    private static func entry(_ id: String, content: String = "") throws -> TimelineEntry {
        let json = MediaServer.status(id).replacingOccurrences(of: #""content":"""#, with: #""content":"\#(content)""#)
        return TimelineEntry(
            status: try JSONDecoder().decode(Entity.Status.self, from: Data(json.utf8)), json: Array(json.utf8))
    }

    private static func change(_ event: String, _ id: String, status: String = "null") -> String {
        #"{"position":"e-1","event":"\#(event)","id":"\#(id)","status":\#(status)}"#
    }

    /// Runs `test` with a server whose change feed consists of pages. It repeats the last page.
    /// - Returns: The queries.
    private static func syncing(
        _ pages: [String], _ test: @escaping @Sendable (OfflineTimelines, OfflineSync) async throws -> Void
    ) async throws -> [String] {
        let queries = Mutex<[String]>([])
        let folder = try TemporaryFolder()
        try await LocalServer.serving({ request, _ in
            let number = queries.withLock { queries in
                queries.append(request.uri.query ?? "")
                return queries.count
            }
            guard !pages.isEmpty else { return Response(status: .notFound) }
            let body = ByteBuffer(string: pages[min(number, pages.count) - 1])
            return Response(status: .ok, body: .init(byteBuffer: body))
        }) { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            let timelines = try OfflineTimelines(folder: folder.path)
            let result: Result<Void, any Error>
            do {
                let sync = OfflineSync(timelines, with: client, owner: owner)
                result = .success(try await test(timelines, sync))
            } catch { result = .failure(error) }
            await client.shutdown()
            try result.get()
        }
        return queries.withLock { $0 }
    }

    private static func contents(_ timelines: OfflineTimelines, _ timeline: String, owner: String = owner) async throws
        -> [String]
    {
        try await timelines.page(timeline: timeline, owner: owner)?.entries.map { $0.status.id + $0.status.content }
            ?? []
    }

    @Test func editsAndDeletionsReachAllPages() async throws {
        let edited = String(decoding: try Self.entry("3", content: "new").json, as: UTF8.self)
        let changes = [Self.change("delete", "1"), Self.change("status.update", "3", status: edited)]
        let queries = try await Self.syncing([
            #"{"position":"e-5","more":false,"changes":[]}"#,
            #"{"position":"e-7","more":true,"changes":[\#(changes[0])]}"#,
            #"{"position":"e-8","more":false,"changes":[\#(changes[1])]}"#,
        ]) { timelines, sync in
            let entries = try ["3", "2", "1"].map { try Self.entry($0) }
            try await timelines.save(entries, timeline: "home", owner: Self.owner, now: 1)
            try await timelines.save(entries, timeline: "public", owner: Self.owner, now: 1)
            try await timelines.save(entries, timeline: "public", owner: "http://other bob", now: 1)
            try await sync.run(now: 1)
            try await sync.run(now: 2)
            for name in ["home", "public"] {
                #expect(try await Self.contents(timelines, name) == ["3new", "2"])
            }
            let others = try await Self.contents(timelines, "public", owner: "http://other bob")
            #expect(others == ["3", "2", "1"])
            #expect(try await timelines.syncState(owner: Self.owner) == .init(position: "e-8", time: 2))
        }
        #expect(queries == ["limit=200", "since=e-5&limit=200", "since=e-7&limit=200"])
    }

    /// A server that says that there is more, but does not move on, is not asked forever.
    @Test func repeatedPageEndsTheSync() async throws {
        let page = #"{"position":"e-5","more":true,"changes":[]}"#
        let queries = try await Self.syncing([page]) { _, sync in try await sync.run(now: 1) }
        #expect(queries == ["limit=200", "since=e-5&limit=200"])
    }

    @Test func serverWithoutChangeFeedIsAskedOnceADay() async throws {
        let queries = try await Self.syncing([]) { _, sync in
            for now in [0, 1, OfflineSync.pause - 1] { try await sync.run(now: now) }
            try await sync.run(now: OfflineSync.pause)
            // The clock has been set back.
            try await sync.run(now: 5)
        }
        #expect(queries.count == 3)
    }
}
