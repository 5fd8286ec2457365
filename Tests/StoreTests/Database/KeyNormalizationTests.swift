import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

/// Keys of hashtags and display names as older versions stored them.
@Suite(.hangLimit)
struct KeyNormalizationTests {
    private static let page = Pagination(limit: 40)

    private static func texts(_ timeline: Timeline, _ viewer: Account, _ store: TestStore) async throws -> [String] {
        try await store.timelines.timeline(timeline, page: page, for: viewer.id).entries.map(\.text)
    }

    /// Replaces the keys of everything that contains `tag` by those of an older version.
    private static func makeOld(_ store: TestStore, _ old: [Int64: String], by author: Account) async throws {
        let day = TagUse.day(at: store.clock.now)
        let changes = old.map { id, tag -> FeedStore.SQL in
            "UPDATE status_tag SET tag = \(tag) WHERE status_id = \(id) AND tag = \(Hashtag.key(tag))"
        }
        try await store.database.commits.write { db in
            for change in changes { try db.execute(change) }
            // No set: two forms of a tag are equal strings.
            for tag in Array(old.values) + old.values.map({ Hashtag.key($0) }) {
                try db.recount(TagDay(tag: tag, day: day))
            }
            try db.execute("UPDATE tag_follow SET tag = \("caffè") WHERE tag = \("caffe")")
            try db.execute("UPDATE featured_tag SET tag = \("caffè") WHERE tag = \("caffe")")
            try db.execute("UPDATE account_name SET ending = \("élan") WHERE ending = \("elan")")
            try FeedDatabase.setMeta(KeyNormalization.mark, "", in: db)
        }
    }

    @Test(arguments: [1, 500])
    func formerKeysAreMerged(batch: Int) async throws {
        let store = try TestStore()
        var new = NewAccount(username: "ada")
        new.displayName = "Élan"
        let ada = try await store.accounts.create(new)
        let (bob, cleo) = (try await store.account("bob"), try await store.account("cleo"))
        let first = try await store.post("#Caffè", by: ada)
        let both = try await store.post("#CAFFÈ again #tea", by: ada)
        try await store.post("#caffe", by: bob)
        let quiet = try await store.post("quiet #caffè", by: bob, .unlisted)
        let kana = try await store.post("#が", by: bob)
        for account in [bob, cleo] { try await store.tagFollows.follow(tag: "caffe", by: account.id) }
        try await store.tagFollows.follow(tag: "tea", by: cleo.id)
        _ = try await store.featuredTags.feature("Caffè", by: ada.id)
        try await Self.makeOld(
            store, [first.id: "caffè", both.id: "caffè", quiet.id: "caffe\u{300}", kana.id: "か\u{3099}"], by: ada)
        // As an account that has followed the new key since the update.
        try await store.tagFollows.follow(tag: "caffe", by: cleo.id)
        #expect(try await Self.texts(.tag("caffe"), bob, store) == ["#caffe"])
        let start = try await store.changes.position().sequence

        try await KeyNormalization(store.database, batch: batch).run()
        #expect(try await Self.texts(.tag("caffe"), bob, store) == ["#caffe", "#CAFFÈ again #tea", "#Caffè"])
        #expect(try await Self.texts(.tag("caffè"), bob, store) == [])
        #expect(try await Self.texts(.tag("が"), bob, store) == ["#が"])
        #expect(try await Self.texts(.home(cleo.id), cleo, store) == ["#caffe", "#CAFFÈ again #tea", "#Caffè"])
        #expect(try await store.tagFollows.followedNames(by: cleo.id) == ["caffe", "tea"])
        #expect(try await store.tagFollows.followedNames(by: bob.id) == ["caffe"])
        let history = try #require(try await store.tags.histories(of: ["caffe"]).first)
        #expect(history.name == "Caffè" && history.uses[0].uses == 3 && history.uses[0].accounts == 2)
        #expect(try await store.featuredTags.featured(by: ada.id).map(\.statusesCount) == [2])
        let found = try await store.search.accounts(matching: "elan", limit: 9, offset: 0, followedBy: nil)
        #expect(found.map(\.username) == ["ada"])
        let kinds = try await store.kinds(after: start)
        #expect(kinds.filter { $0 == .tagFollowed }.count == 2 && kinds.last == .imported)

        // Everything has been renewed, so another run changes nothing.
        #expect(try await store.database.meta(KeyNormalization.mark) == nil)
        let end = try await store.changes.position().sequence
        try await KeyNormalization(store.database).run()
        #expect(try await store.changes.position().sequence == end)
    }

    @Test func renewalOfANewFeedChangesNothing() async throws {
        let store = try TestStore()
        try await store.post("#Caffè #tea", by: try await store.account("ada"))
        let start = try await store.changes.position().sequence
        #expect(try await store.database.meta(KeyNormalization.mark) != nil)
        try await KeyNormalization(store.database).run()
        #expect(try await store.database.meta(KeyNormalization.mark) == nil)
        #expect(try await store.changes.position().sequence == start)
    }

    @Test(.onSQLite) func folderOfAnOlderVersionIsRenewed() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder.path + "/data/" + SQLiteDatabase.fileName)
        try SQLiteMigrations.run(on: pool, upTo: "23")
        try await pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO account (id, username, username_key, created_at) VALUES (7, 'ada', 'ada', 1);
                    INSERT INTO status (id, account_id, created_at, visibility, text, content, tags)
                        VALUES (20, 7, 1, 0, 'x', 'x', 'Caffè');
                    INSERT INTO status_tag (tag, status_id, account_id, visibility) VALUES ('caffè', 20, 7, 0);
                    """)
        }
        try pool.close()
        let store = try TestStore(folder: folder)
        let ada = try #require(try await store.accounts.account(named: "ada"))
        #expect(try await Self.texts(.tag("caffe"), ada, store) == [])
        try await KeyNormalization(store.database).run()
        #expect(try await Self.texts(.tag("caffe"), ada, store) == ["x"])
    }
}
