/// The operations that ``Database`` requires from a connection to SQLite or PostgreSQL.
package protocol DatabaseConnection {
    var changesCount: Int { get throws }

    /// Executes one statement. If it fails, the savepoint must be rolled back before another statement is executed.
    /// - Parameter isReused: Whether to keep the prepared statement for later calls.
    func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row]

    /// Executes several queries.
    func run(_ queries: [SQL]) throws -> [[Row]]

    /// Executes one statement whose result is not needed, possibly without waiting for it.
    func execute(_ sql: String, _ values: [SQLValue], isReused: Bool) throws

    /// The column names of a table, in alphabetical order.
    func columns(of table: String) throws -> [String]

    /// Whether a table exists, which is always so except in backups by older versions.
    func hasTable(_ name: String) throws -> Bool

    /// Makes generated keys continue after the largest existing key.
    func restartIdentities() throws

    /// The search index of the engine.
    var fullText: any SearchIndex { get }
}

extension DatabaseConnection {
    package func run(_ queries: [SQL]) throws -> [[Row]] {
        try queries.map { try run($0.text, $0.values, isReused: $0.isReused) }
    }

    package func execute(_ sql: String, _ values: [SQLValue], isReused: Bool) throws {
        _ = try run(sql, values, isReused: isReused)
    }

    package func hasTable(_ name: String) throws -> Bool { try !columns(of: name).isEmpty }
}

/// The only connection that writes.
protocol WriterConnection: DatabaseConnection {
    var isInsideTransaction: Bool { get }

    /// Runs `body` in a transaction, which is rolled back if `body` throws.
    /// - Parameter isRepeatable: Whether `body` may run again, if the connection is lost before the commit.
    func inTransaction(isRepeatable: () -> Bool, _ body: () throws -> Void) throws
    /// Runs `body` in a savepoint, which is rolled back if `body` throws.
    /// - Parameter mayFailLater: Whether the transaction may be repeated if it turns out later that a statement of
    ///   `body` has failed.
    func inSavepoint(mayFailLater: Bool, _ body: () throws -> Void) throws
}

/// A connection inside a transaction. It is valid only in the closure to which it is passed.
package struct Database {
    package let connection: any DatabaseConnection

    /// The number of rows that the last statement inserted, updated or deleted.
    package var changesCount: Int { get throws { try connection.changesCount } }

    /// Executes a statement. Each connection prepares it only once, unless ``SQL/isReused`` is false.
    ///
    /// On PostgreSQL, a statement may fail later: in another statement, ``changesCount``, or the end of the transaction.
    package func execute(_ statement: SQL) throws {
        try connection.execute(statement.text, statement.values, isReused: statement.isReused)
    }

    package func fetchAll(_ query: SQL) throws -> [Row] {
        try connection.run(query.text, query.values, isReused: query.isReused)
    }

    /// The rows of queries that do not need each other's results. PostgreSQL answers all of them in one round trip.
    package func fetchAll(of queries: [SQL]) throws -> [[Row]] { try connection.run(queries) }

    package func fetchOne(_ query: SQL) throws -> Row? { try fetchAll(query).first }

    /// The first column of all rows.
    package func fetchAll<Value: SQLReadable>(_ query: SQL, as type: Value.Type) throws -> [Value] {
        try fetchAll(query).map { try $0[0] }
    }

    /// The first column of the first row; `nil` if there are no rows or the column is NULL.
    package func fetchOne<Value: SQLReadable>(_ query: SQL, as type: Value.Type) throws -> Value? {
        try fetchOne(query).flatMap { try $0[0] }
    }
}
