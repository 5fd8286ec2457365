import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import FeedStore

@Suite(.timeLimit(.minutes(5)))
struct HomeTests {
    /// The clever query against the plain one, for every viewer and every kind of page.
    @Test func itIsWhatAPlainQueryGives() async throws {
        let store = try TestStore()
        var accounts: [Account] = []
        for index in 0..<12 { accounts.append(try await store.account("user\(index)")) }
        var random = SystemRandomNumberGenerator()
        let follows = FollowStore(store.database)
        for follower in accounts {
            for followee in accounts.shuffled(using: &random).prefix(Int.random(in: 0...6))
            where followee.id != follower.id {
                try await follows.follow(followee.id, by: follower.id)
            }
        }
        for index in 0..<300 {
            // Few write most, so that some followed accounts are silent for long.
            let author = accounts[min(Int.random(in: 0..<12), Int.random(in: 0..<12))]
            let visibility = Visibility.allCases.randomElement() ?? .everyone
            let words = visibility == .direct ? "@user\(Int.random(in: 0..<12)) direct" : "post"
            try await store.post("\(words) \(index)", by: author, visibility)
        }
        for viewer in accounts {
            let expected = try await Self.plain(store, viewer.id)
            for limit in [1, 7, 40] { try await Self.check(store, viewer.id, expected, limit) }
        }
    }

    private static func check(_ store: TestStore, _ viewer: Int64, _ expected: [Int64], _ limit: Int) async throws {
        func read(_ page: Page) async throws -> [Int64] {
            try await store.statuses.timeline(.home(viewer), page: page, for: viewer).map(\.id)
        }
        #expect(try await read(Page(limit: limit)) == Array(expected.prefix(limit)))
        for cut in stride(from: 0, to: expected.count, by: 5) {
            #expect(
                try await read(Page(limit: limit, maxID: expected[cut])) == Array(expected[(cut + 1)...].prefix(limit)))
            #expect(try await read(Page(limit: limit, sinceID: expected[cut])) == Array(expected[..<cut].prefix(limit)))
            #expect(try await read(Page(limit: limit, minID: expected[cut])) == Array(expected[..<cut].suffix(limit)))
        }
    }

    private static func plain(_ store: TestStore, _ viewer: Int64) async throws -> [Int64] {
        try await store.database.read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT s.id FROM status s
                    WHERE (s.account_id = :me OR s.account_id IN (SELECT followee_id FROM follow WHERE follower_id = :me))
                    AND (s.visibility <= 2 OR s.account_id = :me
                        OR EXISTS (SELECT 1 FROM mention WHERE account_id = :me AND status_id = s.id))
                    ORDER BY s.id DESC
                    """, arguments: ["me": viewer])
        }
    }

    @Test func aDeletedStatusIsGoneEverywhere() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let bob = try await store.account("bob")
        let first = try await store.post("@bob #tag", by: ada)
        let reply = try await store.post("@ada", by: bob, replyTo: first.id)
        #expect(try await store.statuses.delete(id: first.id, by: bob.id) == nil)
        #expect(try await store.statuses.delete(id: first.id, by: ada.id)?.text == "@bob #tag")
        #expect(try await store.statuses.delete(id: first.id, by: ada.id) == nil)
        #expect(try await store.statuses.status(id: reply.id, for: nil)?.inReplyToID == nil)
        #expect(try await store.accounts.account(id: ada.id)?.statusesCount == 0)
        let left = try await store.database.read {
            try Int.fetchOne(
                $0,
                sql: "SELECT (SELECT count(*) FROM mention WHERE status_id = ?) + (SELECT count(*) FROM status_tag)",
                arguments: [first.id])
        }
        #expect(left == 0)
    }

    /// Also for somebody who follows one silent account: the cost of a page is bounded.
    @Test(.enabled(if: SharedData.path("statuses.ndjson") != nil, "the shared data set is not here"))
    func everyPageIsCheap() async throws {
        let path = try #require(SharedData.path("statuses.ndjson"))
        let store = try TestStore()
        store.clock.now = 1_750_000_000_000
        try await store.importLines(try String(contentsOfFile: path, encoding: .utf8))
        let lonely = try await store.account("lonely")
        let silent = try await store.account("silent")
        try await FollowStore(store.database).follow(silent.id, by: lonely.id)
        let viewers = [lonely] + (try await store.accounts.list())
        for viewer in viewers {
            for timeline in [Timeline.home(viewer.id), .everyone, .account(viewer.id)] {
                let steps = try await Self.steps(store, timeline, viewer.id)
                #expect(steps < 20_000, "\(timeline) of \(viewer.username): \(steps)")
            }
        }
    }

    /// SQLite VM steps of one page.
    private static func steps(_ store: TestStore, _ timeline: Timeline, _ viewer: Int64) async throws -> Int {
        try await store.database.read { db in
            let counter = StepCounter()
            sqlite3_progress_handler(
                db.sqliteConnection, 100,
                { context in
                    context.map { Unmanaged<StepCounter>.fromOpaque($0).takeUnretainedValue().hundreds += 1 }
                    return 0
                }, Unmanaged.passUnretained(counter).toOpaque())
            defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
            _ = try StatusStore.timeline(timeline, page: Page(limit: 20), for: viewer, now: 1_750_000_000_000, in: db)
            return counter.hundreds * 100
        }
    }

    private final class StepCounter { var hundreds = 0 }
}
