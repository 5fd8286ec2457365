import FeedCore
import FeedFolders
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

@Suite(.hangLimit)
struct DatabaseCheckTests {
    private static func values(_ store: TestStore, isRepairing: Bool = false) async throws -> [CheckFinding] {
        let snapshot = try store.database.snapshot()
        defer { snapshot.close() }
        return try await DatabaseCheck(store.database).values(in: snapshot, isRepairing: isRepairing) { _, _ in }
    }

    /// A feed with something to count in every column.
    private static func live() async throws -> TestStore {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        _ = try await store.follows.follow(bob.id, by: ada.id, FollowUpdate())
        let root = try await store.post("@bob a #question", by: ada)
        for visibility in Visibility.allCases {
            try await store.post("@ada an answer", by: bob, visibility, replyTo: root.id)
        }
        _ = try await store.boosts.boost(root.id, visibility: nil, by: bob.id)
        _ = try await store.statuses.set(.favourite, true, on: root.id, by: bob.id)
        let draft = PollDraft(options: ["a", "b", "c"], seconds: 300, isMultiple: true)
        let poll = try await store.post("a poll", by: ada, poll: draft)
        _ = try await store.polls.vote([0, 2], in: poll.id, by: bob.id)
        return store
    }

    @Test func healthyFeedHasNoFindings() async throws {
        let store = try await Self.live()
        #expect(try await Self.values(store) == [])
        #expect(try await DatabaseCheck(store.database).structure(isRepairing: true) == [])
        // Also during an unfinished import, whose rows do not count yet.
        let session = try await ImportSession.begin(in: store.database)
        let lines = """
            {"kind":"account","username":"cleo"}
            {"kind":"follow","from":"cleo","to":"ada"}
            {"kind":"status","n":1,"author":"ada","created_at":"2023-01-01T00:00:00Z","text":"t"}
            {"kind":"status","n":2,"author":"cleo","created_at":"2023-01-02T00:00:00Z","text":"t","in_reply_to":1}
            """
        try await session.add(try TestStore.records(lines))
        #expect(try await Self.values(store) == [])
        _ = try await session.publish()
        #expect(try await Self.values(store) == [])
    }

    @Test func demoHasNoFindings() async throws {
        let store = try TestStore()
        try await store.importDemo()
        #expect(try await Self.values(store) == [])
    }

    @Test(arguments: [
        ("account", "statuses_count"), ("account", "followers_count"), ("account", "following_count"),
        ("status", "replies_count"), ("status", "reblogs_count"), ("status", "favourites_count"),
        ("mention", "author_id"), ("mention", "visibility"), ("status_tag", "account_id"), ("status_tag", "visibility"),
        ("poll", "voters_count"), ("poll_option", "votes_count"), ("notification_group", "count"),
        ("notification_group", "newest_id"), ("tag_day", "uses"), ("tag_day", "accounts"),
    ])
    func wrongValueIsFoundAndRepaired(table: String, column: String) async throws {
        let store = try await Self.live()
        let before = try await Self.sum(table, column, store)
        try await store.database.commits.write { db in
            try db.execute("UPDATE \(sql: table) SET \(sql: column) = \(sql: column) + 3")
        }
        let sequence = store.database.log.sequence
        let found = try await Self.values(store)
        #expect(found.count == 1 && found.first?.text.contains(table) == true && found.first?.isRepaired == false)
        #expect(try await Self.values(store, isRepairing: true).map(\.isRepaired) == [true])
        #expect(try await Self.values(store) == [])
        #expect(try await Self.sum(table, column, store) == before)
        #expect(store.database.log.sequence > sequence)
    }

    /// An attachment that is gone, and one that belongs to another status.
    @Test func missingMediaIsFoundAndForgotten() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        var statuses: [Status] = []
        for seed in [1, 4, 7] as [UInt8] {
            var media: [StoredMedia] = []
            for number in seed..<seed + 3 { media.append(try await store.image(number, by: ada)) }
            statuses.append(try await store.post("three", by: ada, media: media))
        }
        #expect(try await Self.values(store) == [])
        let (gone, foreign) = (statuses[0].media[1].id, statuses[2].media[0].id)
        let other = statuses[1].id
        try await store.database.commits.write { db in
            try db.execute("DELETE FROM media WHERE id = \(gone)")
            try db.execute("UPDATE media SET status_id = \(other) WHERE id = \(foreign)")
        }
        let found = try await Self.values(store)
        #expect(
            found.map(\.text) == ["2 statuses name media that is missing (id \(statuses[0].id), \(statuses[2].id))"])
        #expect(found.map(\.isRepaired) == [false])
        #expect(try await Self.values(store, isRepairing: true).map(\.isRepaired) == [true])
        #expect(try await Self.values(store) == [])
        let left = try await store.timelines.timeline(.account(ada.id), page: Pagination(limit: 5), for: nil).entries
        #expect(left.map(\.media.count) == [2, 3, 2])
    }

    private static func sum(_ table: String, _ column: String, _ store: TestStore) async throws -> Int64? {
        try await store.database.read { db in
            try db.fetchOne("SELECT CAST(sum(\(sql: column)) AS BIGINT) FROM \(sql: table)", as: Int64.self)
        }
    }

    @Test(.onSQLite, .onOwnThread) func damagedIndexIsRebuilt() async throws {
        let folder = try TemporaryFolder()
        let store = try TestStore(folder: folder)
        let ada = try await store.account("ada")
        try await store.post("before", by: ada)
        try store.database.close()
        try Self.damageIndex("status_account", in: folder)
        let damaged = try FeedDatabase(folder: folder.path + "/data", clock: store.clock.clock, version: "test")
        let check = DatabaseCheck(damaged)
        let found = try await check.structure(isRepairing: false)
        #expect(found.count == 1 && found.first?.text.contains("status_account") == true, "\(found)")
        // A running server must not use an index that is being rebuilt.
        let server = try DataFolderLock(folder: Folder(folder.path + "/data"))
        await #expect(throws: FeedError.self) { try await check.structure(isRepairing: true) }
        server.release()
        #expect(try await check.structure(isRepairing: true).map(\.isRepaired) == [true])
        #expect(try await check.structure(isRepairing: false) == [])
        try damaged.close()
    }

    /// Changes a row while the index is hidden from SQLite.
    private static func damageIndex(_ name: String, in folder: TemporaryFolder) throws {
        let path = folder.path + "/data/" + SQLiteDatabase.fileName
        func edit(_ body: (GRDB.Database) throws -> Void) throws {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA writable_schema = ON")
                try body(db)
                let version = try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
                try db.execute(sql: "PRAGMA schema_version = \(version + 1)")
            }
            try queue.close()
        }
        try edit { try $0.execute(sql: "CREATE TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = '\(name)'") }
        try edit { try $0.execute(sql: "DELETE FROM sqlite_schema WHERE name = '\(name)'") }
        try edit { db in
            try db.execute(
                sql: """
                    INSERT INTO status (id, account_id, created_at, visibility, text, content)
                    SELECT 7, id, 1, 3, 'hidden', 'hidden' FROM account;
                    INSERT INTO sqlite_schema SELECT * FROM hidden;
                    """)
        }
        try edit { try $0.execute(sql: "DROP TABLE hidden") }
    }

    @Test(.onSQLite) func damagedPagesAreNotRepaired() async throws {
        let store = try await Self.live()
        let queue = try DatabaseQueue(path: store.folder.path + "/data/feed.sqlite")
        try await queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try db.execute(sql: "UPDATE status SET visibility = 9 WHERE text LIKE '%question%'")
        }
        try queue.close()
        let found = try await DatabaseCheck(store.database).structure(isRepairing: true)
        #expect(
            found.count == 1 && found.first?.isRepaired == false && found.first?.remedy == CheckFinding.restore,
            "\(found)")
    }

    @Test(.onSQLite) func missingRowIsFound() async throws {
        let store = try await Self.live()
        let pool = try #require(store.database.sqlite).pool
        try await pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.execute(sql: "DELETE FROM account WHERE username = 'bob'")
            try db.execute(sql: "PRAGMA foreign_keys = ON")
        }
        let found = try await DatabaseCheck(store.database).structure(isRepairing: false)
        #expect(found.contains { $0.text.contains("rows of status refer to missing rows of account") }, "\(found)")
    }

    /// The status is lost, so its participants cannot be found again.
    @Test(.onSQLite) func missingStatusOfAConversationIsFound() async throws {
        let store = try await Self.live()
        let pool = try #require(store.database.sqlite).pool
        try await pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.execute(sql: "DELETE FROM status WHERE visibility = 3")
            try db.execute(sql: "PRAGMA foreign_keys = ON")
        }
        let found = try await DatabaseCheck(store.database).structure(isRepairing: true)
        for table in ["conversation_status", "conversation"] {
            let text = "2 rows of \(table) refer to missing rows of status"
            #expect(found.contains(CheckFinding(text, remedy: CheckFinding.restore)), "\(found)")
        }
        // The search index can be corrected.
        #expect(try await Self.values(store, isRepairing: true).map(\.isRepaired) == [true])
        #expect(try await Self.values(store) == [])
    }

    @Test func vacuumKeepsTheFeed() async throws {
        let store = try await Self.live()
        try await store.database.vacuum()
        #expect(try await store.accounts.list().count == 2)
        #expect(try await store.database.bytes() > 0)
    }

    @Test(.onSQLite) func vacuumReturnsSpace() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await store.database.commits.write { db in
            for number in 0..<3000 {
                var new = NewAccount(username: "user\(number)")
                new.note = String(repeating: "x", count: 2000)
                _ = try AccountStore.insert(new, createdAt: 1, importID: 0, into: db)
            }
        }
        try await store.database.commits.write { try $0.execute("DELETE FROM account WHERE username <> 'ada'") }
        let before = try await store.database.bytes()
        try await store.database.vacuum()
        #expect(try await store.database.bytes() < before - (4 << 20))
        #expect(try await store.accounts.account(id: ada.id) != nil)
    }

    @Test(.onSQLite, .onOwnThread) func vacuumIsRefusedWhileAServerRuns() async throws {
        let store = try TestStore()
        let server = try DataFolderLock(folder: Folder(store.folder.path + "/data"))
        let error = await #expect(throws: FeedError.self) { try await store.database.vacuum() }
        #expect(error?.kind == .conflict && error?.hint?.contains("Stop") == true)
        server.release()
        try await store.database.vacuum()
    }

    @Test func snapshotDoesNotChange() async throws {
        let store = try await Self.live()
        let snapshot = try store.database.snapshot()
        defer { snapshot.close() }
        let count: @Sendable (FeedStore.Database) throws -> Int? = {
            try $0.fetchOne("SELECT count(*) FROM account", as: Int.self)
        }
        let before = try await snapshot.read(count)
        _ = try await store.account("cleo")
        #expect(try await snapshot.read(count) == before)
        #expect(try await store.database.read(count) == 3)
    }
}
