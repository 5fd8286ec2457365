import FeedCore
import FeedTestSupport
import Foundation
import GRDB
import TestKit
import Testing

@testable import FeedStore

/// Databases that somebody else has written or changed.
@Suite(.hangLimit)
struct ForeignDatabaseTests {
    /// Values that would become paths, addresses or headers.
    static let changes: [(table: String, change: String, row: String)] = [
        ("file.blob", "UPDATE file SET blob = '../../../../etc/passwd' WHERE name = 'b.txt'", "b.txt"),
        ("file.name", "UPDATE file SET name = '../b.txt' WHERE name = 'b.txt'", "../b.txt"),
        ("account.avatar", "UPDATE account SET avatar = '/etc/passwd'", "1"),
        ("account.header", "UPDATE account SET header = ''", "1"),
        ("account.username", "UPDATE account SET username = 'a/../b'", "1"),
        ("media.blob", "UPDATE media SET blob = upper(blob)", "1"),
        ("media.thumbnail", "UPDATE media SET thumbnail = blob || '0'", "1"),
        ("replaced_blob.blob", "INSERT INTO replaced_blob (blob, size) VALUES ('..', 1)", "1"),
        ("account.avatar_static", "UPDATE account SET avatar_static = avatar || '.png'", "1"),
        ("account.header_static", "UPDATE account SET header_static = '/'", "1"),
    ]

    /// A feed with a value in each of the columns.
    private static func feed() async throws -> TestStore {
        let store = try TestStore()
        let ada = try await store.account("ada")
        for name in ["a.txt", "b.txt", "c.txt"] {
            _ = try await store.files.add(
                [
                    StoredFile(
                        name: name, ownerID: ada.id, blob: Blob(hash: .starting("a"), size: 1), type: "text/plain",
                        modifiedAt: 1)
                ], quota: nil)
        }
        _ = try await store.image(1, by: ada)
        _ = try await store.accounts.update(ada.id) { ($0.avatar, $0.header) = (.starting("b"), .starting("c")) }
        return store
    }

    private static func values(_ store: TestStore, isRepairing: Bool = false) async throws -> [CheckFinding] {
        let snapshot = try store.database.snapshot()
        defer { snapshot.close() }
        return try await DatabaseCheck(store.database).values(in: snapshot, isRepairing: isRepairing) { _, _ in }
    }

    @Test func ownDatabaseIsAccepted() async throws {
        try await TextColumnCheck.requireAll(in: try await Self.feed().database)
    }

    @Test(arguments: changes)
    func copyStopsAtTheFirstForeignValue(table: String, change: String, row: String) async throws {
        let (store, target) = (try await Self.feed(), try TestStore())
        try await store.database.commits.write { try $0.execute(SQL(sql: change)) }
        await #expect {
            try await DatabaseCopy(from: store.database, to: target.database).run { _, _ in }
        } throws: {
            guard let error = $0 as? FeedError else { return false }
            return error.message.contains("an invalid \(table) in the row") && error.message.contains(row)
        }
        #expect(try await target.database.meta(DatabaseCopy.mark) == nil)
        #expect(try await target.accounts.list().isEmpty)
    }

    @Test(arguments: changes)
    func checkFindsAndRemovesForeignValues(table: String, change: String, row: String) async throws {
        let store = try await Self.feed()
        try await store.database.commits.write { try $0.execute(SQL(sql: change)) }
        let found = try await Self.values(store)
        let column = table.split(separator: ".")
        #expect(found.map(\.text).contains { $0.hasPrefix("invalid \(column[1]) of \(column[0]): 1 rows") }, "\(found)")
        // An account cannot do without its name.
        guard table != "account.username" else { return }
        #expect(try await Self.values(store, isRepairing: true).allSatisfy(\.isRepaired))
        #expect(try await Self.values(store) == [])
        #expect(try await store.accounts.list().count == 1)
    }

    /// The maintenance must not stop at one of them.
    @Test func foreignNamesAreForgottenByTheCollector() async throws {
        let store = try await Self.feed()
        try await store.database.commits.write { try $0.execute(SQL(sql: Self.changes[7].change)) }
        let replaced = try await store.files.replaced(of: nil, limit: 9)
        #expect(replaced.last?.hash == nil)
        try await store.files.forget(replaced)
        #expect(try await store.files.replaced(of: nil, limit: 9).isEmpty)
    }

    @Test(
        .onSQLite,
        arguments: [
            ("CREATE TRIGGER t AFTER UPDATE ON meta BEGIN UPDATE account SET role = 'admin'; END", "trigger t"),
            ("CREATE VIEW v AS SELECT 1", "view v"),
            ("CREATE TABLE u (a)", "an untyped table u"),
            ("CREATE VIRTUAL TABLE w USING fts5(a)", "an untyped table w"),
        ])
    func backupWithForeignObjectsIsRefused(statement: String, object: String) async throws {
        let store = try await Self.feed()
        let path = store.folder.path + "/copy.sqlite"
        try await store.database.backUp(to: path) { _, _ in }
        let own = try DatabaseBackup(path: path)
        try await own.requireOwn()
        own.close()
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: statement) }
        try queue.close()
        let foreign = try DatabaseBackup(path: path)
        defer { foreign.close() }
        await #expect { try await foreign.requireOwn() } throws: {
            ($0 as? FeedError)?.message.contains(object) == true
        }
    }
}
