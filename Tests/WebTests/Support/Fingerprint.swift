import FeedStore
import FeedTestSupport

/// The whole content of the database, to check whether a request changed anything.
struct Fingerprint: Sendable, Equatable {
    private let tables: [String: [String]]

    init(_ test: TestServices) async throws {
        tables = try await test.store.database.read { db in
            var tables: [String: [String]] = [:]
            for name in FeedDatabase.tables.map(\.name) {
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
