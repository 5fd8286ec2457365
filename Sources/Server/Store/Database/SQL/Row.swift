package import Foundation

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
