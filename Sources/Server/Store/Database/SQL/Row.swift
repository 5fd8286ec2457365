package import Foundation

/// A row of a result. Column indices start at 0.
package struct Row: CustomStringConvertible {
    let source: any RowSource

    package var description: String { source.description }

    /// The value of a column. Flags and comparisons can be read as `Bool`.
    package subscript<Value: SQLReadable>(_ column: Int) -> Value { Value(source, column) }
}

/// A row in the representation of the engine.
package protocol RowSource: CustomStringConvertible {
    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) -> Int64
    func text(_ column: Int) -> String
    func bytes(_ column: Int) -> Data
    /// The value of a column in its stored type.
    func value(_ column: Int) -> SQLValue
}

/// A type as which a column can be read. A nullable column must be read as an optional; otherwise NULL becomes 0 or
/// empty.
package protocol SQLReadable {
    init(_ row: any RowSource, _ column: Int)
}

extension Int64: SQLReadable {
    package init(_ row: any RowSource, _ column: Int) { self = row.integer(column) }
}

extension Int: SQLReadable {
    package init(_ row: any RowSource, _ column: Int) { self = Int(row.integer(column)) }
}

extension Bool: SQLReadable {
    package init(_ row: any RowSource, _ column: Int) { self = row.integer(column) != 0 }
}

extension String: SQLReadable {
    package init(_ row: any RowSource, _ column: Int) { self = row.text(column) }
}

extension Data: SQLReadable {
    package init(_ row: any RowSource, _ column: Int) { self = row.bytes(column) }
}

extension Optional: SQLReadable where Wrapped: SQLReadable {
    package init(_ row: any RowSource, _ column: Int) { self = row.isNull(column) ? nil : Wrapped(row, column) }
}
