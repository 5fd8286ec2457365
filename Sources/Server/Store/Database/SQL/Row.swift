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

/// The columns of an entity, in the order in which queries return them: the list for `SELECT` and what decodes the row
/// are the same cases. A case has the name of its column: `createdAt` stands for `created_at`.
protocol EntityColumn: CaseIterable, RawRepresentable<Int> {}

extension EntityColumn {
    /// The list for `SELECT`, which costs more to form than most queries: callers keep it.
    /// - Parameter alias: The name of the table in the query.
    static func list(of alias: String) -> String {
        allCases.map { "\(alias).\($0.name)" }.joined(separator: ", ")
    }

    /// The name of the column, in which an underscore precedes every word.
    var name: String {
        var (name, isCapital) = ("", true)
        for scalar in "\(self)".unicodeScalars {
            if scalar.properties.isUppercase, !isCapital { name += "_" }
            isCapital = scalar.properties.isUppercase
            name += scalar.properties.lowercaseMapping
        }
        return name
    }
}

/// The columns of one entity in a row, which may contain others.
struct EntityRow<Column: EntityColumn> {
    private let row: Row
    private let first: Int

    /// - Parameter first: The index of the entity's first column.
    init(_ row: Row, _ columns: Column.Type, from first: Int = 0) { (self.row, self.first) = (row, first) }

    /// The value of a column.
    /// - Throws: As ``Row/subscript(_:)``.
    subscript<Value: SQLReadable>(_ column: Column) -> Value {
        get throws { try row[first + column.rawValue] }
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

/// A column of a result, named after the statement that has returned it: the engines report the names only of columns
/// that are not expressions, and not always their tables.
struct ResultColumn: Equatable, CustomStringConvertible {
    /// The table, if the statement tells.
    let table: String?
    /// The name of the column, or the expression.
    let name: String

    var description: String { (table.map { $0 + "." } ?? "") + name }

    /// - Parameter index: The index of the column, from 0.
    init(_ index: Int, of statement: String) {
        let words = Self.words(statement)
        let keyword = words.lastIndex(of: "RETURNING") ?? words.firstIndex(of: "SELECT") ?? words.endIndex
        let columns = words.dropFirst(keyword + 1).prefix { $0 != "FROM" }.split(separator: ",")
        let column = columns.indices.contains(index) ? columns[index].filter { $0 != "DISTINCT" } : []
        let expression = column.prefix { $0 != "AS" }.joined(separator: " ")
        let parts = expression.utf8.split(separator: UInt8(ascii: ".")).map(Substring.init)
        let isQualified = parts.count == 2 && !expression.contains(" ")
        table = Self.table(isQualified ? String(parts[0]) : nil, in: words)
        name = column.isEmpty ? "column \(index)" : isQualified ? String(parts[1]) : expression
    }

    /// The table that a statement calls `alias`, or the first one for `nil`.
    private static func table(_ alias: String?, in words: [String]) -> String? {
        for (index, word) in words.enumerated() where ["FROM", "JOIN", "INTO", "UPDATE"].contains(word) {
            let names = words.dropFirst(index + 1).filter { $0 != "AS" }.prefix(2)
            guard let table = names.first, alias == nil || names.contains(alias ?? "") else { continue }
            return table.hasPrefix("(") ? alias : table
        }
        return alias
    }

    /// The words and commas of a statement. What is in parentheses is part of the word before it.
    private static func words(_ statement: String) -> [String] {
        var (words, word, depth, isQuoted) = ([String](), "", 0, false)
        for scalar in (statement + " ").unicodeScalars {
            if scalar == "'" { isQuoted.toggle() }
            if !isQuoted, scalar == ")" { depth -= 1 }
            if depth == 0, !isQuoted, scalar.properties.isWhitespace || scalar == "," {
                words += (word.isEmpty ? [] : [word]) + (scalar == "," ? [","] : [])
                word = ""
            } else {
                word.unicodeScalars.append(scalar)
            }
            if !isQuoted, scalar == "(" { depth += 1 }
        }
        return words
    }
}
