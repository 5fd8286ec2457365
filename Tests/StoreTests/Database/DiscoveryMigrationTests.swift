import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

/// The migration that adds conversations and the use of hashtags fills both for the statuses of an older folder.
@Suite(.hangLimit, .onSQLite)
struct DiscoveryMigrationTests {
    private static let day: Int64 = 19_000
    private static let first = TagUse.firstID(of: day)

    /// A thread of ada and bob, a direct status to oneself, and public and unlisted statuses with a hashtag.
    private static let old = """
        INSERT INTO account (id, username, username_key, created_at)
            VALUES (1, 'ada', 'ada', 1), (2, 'bob', 'bob', 1), (3, 'cleo', 'cleo', 1);
        INSERT INTO status (id, account_id, created_at, visibility, text, content, conversation_id) VALUES
            (\(first + 1), 1, 1, 3, '@bob', 'x', NULL), (\(first + 2), 2, 1, 3, '@ada', 'x', \(first + 1)),
            (\(first + 3), 1, 1, 3, 'note', 'x', NULL), (\(first + 4), 1, 1, 0, '@bob #tag', 'x', NULL),
            (\(first + 5), 2, 1, 0, '#tag', 'x', NULL), (\(first + 6), 1, 1, 0, '#tag', 'x', NULL),
            (\(first + 7), 3, 1, 1, '#tag', 'x', NULL),
            (\(TagUse.firstID(of: day - 20)), 3, 1, 0, '#tag', 'x', NULL);
        INSERT INTO status (id, account_id, created_at, visibility, text, content, boost_of_id)
            VALUES (\(first + 8), 3, 1, 3, '', '', \(first + 4));
        INSERT INTO mention (account_id, status_id, author_id, visibility) VALUES
            (2, \(first + 1), 1, 3), (1, \(first + 2), 2, 3), (2, \(first + 4), 1, 0);
        INSERT INTO status_tag (status_id, tag, account_id, visibility)
            SELECT id, 'tag', account_id, visibility FROM status WHERE text LIKE '%#tag';
        """

    private static func open() async throws -> TestStore {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder.path + "/data/" + SQLiteDatabase.fileName)
        try SQLiteMigrations.run(on: pool, upTo: "16")
        try await pool.write { try $0.execute(sql: old) }
        try pool.close()
        return try TestStore(folder: folder)
    }

    @Test func olderStatusesHaveConversationsAndUses() async throws {
        let store = try await Self.open()
        store.clock.now = Self.day * TagUse.milliseconds
        for (account, expected) in [(1, [3, 2]), (2, [2]), (3, [])] as [(Int64, [Int64])] {
            let page = try await store.conversations.conversations(of: account, page: Pagination(limit: 20))
            #expect(page.entries.map { ($0.lastStatus?.id ?? 0) - Self.first } == expected)
            #expect(page.entries.allSatisfy { !$0.isUnread })
        }
        let history = try #require(try await store.tags.histories(of: ["tag"]).first)
        #expect(history.uses[0] == TagUse(day: Self.day, uses: 3, accounts: 2))
        let rows = try await store.database.read { try $0.fetchOne("SELECT count(*) FROM tag_day", as: Int.self) }
        #expect(rows == 1)
    }
}
