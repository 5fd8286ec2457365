import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

/// Migrations of older folders.
@Suite(.hangLimit, .onSQLite)
struct MigrationTests {
    /// The login tables as written by 0.1.0.
    private static let old = """
        INSERT INTO account (id, username, username_key, email, created_at) VALUES (7, 'ada', 'ada', 'Ada@x', 1);
        INSERT INTO application (id, client_id, secret_hash, name, redirect_uris, scopes, created_at)
            VALUES (8, 'client', x'01', 'App', 'https://app.test/cb', 'read write', 1);
        INSERT INTO token (id, hash, account_id, application_id, scopes, application, created_at)
            VALUES (9, x'02', 7, 8, 'read', 'App', 1);
        """

    @Test func migrationFromTheFirstVersionKeepsLogins() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder.path + "/data/" + SQLiteDatabase.fileName)
        try SQLiteMigrations.run(on: pool, upTo: "1")
        try await pool.write { db in
            try db.execute(sql: Self.old)
            try db.execute(sql: "INSERT OR REPLACE INTO meta (key, value) VALUES ('version', 'test'), ('epoch', 'old')")
        }
        try pool.close()

        let store = try TestStore(folder: folder)
        // Responses for the same statuses change, so cached ones are invalid.
        #expect(store.database.log.epoch != "old")
        guard case .account(let viewer) = try await store.tokens.holder(hash: [2]) else {
            Issue.record("the token was lost")
            return
        }
        #expect(viewer.account.id == 7 && viewer.scopes.names == ["read"])
        #expect(try await store.accounts.account(email: "ADA@x")?.id == 7)
        let applications = ApplicationStore(store.database)
        let application = try #require(try await applications.application(ofToken: [2]))
        #expect(application.id == 8 && application.redirectURIs == ["https://app.test/cb"])
        let grants = Grants(store: GrantStore(store.database), clock: store.clock.clock)
        let code = try await grants.code(
            for: viewer.account, application: application, redirectURI: "https://app.test/cb",
            scopes: ScopeSet(names: ["read"]), challenge: nil)
        let issued = try await grants.redeem(
            code, by: application, redirectURI: "https://app.test/cb", verifier: nil)
        #expect(issued?.scopes.names == ["read"])
    }

    /// Rows of the change log as written by 0.9: of a new status, and of one that was deleted.
    private static let changes = """
        INSERT INTO account (id, username, username_key, created_at) VALUES (7, 'ada', 'ada', 1), (8, 'bob', 'bob', 1);
        INSERT INTO status (id, account_id, created_at, visibility, text, content) VALUES (20, 7, 1, 0, 'x', 'x');
        INSERT INTO change (sequence, kind, subject, account, related, tags, at) VALUES
            (5, 'status.create', 20, 7, NULL, 'tag', 1), (6, 'status.delete', 21, 7, NULL, '', 2);
        """

    @Test func existingDeletionsReachOnlyTheAuthor() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder.path + "/data/" + SQLiteDatabase.fileName)
        try SQLiteMigrations.run(on: pool, upTo: "22")
        try await pool.write { try $0.execute(sql: Self.changes) }
        try pool.close()
        let store = try TestStore(folder: folder)
        #expect(try await store.streams.window().floor == 4)
        func feed(_ account: Int64) async throws -> [StreamEventType] {
            try await store.streams.feed(
                since: ChangeCursor(sequence: 4), limit: 40, maximumRows: 1000, for: account
            ).entries.map(\.event)
        }
        #expect(try await feed(7) == [.update, .delete])
        #expect(try await feed(8) == [.update])
    }

    @Test func changeLogKeepsItsNumbers() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder.path + "/data/" + SQLiteDatabase.fileName)
        try SQLiteMigrations.run(on: pool, upTo: "31")
        try await pool.write { db in
            try db.execute(sql: Self.changes)
            try db.execute(sql: "UPDATE change SET related = 9, visibility = 2, mentions = '7 8' WHERE sequence = 6")
        }
        try pool.close()
        let store = try TestStore(folder: folder)
        let rows = try await store.changes.changes(after: 0, limit: 9)
        #expect(
            rows == [
                Change(sequence: 5, kind: .statusCreated, subject: 20, account: 7, tags: ["tag"], at: 1),
                Change(
                    sequence: 6, kind: .statusDeleted, subject: 21, account: 7, related: 9, visibility: .followers,
                    mentions: [7, 8], at: 2),
            ])
        let ada = try #require(try await store.accounts.account(named: "ada"))
        try await store.post("x", by: ada)
        #expect(try await store.changes.changes(after: 6, limit: 9).map(\.sequence) == [7])
    }

    /// Two favourites within half a day, a later one, a follow and a mention, as written by 0.7.
    private static let notifications = """
        INSERT INTO account (id, username, username_key, created_at) VALUES (7, 'ada', 'ada', 1), (8, 'bob', 'bob', 1),
            (9, 'eve', 'eve', 1), (10, 'dora', 'dora', 1);
        INSERT INTO status (id, account_id, created_at, visibility, text, content) VALUES (20, 7, 1, 0, 'x', 'x');
        INSERT INTO notification (id, account_id, kind, from_id, status_id) VALUES
            ((1750000000000 << 16) + 1, 7, 'favourite', 8, 20), ((1750000000000 << 16) + 2, 7, 'favourite', 9, 20),
            ((1750043200000 << 16) + 3, 7, 'favourite', 10, 20), ((1750000000000 << 16) + 4, 7, 'follow', 8, NULL),
            ((1750000000000 << 16) + 5, 7, 'mention', 8, 20);
        """

    @Test func existingNotificationsAreGrouped() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder.path + "/data/" + SQLiteDatabase.fileName)
        try SQLiteMigrations.run(on: pool, upTo: "16")
        try await pool.write { db in
            try db.execute(sql: Self.notifications)
            try db.execute(sql: "INSERT OR REPLACE INTO meta (key, value) VALUES ('version', 'test'), ('epoch', 'old')")
        }
        try pool.close()
        let store = try TestStore(folder: folder)
        let ada = try #require(try await store.accounts.account(named: "ada"))
        #expect(try await store.wrongGroups() == [])
        let list = try await store.notifications.notifications(
            of: ada.id, page: Pagination(limit: 9), NotificationFilter()
        ).entries
        let keys = list.map(\.groupKey)
        for notification in list {
            let key = NotificationGroupKey.stored(
                for: notification.kind, status: notification.status?.id, id: notification.id)
            #expect(notification.groupKey == key ?? "ungrouped-\(notification.id)")
        }
        let groups = try await store.groups(ada).entries
        #expect(groups.map(\.key) == [keys[0], keys[1], keys[2], keys[3]] && keys[3] == keys[4])
        #expect(groups.map(\.count) == [1, 1, 1, 2])
    }
}
