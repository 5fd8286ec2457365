import FeedCore
import FeedTestSupport
import GRDB
import Synchronization
import TestKit
import Testing

@testable import FeedStore

/// The cost of a post in SQLite.
@Suite(.hangLimit, .onSQLite)
struct PostingCostTests {
    /// The statements that the connection that writes executes meanwhile.
    private static func statements(_ store: TestStore, _ body: () async throws -> Void) async throws -> [String] {
        let pool = try #require(store.database.sqlite?.pool)
        let statements = Mutex<[String]>([])
        try await pool.writeWithoutTransaction { db in
            db.trace(options: .statement) { event in
                if case .statement(let statement) = event { statements.withLock { $0.append(statement.sql) } }
            }
        }
        try await body()
        return statements.withLock { $0 }
    }

    /// BEGIN and COMMIT; the author, the next id, the followers to notify; the status and its author's counts; two for
    /// the search index; two for the change log.
    @Test(arguments: [Visibility.public, .unlisted, .followers])
    func postExecutesFewStatements(visibility: Visibility) async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await store.post("one", by: ada, visibility)
        let executed = try await Self.statements(store) { try await store.post("two", by: ada, visibility) }
        #expect(executed.count == 11, "\(executed)")
    }

    /// Each table or index that changes is a page that is written, and none is for the change log alone.
    @Test func changeLogIsOneTable() async throws {
        let store = try TestStore()
        let names = try await store.database.read { db in
            try db.fetchAll(
                "SELECT name FROM sqlite_schema WHERE tbl_name = 'change' UNION SELECT name FROM sqlite_sequence",
                as: String.self)
        }
        #expect(names == ["change"])
    }
}
