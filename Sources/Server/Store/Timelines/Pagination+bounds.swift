import FeedCore

extension Pagination {
    /// The condition that a row is within the page's bounds.
    func bounds(on column: String) -> SQL {
        var bounds: SQL = "\(sql: column) < \(maxID ?? .max)"
        if let floor { bounds += " AND \(sql: column) > \(floor)" }
        return bounds
    }

    /// The SQL order in which the page is read.
    var order: SQL { readsUpwards ? "ASC" : "DESC" }
}

extension FeedDatabase {
    /// The rows of a page, newest first.
    func list<Entry: Sendable>(
        _ query: SQL, _ page: Pagination, _ decode: @escaping @Sendable (Row) throws -> Entry
    ) async throws -> [Entry] {
        let entries = try await read { db in
            try db.fetchAll(query).map(decode)
        }
        return page.readsUpwards ? entries.reversed() : entries
    }
}
