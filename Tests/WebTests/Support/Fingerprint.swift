import FeedStore
import FeedTestSupport

/// The content of the database, to check whether a request changed anything. Login records are excluded because a
/// refused request may change them.
struct Fingerprint: Sendable, Equatable {
    private let tables: [String: [String]]

    init(_ test: TestServices) async throws {
        tables = try await test.store.database.read { db in
            var tables: [String: [String]] = [:]
            for name in FeedDatabase.tables.map(\.name) where !["login_failure", "known_network"].contains(name) {
                tables[name] = try db.fetchAll("SELECT * FROM \"\(sql: name)\"").map(\.description).sorted()
            }
            return tables
        }
    }

    /// The tables that differ.
    func changes(to other: Fingerprint) -> [String] {
        Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
    }
}
