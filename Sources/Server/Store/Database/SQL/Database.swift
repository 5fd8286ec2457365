package import FeedCore
package import Foundation

/// A connection inside a transaction. It is valid only in the closure to which it is passed.
package struct Database {
    package let connection: any SQLConnection

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

/// The operations that ``Database`` requires from an engine.
package protocol SQLConnection {
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
    var fullText: any FullTextIndex { get }
}

extension SQLConnection {
    package func run(_ queries: [SQL]) throws -> [[Row]] {
        try queries.map { try run($0.text, $0.values, isReused: $0.isReused) }
    }

    package func execute(_ sql: String, _ values: [SQLValue], isReused: Bool) throws {
        _ = try run(sql, values, isReused: isReused)
    }

    package func hasTable(_ name: String) throws -> Bool { try !columns(of: name).isEmpty }
}

/// An SQL statement or fragment. Interpolated values are bound as parameters and never become part of the text.
///
/// Placeholders are written `?` or `?1`, as in SQLite; ``PostgresDialect`` translates them.
package struct SQL: Sendable, ExpressibleByStringInterpolation {
    package private(set) var text: String
    package private(set) var values: [SQLValue] = []
    /// Whether connections keep the prepared statement for later calls.
    package var isReused = true

    /// - Parameters:
    ///   - sql: Trusted SQL text.
    ///   - values: The values of its placeholders, in their order.
    package init(sql: String, _ values: [SQLValue] = []) { (text, self.values) = (sql, values) }

    package init(stringLiteral value: String) { text = value }

    package init(stringInterpolation: Interpolation) {
        text = stringInterpolation.text
        values = stringInterpolation.values
    }

    package var isEmpty: Bool { text.isEmpty }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var values: [SQLValue] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 32)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Appends trusted SQL text.
        package mutating func appendInterpolation(sql: String) { text += sql }

        /// Appends a constant.
        package mutating func appendInterpolation(sql number: Int) { text += String(number) }

        package mutating func appendInterpolation(_ part: SQL) {
            text += part.text
            values += part.values
        }

        package mutating func appendInterpolation(_ value: some SQLBindable) {
            text += "?"
            values.append(value.sqlValue)
        }

        package mutating func appendInterpolation<Value: SQLBindable>(_ value: Value?) {
            text += "?"
            values.append(value.sqlValue)
        }

        /// Appends a parenthesized list for `IN`.
        package mutating func appendInterpolation(list values: some Collection<some SQLBindable>) {
            // `IN ()` is a syntax error in PostgreSQL.
            text += values.isEmpty ? "(NULL)" : "(" + values.map { _ in "?" }.joined(separator: ", ") + ")"
            self.values += values.map(\.sqlValue)
        }

        /// Appends a query that returns the ids in one column.
        package mutating func appendInterpolation(ids: [Int64]) {
            text += SQLDialect.list
            values.append(.list(ids))
        }
    }
}

extension Sequence<SQL> {
    package func joined(separator: String) -> SQL {
        var parts = SQL.Interpolation(literalCapacity: 0, interpolationCount: 0)
        for (index, part) in enumerated() {
            if index > 0 { parts.appendLiteral(separator) }
            parts.appendInterpolation(part)
        }
        return SQL(stringInterpolation: parts)
    }
}

extension SQL {
    package static func += (left: inout SQL, right: SQL) { left = "\(left)\(right)" }
}

/// SQL that differs between the engines.
enum SQLDialect {
    /// The query that returns a bound list of ids in one column, in the dialect of SQLite.
    static let list = "SELECT value FROM json_each(?)"
}

/// A value bound to a statement. Flags are integers, so that both engines can compare them with `= 1`.
package enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    /// Not used by any column; only a damaged value is one.
    case real(Double)
    case text(String)
    case bytes(Data)
    /// A list of ids, for the interpolation `ids` of ``SQL``.
    case list([Int64])
}

/// A type whose values can be bound to a statement.
package protocol SQLBindable {
    var sqlValue: SQLValue { get }
}

extension Int64: SQLBindable {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLBindable {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLBindable {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLBindable {
    package var sqlValue: SQLValue { .text(self) }
}

extension SQLValue: SQLBindable {
    package var sqlValue: SQLValue { self }
}

extension BlobHash: SQLBindable {
    package var sqlValue: SQLValue { .text(description) }
}

extension Data: SQLBindable {
    package var sqlValue: SQLValue { .bytes(self) }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    package var sqlValue: SQLValue { map(\.sqlValue) ?? .null }
}

extension RandomAccessCollection {
    /// The elements in parts of a limited size, in order; no part is empty.
    /// - Parameter size: The maximum number of elements of a part, at least 1.
    package func chunks(of size: Int) -> [SubSequence] {
        let size = Swift.max(1, size)
        return stride(from: 0, to: count, by: size).map { dropFirst($0).prefix(size) }
    }
}
