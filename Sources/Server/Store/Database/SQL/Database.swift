/// A connection inside a transaction. Valid only in the closure it is passed to.
package struct Database {
    package let connection: any SQLConnection

    /// Rows the last statement inserted, updated or deleted.
    package var changesCount: Int { connection.changesCount }

    package func execute(sql: String, arguments: SQLArguments = []) throws {
        _ = try connection.run(sql, arguments.values, isReused: false)
    }

    package func execute(_ statement: SQL) throws {
        _ = try connection.run(statement.text, statement.values, isReused: false)
    }

    /// A statement that is prepared once per connection.
    package func cachedStatement(sql: String) throws -> Statement { Statement(connection: connection, sql: sql) }

    package func fetchAll(_ query: SQL) throws -> [Row] {
        try connection.run(query.text, query.values, isReused: true)
    }

    package func fetchOne(_ query: SQL) throws -> Row? { try fetchAll(query).first }
}

/// A statement with placeholders.
package struct Statement {
    package let connection: any SQLConnection
    let sql: String

    package func execute(arguments: SQLArguments = []) throws {
        _ = try connection.run(sql, arguments.values, isReused: true)
    }
}

/// What an engine does for ``Database``.
package protocol SQLConnection {
    var changesCount: Int { get }

    /// Executes one statement. A statement that fails ends its job: nothing may be executed after it.
    /// - Parameter isReused: Whether to keep the prepared statement.
    func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row]

    /// The names of a table's columns, in alphabetical order.
    func columns(of table: String) throws -> [String]

    /// Lets generated keys continue after the largest one.
    func restartIdentities() throws
}

extension Row {
    package static func fetchOne(_ statement: Statement, arguments: SQLArguments = []) throws -> Row? {
        try fetchAll(statement, arguments: arguments).first
    }

    package static func fetchAll(_ statement: Statement, arguments: SQLArguments = []) throws -> [Row] {
        try statement.connection.run(statement.sql, arguments.values, isReused: true)
    }

    package static func fetchOne(_ db: Database, sql: String, arguments: SQLArguments = []) throws -> Row? {
        try fetchAll(db, sql: sql, arguments: arguments).first
    }

    package static func fetchAll(_ db: Database, sql: String, arguments: SQLArguments = []) throws -> [Row] {
        try db.connection.run(sql, arguments.values, isReused: false)
    }
}

extension SQLReadable {
    /// The first column of the first row; `nil` when there is none, or when it is NULL.
    package static func fetchOne(_ statement: Statement, arguments: SQLArguments = []) throws -> Self? {
        try Row.fetchOne(statement, arguments: arguments).flatMap { $0[0] as Self? }
    }

    package static func fetchOne(_ db: Database, sql: String, arguments: SQLArguments = []) throws -> Self? {
        try Row.fetchOne(db, sql: sql, arguments: arguments).flatMap { $0[0] as Self? }
    }

    package static func fetchOne(_ db: Database, _ query: SQL) throws -> Self? {
        try db.fetchOne(query).flatMap { $0[0] as Self? }
    }

    package static func fetchAll(_ statement: Statement, arguments: SQLArguments = []) throws -> [Self] {
        try Row.fetchAll(statement, arguments: arguments).map { $0[0] }
    }

    package static func fetchAll(_ db: Database, sql: String, arguments: SQLArguments = []) throws -> [Self] {
        try Row.fetchAll(db, sql: sql, arguments: arguments).map { $0[0] }
    }

    package static func fetchAll(_ db: Database, _ query: SQL) throws -> [Self] {
        try db.fetchAll(query).map { $0[0] }
    }
}
