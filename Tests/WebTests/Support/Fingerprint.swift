import FeedStore
import FeedTestSupport
import GRDB

/// Everything the database holds, to tell whether a request left something behind.
struct Fingerprint: Sendable, Equatable {
    private let tables: [String: [String]]

    init(_ test: TestServices) async throws {
        tables = try await test.store.database.read { db in
            let names = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            var tables: [String: [String]] = [:]
            // A search index keeps tables of its own, which say nothing its rows do not say.
            for name in names where !name.contains("_fts_") {
                tables[name] = try Row.fetchAll(db, sql: "SELECT * FROM \"\(name)\"").map(\.description).sorted()
            }
            return tables
        }
    }

    /// The tables in which the other differs.
    func changes(to other: Fingerprint) -> [String] {
        Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
    }
}
