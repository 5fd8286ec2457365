package import FeedCore
package import Foundation

/// A value bound to a statement. Flags are integers, so that both engines can compare them with `= 1`.
package enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
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

extension BlobHash: SQLBindable {
    package var sqlValue: SQLValue { .text(description) }
}

extension Data: SQLBindable {
    package var sqlValue: SQLValue { .bytes(self) }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    package var sqlValue: SQLValue { map(\.sqlValue) ?? .null }
}

/// The values for one execution of a statement, in the order of its placeholders.
package struct SQLArguments: Sendable, ExpressibleByArrayLiteral {
    package var values: [SQLValue]

    package init(_ values: [SQLValue]) { self.values = values }

    package init(arrayLiteral elements: (any SQLBindable)?...) {
        values = elements.map { $0?.sqlValue ?? .null }
    }

    package static func + (left: Self, right: Self) -> Self { Self(left.values + right.values) }
}
