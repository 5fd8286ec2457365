import FeedAPI
import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

/// The index of statuses that were stored without it, and what remains in it.
@Suite(.hangLimit)
struct SearchIndexingTests {
    private static let query = ResolvedSearch(words: "zebra").limited(to: 1000)

    /// A store whose statuses are not indexed, as after the migration of an older one.
    private static func upgraded(_ count: Int) async throws -> (store: TestStore, author: Account, ids: [Int64]) {
        let store = try TestStore()
        let author = try await store.account("author")
        var ids: [Int64] = []
        for number in 0..<count {
            store.clock.now += 1000
            ids.insert(try await store.post("zebra \(number)", by: author).id, at: 0)
        }
        try await store.database.commits.write { try SearchIndexing.restart(in: $0) }
        return (store, author, ids)
    }

    @Test func interruptedBuildContinues() async throws {
        let (store, author, ids) = try await Self.upgraded(100)
        var found = try await store.search.statuses(Self.query, viewer: author.id)
        #expect(found.statuses.isEmpty && found.isIncomplete)
        #expect(try await SearchIndexing(store.database).progress() == 0)
        #expect(try await SearchIndexing(store.database, page: 30, batch: 7).step())
        #expect(try await store.found(Self.query, by: author) == Array(ids.prefix(30)))
        let progress = try #require(try await SearchIndexing(store.database).progress())
        #expect((25...35).contains(progress))
        // Changes of what is indexed, and of what is not.
        let new = try await store.post("zebra", by: author).id
        for place in [10, 90] { _ = try await store.statuses.delete(id: ids[place], by: author.id) }
        for place in [20, 80] { try await Self.edit(ids[place], store, author) }
        var expected = [new] + ids
        expected.removeAll { [10, 20, 80, 90].map { ids[$0] }.contains($0) }
        try await SearchIndexing(store.database, page: 30, batch: 7).run()
        found = try await store.search.statuses(Self.query, viewer: author.id)
        #expect(found.statuses.map(\.id) == expected && !found.isIncomplete)
        #expect(try await store.found("heron", by: author) == [ids[20], ids[80]])
        #expect(try await SearchIndexing(store.database).progress() == nil)
    }

    private static func edit(_ id: Int64, _ store: TestStore, _ author: Account) async throws {
        let posting = StatusPosting(accounts: store.accounts, statuses: store.statuses, limits: Limits())
        _ = try await posting.edit(id, to: StatusDraft(text: "heron"), by: author)
    }

    /// A request during a build, as by an import, is not lost.
    @Test func anotherRequestStartsOver() async throws {
        let (store, author, ids) = try await Self.upgraded(20)
        #expect(try await SearchIndexing(store.database, page: 10).step())
        try await store.database.commits.write { db in
            try StatusIndex.remove([ids[0]], in: db)
            try SearchIndexing.request(in: db)
        }
        try await SearchIndexing(store.database, page: 10).run()
        #expect(try await store.found(Self.query, by: author) == ids)
    }

    /// A build may begin and end between the transactions of a search.
    @Test func searchDuringABuildIsIncomplete() async throws {
        let store = try TestStore()
        try await store.post("zebra", by: try await store.account("author"))
        var search = try await store.database.read { db in
            try StatusSearch(Self.query, viewer: nil, now: 0, in: db).continued(in: db)
        }
        #expect(!search.isIncomplete)
        try await store.database.commits.write { try SearchIndexing.request(in: $0) }
        search = try await store.database.read { [search] in try search.continued(in: $0) }
        try await SearchIndexing(store.database).run()
        search = try await store.database.read { [search] in try search.continued(in: $0) }
        #expect(search.isIncomplete)
    }

    /// Feeds of former versions have no setting until their first build ends, and many never had a build.
    @Test(arguments: [("0", nil), (nil, nil), (nil, "1")] as [(String?, String?)])
    func tokensOfAnotherVersionAreRenewed(version: String?, mark: String?) async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let ids = [try await store.post("zebra", by: author).id, try await store.post("heron", by: author).id]
        try await store.database.commits.write { db in
            try db.execute("UPDATE status_search SET version = 0")
            let status = try #require(try StatusStore.find(db, id: ids[0], for: author.id))
            var older = status
            older.text = "former zebras"
            try StatusIndex.put(older, in: db)
            try db.execute("UPDATE status_search SET version = 0")
            if let version { try FeedDatabase.setMeta(SearchIndexing.version, version, in: db) }
            if let mark { try FeedDatabase.setMeta(SearchIndexing.mark, mark, in: db) }
        }
        #expect(try await store.found("former", by: author) == [ids[0]])
        try await SearchIndexing(store.database).run()
        #expect(try await store.found("former", by: author).isEmpty)
        #expect(try await store.found("zebra", by: author) == [ids[0]])
        let versions = try await store.database.read {
            try $0.fetchAll("SELECT DISTINCT version FROM status_search", as: Int.self)
        }
        #expect(versions == [SearchTokenizer.version])
        #expect(try await store.database.meta(SearchIndexing.version) == String(SearchTokenizer.version))
    }

    @Test func versionOfTheTokensIsStoredInANewFeed() async throws {
        let store = try TestStore()
        try await SearchIndexing(store.database).run()
        #expect(try await store.database.meta(SearchIndexing.version) == String(SearchTokenizer.version))
        #expect(try await SearchIndexing(store.database).progress() == nil)
    }

    @Test func importedStatusesAreFoundOnceTheyArePublished() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let lines = """
            {"kind":"status","n":1,"author":"ada","created_at":"2020-01-01T00:00:00Z","text":"zebra"}
            {"kind":"status","author":"ada","created_at":"2020-01-02T00:00:00Z","text":"@ada zebra","in_reply_to":1}
            """
        let session = try await ImportSession.begin(in: store.database)
        try await session.add(try TestStore.records(lines))
        try await SearchIndexing(store.database).run()
        #expect(try await store.indexed() == [])
        _ = try await session.publish()
        #expect(try await store.search.statuses(Self.query, viewer: ada.id).isIncomplete)
        try await SearchIndexing(store.database).run()
        #expect(try await store.found(Self.query, by: ada).count == 2)
        var replies = Self.query
        replies.facts = [.is(.reply)]
        #expect(try await store.found(replies, by: ada).count == 1)
    }

    /// There are more of them between two others than have room there, and the build comes to them in several pages.
    @Test func statusesOfAnImportAreFoundBetweenOlderAndNewerOnes() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        var ids: [Int64] = []
        for _ in 0..<30 {
            ids.append(try await store.post("zebra", by: ada).id)
            store.clock.now += 60_000
        }
        let start = store.clock.now - 15 * 60_000 - 30_000
        let lines = (0..<100).map { number in
            let time = ISO8601.text(milliseconds: start + Int64(number) * 100)
            return #"{"kind":"status","author":"ada","created_at":"\#(time)","text":"zebra heron"}"#
        }
        let session = try await ImportSession.begin(in: store.database)
        try await session.add(try TestStore.records(lines.joined(separator: "\n")))
        _ = try await session.publish()
        try await SearchIndexing(store.database, page: 20, batch: 7).run()
        let found = try await store.found(Self.query, by: ada)
        #expect(found.count == 130 && found == found.sorted(by: >) && Set(ids).isSubset(of: found))
        #expect(try await store.found(ResolvedSearch(words: "heron").limited(to: 1000), by: ada).count == 100)
        let page = try await store.found(Self.query.limited(to: 5, below: ids[20]), by: ada)
        #expect(page == Array(found.drop { $0 >= ids[20] }.prefix(5)))
        #expect(try await !store.search.statuses(Self.query, viewer: ada.id).isIncomplete)
    }

    @Test func copiesAndRestoredFeedsBuildTheirOwnIndex() async throws {
        let (store, target) = (try TestStore(), try TestStore())
        let author = try await store.account("author")
        let id = try await store.post("zebra", by: author).id
        try await SearchIndexing(store.database).merge()
        _ = try await DatabaseCopy(from: store.database, to: target.database).run { _, _ in }
        #expect(try await target.database.meta("search_recent") == nil)
        #expect(try await target.search.statuses(Self.query, viewer: author.id).isIncomplete)
        try await SearchIndexing(target.database).run()
        #expect(try await target.found(Self.query, by: author) == [id])
        try await target.database.finishRestoring("restore")
        #expect(try await target.indexed() == [])
        try await SearchIndexing(target.database).run()
        #expect(try await target.found(Self.query, by: author) == [id])
    }

    @Test func checkRepairsTheIndex() async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        let (one, two) = (try await store.post("zebra", by: author), try await store.post("zebra", by: author))
        try await store.database.commits.write { db in
            try StatusIndex.remove([one.id], in: db)
            var other = two
            other.id += 1
            try StatusIndex.put(other, in: db)
        }
        let check = SearchCheck(database: store.database)
        #expect(try await check.findings(in: store.database, isRepairing: false).count == 2)
        #expect(try await check.findings(in: store.database, isRepairing: true).allSatisfy(\.isRepaired))
        #expect(try await check.findings(in: store.database, isRepairing: false).isEmpty)
        #expect(try await store.indexed() == [two.id, one.id])
        #expect(try await store.found("zebra", by: author) == [two.id, one.id])
    }
}

/// Tests that only apply to SQLite files.
@Suite(.hangLimit, .onSQLite)
struct SearchFileTests {
    private static func path(_ store: TestStore) -> String { store.folder.path + "/data/" + SQLiteDatabase.fileName }

    /// The folder of a feed with the schema of a former version.
    private static func folder(upTo version: String, rows: String) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder.path + "/data/" + SQLiteDatabase.fileName)
        try SQLiteMigrations.run(on: pool, upTo: version)
        try await pool.write { try $0.execute(sql: rows) }
        try pool.close()
        return folder
    }

    @Test func migrationRequestsABuild() async throws {
        let folder = try await Self.folder(
            upTo: "26",
            rows: """
                INSERT INTO account (id, username, username_key, created_at, privacy) VALUES (1, 'ada', 'ada', 1, 1);
                INSERT INTO account (id, username, username_key, created_at) VALUES (2, 'bob', 'bob', 1);
                INSERT INTO status (id, account_id, created_at, visibility, text, content)
                    VALUES (65536, 1, 1, 0, 'zebra', '<p>zebra</p>'), (131072, 2, 2, 0, 'zebra', '<p>zebra</p>');
                """)
        let store = try TestStore(folder: folder)
        let found = try await store.search.statuses(ResolvedSearch(words: "zebra"), viewer: nil)
        #expect(found.statuses.isEmpty && found.isIncomplete)
        try await SearchIndexing(store.database).run()
        // Accounts of older versions are indexable only if they said so.
        #expect(try await store.found("zebra", by: nil) == [65536])
    }

    /// The index of former versions has ids instead of numbers.
    @Test func indexOfAFormerVersionIsReplaced() async throws {
        let folder = try await Self.folder(
            upTo: "30",
            rows: """
                INSERT INTO account (id, username, username_key, created_at, privacy) VALUES (1, 'ada', 'ada', 1, 1);
                INSERT INTO status (id, account_id, created_at, visibility, text, content)
                    VALUES (65536, 1, 1, 0, 'zebra', '<p>zebra</p>');
                INSERT INTO status_search VALUES (65536, 0, 'zebra zqxjkv', 'f1', \(SearchTokenizer.version));
                INSERT INTO status_fts (rowid, words, facts) VALUES (65536, 'zebra zqxjkv', 'f1');
                INSERT INTO meta VALUES ('search_version', '\(SearchTokenizer.version)');
                """)
        let backup = try DatabaseBackup(path: folder.path + "/data/" + SQLiteDatabase.fileName)
        try await backup.requireOwn()
        backup.close()
        let store = try TestStore(folder: folder)
        #expect(try await store.search.statuses(ResolvedSearch(words: "zebra"), viewer: nil).isIncomplete)
        try await SearchIndexing(store.database).run()
        #expect(try await store.found("zebra", by: nil) == [65536])
        #expect(try await store.found("zqxjkv", by: nil) == [])
        try store.database.close()
        #expect(try Data(contentsOf: URL(filePath: Self.path(store))).range(of: Data("zqxjkv".utf8)) == nil)
    }

    @Test func deletedWordsAreGoneFromTheFile() async throws {
        let store = try TestStore()
        let author = try await store.account("author")
        for number in 0..<500 {
            let status = try await store.post("zqxjkv\(number) and \(number % 7) others", by: author)
            if number % 3 > 0 { _ = try await store.statuses.delete(id: status.id, by: author.id) }
            if number % 3 == 0 { try await store.edit(status, to: "others", by: author) }
        }
        // Former versions keep their words.
        try await store.database.commits.write { try $0.execute("DELETE FROM status_edit") }
        try await SearchIndexing(store.database).merge()
        try store.database.close()
        let file = try Data(contentsOf: URL(filePath: Self.path(store)))
        #expect(file.range(of: Data("others".utf8)) != nil)
        #expect(file.range(of: Data("zqxjkv".utf8)) == nil)
    }

    @Test func mergesAreDueOnceADay() async throws {
        let store = try TestStore()
        let build = SearchIndexing(store.database)
        try await build.mergeIfDue()
        let first = try await store.database.meta(SearchIndexing.merged)
        #expect(first == String(store.clock.now))
        store.clock.now += 3_600_000
        try await build.mergeIfDue()
        #expect(try await store.database.meta(SearchIndexing.merged) == first)
        store.clock.now += 23 * 3_600_000
        try await build.mergeIfDue()
        #expect(try await store.database.meta(SearchIndexing.merged) == String(store.clock.now))
    }

    /// Only the full-text indexes are known virtual tables.
    @Test func backupsMayContainOnlyOurIndexes() async throws {
        let store = try TestStore()
        try await store.post("zebra", by: try await store.account("author"))
        let path = store.folder.path + "/copy"
        try await store.database.backUp(to: path) { _, _ in }
        try await DatabaseBackup(path: path).requireOwn()
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "CREATE VIRTUAL TABLE other USING fts5(words)") }
        try queue.close()
        await #expect(throws: FeedError.self) { try await DatabaseBackup(path: path).requireOwn() }
    }
}
