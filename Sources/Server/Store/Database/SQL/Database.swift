package import Foundation

/// A connection inside a transaction. It is valid only in the closure to which it is passed.
package struct Database {
    package let connection: any SQLConnection

    /// The number of rows that the last statement inserted, updated or deleted.
    package var changesCount: Int { connection.changesCount }

    package func execute(sql: String, arguments: SQLArguments = []) throws {
        _ = try connection.run(sql, arguments.values, isReused: false)
    }

    package func execute(_ statement: SQL) throws {
        _ = try connection.run(statement.text, statement.values, isReused: false)
    }

    /// A statement that each connection prepares only once.
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

/// The operations that ``Database`` requires from an engine.
package protocol SQLConnection {
    var changesCount: Int { get }

    /// Executes one statement. If it fails, the savepoint must be rolled back before another statement is executed.
    /// - Parameter isReused: Whether to keep the prepared statement for later calls.
    func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row]

    /// The column names of a table, in alphabetical order.
    func columns(of table: String) throws -> [String]

    /// Whether a table exists, which is always so except in backups by older versions.
    func hasTable(_ name: String) throws -> Bool

    /// Makes generated keys continue after the largest existing key.
    func restartIdentities() throws

    /// The search index of the engine.
    var fullText: any FullTextIndex { get }
}

extension SQLConnection {
    package func hasTable(_ name: String) throws -> Bool { try !columns(of: name).isEmpty }
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
    /// The first column of the first row; `nil` if there are no rows or the column is NULL.
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

/// A row of a result. Column indices start at 0.
package struct Row: CustomStringConvertible {
    /// The values of all rows of the result.
    private let values: [SQLValue]
    private let columns: Range<Int>

    /// Divides the values of a result into rows.
    static func rows(_ values: [SQLValue], columnCount: Int) -> [Row] {
        guard columnCount > 0 else { return [] }
        return stride(from: 0, to: values.count, by: columnCount).map {
            Row(values: values, columns: $0..<$0 + columnCount)
        }
    }

    package var description: String { values[columns].map { "\($0)" }.joined(separator: " ") }

    /// The value of a column. Flags and comparisons can be read as `Bool`.
    package subscript<Value: SQLReadable>(_ column: Int) -> Value { Value(value(column)) }

    /// The value of a column in its stored type.
    package func value(_ column: Int) -> SQLValue { values[columns.lowerBound + column] }
}

/// A type as which a column can be read. A nullable column must be read as an optional; otherwise NULL becomes 0 or
/// empty.
package protocol SQLReadable {
    init(_ value: SQLValue)
}

extension Int64: SQLReadable {
    package init(_ value: SQLValue) { if case .integer(let integer) = value { self = integer } else { self = 0 } }
}

extension Int: SQLReadable {
    package init(_ value: SQLValue) { self = Int(Int64(value)) }
}

extension Bool: SQLReadable {
    package init(_ value: SQLValue) { self = Int64(value) != 0 }
}

extension String: SQLReadable {
    package init(_ value: SQLValue) { if case .text(let text) = value { self = text } else { self = "" } }
}

extension Data: SQLReadable {
    package init(_ value: SQLValue) { if case .bytes(let bytes) = value { self = bytes } else { self = Data() } }
}

extension Optional: SQLReadable where Wrapped: SQLReadable {
    package init(_ value: SQLValue) { if case .null = value { self = nil } else { self = Wrapped(value) } }
}
