import FeedStore
import FeedTestSupport
import GRDB

/// The whole content of the database, to check whether a request changed anything.
struct Fingerprint: Sendable, Equatable {
    private let tables: [String: [String]]

    init(_ test: TestServices) async throws {
        tables = try await test.store.database.read { db in
            let names = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            var tables: [String: [String]] = [:]
            // A search index has its own tables, which are derived from other rows.
            for name in names where !name.contains("_fts_") {
                tables[name] = try Row.fetchAll(db, sql: "SELECT * FROM \"\(name)\"").map(\.description).sorted()
            }
            return tables
        }
    }

    /// The tables that differ.
    func changes(to other: Fingerprint) -> [String] {
        Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
    }
}
