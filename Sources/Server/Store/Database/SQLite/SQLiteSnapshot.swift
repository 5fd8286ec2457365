import GRDB

/// A snapshot of an open database, or a database file that nobody writes.
package final class SQLiteSnapshot: DatabaseSnapshotting {
    private let reader: any DatabaseReader

    init(_ reader: any DatabaseReader) { self.reader = reader }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await reader.read { try body(Database(connection: SQLiteConnection(db: $0))) }
        } catch {
            throw SQLiteError.translate(error)
        }
    }

    package func close() { try? reader.close() }
}
