package import FeedCore
package import Foundation

/// A row of a result. Column indices start at 0.
package struct Row: Sendable, CustomStringConvertible {
    /// The values of all rows, and the statement that has returned them.
    private final class Result: Sendable {
        let values: [SQLValue]
        let statement: String

        init(_ values: [SQLValue], of statement: String) { (self.values, self.statement) = (values, statement) }
    }

    private let result: Result
    private let columns: Range<Int>

    /// Divides the values of a result into rows.
    /// - Parameter statement: The statement that has returned them.
    static func rows(_ values: [SQLValue], columnCount: Int, of statement: String) -> [Row] {
        guard columnCount > 0, !values.isEmpty else { return [] }
        let result = Result(values, of: statement)
        return stride(from: 0, to: values.count, by: columnCount).map {
            Row(result: result, columns: $0..<$0 + columnCount)
        }
    }

    package var description: String { result.values[columns].map { "\($0)" }.joined(separator: " ") }

    /// The value of a column. Flags and comparisons can be read as `Bool`, nullable columns only as optionals.
    /// - Throws: ``FeedError`` `.storage`, whose cause names the table and the column, if the value is NULL or has
    ///   another type.
    package subscript<Value: SQLReadable>(_ column: Int) -> Value {
        get throws {
            let stored = value(column)
            guard let value = Value(stored) else { throw unreadable(column, stored, as: "\(Value.self)") }
            return value
        }
    }

    /// The value of a column in its stored type.
    package func value(_ column: Int) -> SQLValue { result.values[columns.lowerBound + column] }

    @inline(never)
    private func unreadable(_ column: Int, _ value: SQLValue, as type: String) -> FeedError {
        FeedError(
            .storage, "The database is damaged", hint: "feedserver check lists what is wrong.",
            cause: ColumnError(column: ResultColumn(column, of: result.statement), value: value, type: type))
    }
}

/// A stored value that cannot be read, for the log. The value itself may be secret.
struct ColumnError: Error, CustomStringConvertible {
    let column: ResultColumn
    let value: SQLValue
    let type: String

    var description: String { "\(column) contains \(kind), which cannot be read as \(type)" }

    private var kind: String {
        switch value {
        case .null: "NULL"
        case .integer: "an integer"
        case .real: "a real number"
        case .text: "text"
        case .bytes: "bytes"
        case .list: "a list"
        }
    }
}

/// A type as which a column can be read.
package protocol SQLReadable {
    /// - Returns: `nil` if the value is NULL or has another type.
    init?(_ value: SQLValue)
}

extension Int64: SQLReadable {
    package init?(_ value: SQLValue) {
        guard case .integer(let integer) = value else { return nil }
        self = integer
    }
}

extension Int: SQLReadable {
    package init?(_ value: SQLValue) {
        guard case .integer(let integer) = value else { return nil }
        self = Int(integer)
    }
}

extension Bool: SQLReadable {
    package init?(_ value: SQLValue) {
        guard case .integer(let integer) = value else { return nil }
        self = integer != 0
    }
}

extension String: SQLReadable {
    package init?(_ value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension Data: SQLReadable {
    package init?(_ value: SQLValue) {
        guard case .bytes(let bytes) = value else { return nil }
        self = bytes
    }
}

extension BlobHash: SQLReadable {
    package init?(_ value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }
}

extension Optional: SQLReadable where Wrapped: SQLReadable {
    package init?(_ value: SQLValue) {
        // Not `==`, which compares texts.
        if case .null = value {
            self = .none
            return
        }
        guard let wrapped = Wrapped(value) else { return nil }
        self = .some(wrapped)
    }
}
