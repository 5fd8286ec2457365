package import FeedCore
package import Foundation

/// An SQL statement or fragment. Interpolated values are bound as parameters and never become part of the text.
///
/// Placeholders are written `?` or `?1`, as in SQLite; ``PostgresSQL`` translates them.
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
