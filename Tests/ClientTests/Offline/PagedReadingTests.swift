import FeedTestSupport
import Foundation
import GRDB
import HTTPTypes
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Long timelines are read and stored in pages, of which only a few are in memory.
@Suite(.hangLimit)
struct PagedReadingTests {
    private static let pageSize = 40

    /// Runs `test` with a server whose timelines have statuses with these ids, from the highest to 1.
    /// - Parameter failingBelow: Pages that begin below this id are refused.
    private static func serving(
        _ count: Int, failingBelow lowest: Int = 0,
        _ test: @escaping @Sendable (FeedClient, _ requests: Requests) async throws -> Void
    ) async throws {
        let requests = Requests()
        let result: Result<Void, any Error> = try await LocalServer.serving({ request in
            requests.add()
            let before = request.uri.queryParameters["max_id"].flatMap { Int($0) } ?? count + 1
            if before < lowest { return MediaServer.error(.badRequest, "no") }
            return page(before: before)
        }) { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            let result: Result<Void, any Error>
            do { result = .success(try await test(client, requests)) } catch { result = .failure(error) }
            await client.shutdown()
            return result
        }
        try result.get()
    }

    private static func page(before: Int) -> Response {
        let ids = Array((max(1, before - pageSize)..<max(1, before)).reversed())
        var headers = HTTPFields()
        if let last = ids.last, last > 1, let link = HTTPField.Name("Link") {
            headers[link] = #"<http://127.0.0.1/x?max_id=\#(last)>; rel="next""#
        }
        return MediaServer.json("[\(ids.map { MediaServer.status("\($0)") }.joined(separator: ","))]", .ok, headers)
    }

    /// Counts the requests.
    final class Requests: Sendable {
        private let number = Atomic(0)

        var count: Int { number.load(ordering: .sequentiallyConsistent) }

        func add() { number.add(1, ordering: .sequentiallyConsistent) }
    }

    // MARK: The server

    @Test func nothingIsRequestedBeforeAPageHasBeenUsed() async throws {
        try await Self.serving(100) { client, requests in
            var pages: [[String]] = []
            try await client.readStatuses(of: .public, count: 90) { page in
                pages.append(page.map(\.status.id))
                #expect(requests.count == pages.count)
                return true
            }
            #expect(pages.map(\.count) == [40, 40, 10])
            let expected = (11...100).reversed().map { String($0) }
            #expect(pages.flatMap { $0 } == expected)
        }
    }

    @Test func readingEndsWhenNobodyWantsMore() async throws {
        try await Self.serving(100) { client, requests in
            let store = try StoreFixture().open()
            try await OfflineSync(store, with: client).readStatuses(of: .public, count: 90) { _ in requests.count < 2 }
            #expect(requests.count == 2)
            let stored = try await store.contents() ?? []
            let expected = (22...100).reversed().map { String($0) } + ["21|"]
            #expect(stored == expected)
        }
    }

    /// A page that links to itself or to newer statuses would be read without end.
    @Test(arguments: ["max_id=9", "max_id=7", "max_id=6", "max_id=4"])
    func pageThatLinksBackwardsEndsTheReading(query: String) async throws {
        let requests = Requests()
        let ids = try await LocalServer.serving({ request in
            requests.add()
            var headers = HTTPFields()
            let isFirst = request.uri.queryParameters["max_id"] == nil
            let next = isFirst ? "max_id=4" : query
            headers[try #require(HTTPField.Name("Link"))] = "<http://127.0.0.1/x?\(next)>; rel=next"
            let page = isFirst ? [6, 5, 4] : [3, 2]
            return MediaServer.json(
                "[\(page.map { MediaServer.status("\($0)") }.joined(separator: ","))]", .ok, headers)
        }) { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            let ids = try await client.statuses(of: .public, count: 1000).map(\.status.id)
            await client.shutdown()
            return ids
        }
        #expect(ids == ["6", "5", "4", "3", "2"] && requests.count == 2)
    }

    /// The first page, too, which has no cursor to compare with.
    @Test func repeatedPageIsNotReturned() async throws {
        let requests = Requests()
        let ids = try await LocalServer.serving({ _ in
            requests.add()
            let headers: HTTPFields = [try #require(HTTPField.Name("Link")): "<http://127.0.0.1/x?max_id=9>; rel=next"]
            return MediaServer.json("[\(MediaServer.status("6")),\(MediaServer.status("5"))]", .ok, headers)
        }) { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            let ids = try await client.statuses(of: .public, count: 1000).map(\.status.id)
            await client.shutdown()
            return ids
        }
        #expect(ids == ["6", "5"] && requests.count == 2)
    }

    /// On Mastodon, the cursor is the id of the membership, not of the account.
    @Test func membersOfListsAreReadAfterTheCursorOfTheLink() async throws {
        let ids = try await LocalServer.serving({ request in
            let cursor = request.uri.queryParameters["max_id"]
            let (id, next) = cursor == nil ? ("500", "30") : cursor == "30" ? ("900", "20") : ("700", "20")
            let link = "<http://127.0.0.1/x?max_id=\(next)>; rel=next"
            let headers: HTTPFields = [try #require(HTTPField.Name("Link")): link]
            return MediaServer.json(#"[{"id":"\#(id)","username":"a","acct":"a"}]"#, .ok, headers)
        }) { port in
            let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            var ids: [String] = []
            try await client.readMembers(ofList: "7") { page in
                ids += page.map(\.id)
                return true
            }
            await client.shutdown()
            return ids
        }
        #expect(ids == ["500", "900", "700"])
    }

    @Test func cursorsMustDescend() {
        var cursors = PageCursors("100")
        let steps: [(String, Bool)] = [
            ("99", true), ("99", false), ("100", false), ("98", true), ("9", true), ("10", false), ("é ", true),
            ("é ", false),
            ("8", true),
        ]
        for (cursor, isOlder) in steps { #expect(cursors.advance(to: cursor) == isOlder, "\(cursor)") }
    }

    // MARK: The store

    @Test func fewStatusesWaitToBeStored() async throws {
        try await Self.serving(5000) { client, _ in
            let fixture = try StoreFixture()
            let store = try fixture.open()
            var read = 0
            try await OfflineSync(store, with: client).readStatuses(of: .public, count: 5000) { page in
                read += page.count
                let stored = try fixture.statuses()
                #expect(read - stored < TimelineBatch.maximumStatuses + page.count, "\(stored) of \(read)")
                return true
            }
            #expect(read == 5000)
            #expect(try await store.contents()?.count == 5000)
        }
    }

    @Test(arguments: [TimelineName.public, .favourites])
    func pageIsStoredBeforeItIsUsed(_ name: TimelineName) async throws {
        try await Self.serving(100) { client, _ in
            let fixture = try StoreFixture()
            let store = try fixture.open()
            var read = 0
            try await OfflineSync(store, with: client).readStatuses(of: name, count: 200, storesEachPage: true) {
                page in
                read += page.count
                let stored = try fixture.statuses()
                #expect(stored == read)
                return true
            }
            let expected = (1...100).reversed().map { String($0) }
            #expect(try await store.contents(name) == expected)
        }
    }

    /// The oldest statuses are the first to be removed, although they were the last to be fetched.
    @Test func statusesReadTogetherAreEquallyOld() async throws {
        try await Self.serving(200) { client, requests in
            let store = try StoreFixture().open { $0.statuses = 60 }
            let sync = OfflineSync(store, with: client, now: { Int64(requests.count) + 1 })
            try await sync.readStatuses(of: .public, count: 120, storesEachPage: true) { _ in true }
            let expected = (142...200).reversed().map { String($0) } + ["141|"]
            #expect(try await store.contents() == expected)
        }
    }

    /// The timeline itself is replaced only when all pages have been read.
    @Test func incompleteFavouritesLeaveNothingBehind() async throws {
        try await Self.serving(500, failingBelow: 40) { client, _ in
            let fixture = try StoreFixture()
            let store = try fixture.open()
            try await store.save(try StoreFixture.segment([500, 7]), of: .favourites, now: 1)
            let sync = OfflineSync(store, with: client)
            await #expect(throws: FeedClientError.self) {
                try await sync.readStatuses(of: .favourites, count: 500, storesEachPage: true) { _ in
                    let stored = try await store.contents(.favourites)
                    #expect(stored == ["500", "7"])
                    return true
                }
            }
            #expect(try await store.contents(.favourites) == ["500", "7"])
            #expect(try fixture.statuses() == 2)
        }
    }

    @Test(arguments: [true, false]) func storedTimelineIsReadInParts(countsRepetitions: Bool) async throws {
        let store = try StoreFixture().open()
        for name in [TimelineName.public, .favourites] {
            let ids = Array((1...1000).reversed())
            try await store.save(try StoreFixture.segment(ids, next: 1), of: name, now: 1)
            var parts: [StoredTimeline] = []
            for try await part in store.parts(of: name, count: 900, countsRepetitions: countsRepetitions) {
                parts.append(part)
            }
            #expect(parts.map(\.entries.count) == [400, 400, 100])
            #expect(parts.flatMap(\.entries).map(\.entry.status.id) == ids.prefix(900).map(String.init))
            #expect(parts.allSatisfy { !$0.startsWithGap && $0.syncedAt == 1 && !$0.entries.contains(where: \.hasGap) })
        }
        for try await part in store.parts(of: .home, count: 900) { Issue.record("\(part)") }
    }

    /// A damaged row is left out, but not its gap, also if that is above the next part.
    @Test func gapBetweenPartsIsTold() async throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        let ids = Array((1...500).reversed())
        try await store.save(try StoreFixture.segment(ids), of: .public, now: 1)
        try fixture.access { db in
            try db.execute(sql: "UPDATE status SET json = x'ff' WHERE key = '03100'")
            try db.execute(sql: "UPDATE entry SET has_gap = 1 WHERE key = '03100'")
        }
        var parts: [StoredTimeline] = []
        for try await part in store.parts(of: .public, count: 500) { parts.append(part) }
        #expect(parts.map(\.startsWithGap) == [false, true] && parts.map(\.entries.count) == [400, 99])
    }
}

extension StoreFixture {
    /// The number of stored statuses of all timelines.
    fileprivate func statuses() throws -> Int {
        try access { try Int.fetchOne($0, sql: "SELECT count(*) FROM status") ?? 0 }
    }
}
