import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

/// The rules for counts: all statuses of an author except direct ones, and all public or unlisted replies.
@Suite(.hangLimit)
struct CountTests {
    @Test(arguments: Visibility.allCases)
    func countsDependOnTheVisibility(visibility: Visibility) async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let root = try await store.post("@bob a question", by: ada)
        store.clock.now += 1000
        let reply = try await store.post("@ada an answer", by: bob, visibility, replyTo: root.id)
        let author = try await Self.author(bob, store)
        #expect(author.count == (visibility == .direct ? 0 : 1))
        #expect(author.last == (visibility == .direct ? nil : store.clock.now))
        #expect(try await Self.replies(to: root, store) == ([.public, .unlisted].contains(visibility) ? 1 : 0))
        // A status that was not counted is not subtracted.
        let open = try await store.post("@ada one more", by: bob, replyTo: root.id)
        _ = try await store.statuses.delete(id: reply.id, by: bob.id)
        #expect(try await Self.author(bob, store).count == 1)
        #expect(try await Self.replies(to: root, store) == 1)
        _ = try await store.statuses.delete(id: open.id, by: bob.id)
        #expect(try await Self.author(bob, store).count == 0)
        #expect(try await Self.replies(to: root, store) == 0)
    }

    /// Two replies of each visibility, one of which precedes its parent in the file.
    @Test func importedStatusesCountTheSame() async throws {
        let store = try TestStore()
        var lines = [#"{"kind":"account","username":"ada"}"#]
        func status(_ n: Int, _ more: String) {
            lines.append(
                #"{"kind":"status","n":\#(n),"author":"ada","created_at":"2023-01-0\#(n)T00:00:00Z","text":"t\#(n)""#
                    + more + "}")
        }
        for (index, visibility) in Visibility.allCases.enumerated() {
            status(index + 1, #","in_reply_to":5,"visibility":"\#(visibility.apiName)""#)
        }
        status(5, "")
        for (index, visibility) in Visibility.allCases.enumerated() {
            status(index + 6, #","in_reply_to":5,"visibility":"\#(visibility.apiName)""#)
        }
        try await store.importLines(lines.joined(separator: "\n"))
        let ada = try #require(try await store.accounts.account(named: "ada"))
        #expect(ada.statusesCount == 7 && ada.createdAt == 1_672_531_200_000)
        #expect(ada.lastStatusAt == 1_673_136_000_000)
        let all = try await store.timelines.timeline(.account(ada.id), page: Pagination(limit: 40), for: ada.id).entries
        #expect(all.first { $0.text == "t5" }?.repliesCount == 4)
    }

    /// ada has posted publicly and directly; bob has replied with each visibility and boosted.
    private static let old = """
        INSERT INTO account (id, username, username_key, created_at, statuses_count, last_status_at)
            VALUES (1, 'ada', 'ada', 1, 2, 200), (2, 'bob', 'bob', 1, 5, 340), (3, 'cleo', 'cleo', 1, 1, 5);
        INSERT INTO status (id, account_id, created_at, visibility, text, content, in_reply_to_id, boost_of_id,
            replies_count) VALUES
            (10, 1, 100, 0, 'x', 'x', NULL, NULL, 4), (20, 1, 200, 3, 'x', 'x', NULL, NULL, 0),
            (31, 2, 310, 0, 'x', 'x', 10, NULL, 0), (32, 2, 320, 1, 'x', 'x', 10, NULL, 0),
            (33, 2, 330, 2, 'x', 'x', 10, NULL, 0), (34, 2, 340, 3, 'x', 'x', 10, NULL, 0),
            (35, 2, 350, 0, '', '', NULL, 10, 0);
        """

    @Test(.onSQLite) func migrationRecomputesCounts() async throws {
        let folder = try TemporaryFolder()
        try SQLiteMigrations.makeFolder(folder.path + "/data", version: "3", Self.old)
        let store = try TestStore(folder: folder)
        var found: [String: [Int64?]] = [:]
        for account in try await store.accounts.list() {
            found[account.username] = [Int64(account.statusesCount), account.lastStatusAt]
        }
        #expect(found == ["ada": [1, 100], "bob": [4, 330], "cleo": [0, nil]])
        #expect(try await store.statuses.status(id: 10, for: nil)?.repliesCount == 2)
    }

    private static func author(_ account: Account, _ store: TestStore) async throws -> (count: Int, last: Int64?) {
        let found = try #require(try await store.accounts.account(id: account.id))
        return (found.statusesCount, found.lastStatusAt)
    }

    private static func replies(to status: Status, _ store: TestStore) async throws -> Int? {
        try await store.statuses.status(id: status.id, for: nil)?.repliesCount
    }
}

extension SQLiteMigrations {
    /// Creates a folder as an older version left it.
    static func makeFolder(_ path: String, version: String, _ rows: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let pool = try DatabasePool(path: path + "/" + SQLiteDatabase.fileName)
        try run(on: pool, upTo: version)
        try pool.write { try $0.execute(sql: rows) }
        try pool.close()
    }
}
