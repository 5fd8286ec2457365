import Foundation

/// Parameter values in the format of `PQexecPrepared`: binary, except for lists, which are text.
struct PostgresParameters {
    private struct Parameter {
        /// The object id of the type in `pg_type`.
        var type: UInt32
        var bytes: [UInt8]?
        var isBinary = true
    }

    private let parameters: [Parameter]

    init(_ values: [SQLValue]) { parameters = values.map(Self.parameter) }

    /// The parameter types as text, part of the key of a prepared statement.
    var signature: String { parameters.map { String($0.type) + " " }.joined() }

    private static func parameter(_ value: SQLValue) -> Parameter {
        switch value {
        case .null: Parameter(type: 0)
        case .integer(let value): Parameter(type: 20, bytes: withUnsafeBytes(of: value.bigEndian, Array.init))
        case .text(let value): Parameter(type: 25, bytes: Array(value.utf8))
        case .bytes(let value): Parameter(type: 17, bytes: Array(value))
        case .list(let ids):
            Parameter(
                type: 1016, bytes: Array(("{" + ids.map(String.init).joined(separator: ",") + "}\0").utf8),
                isBinary: false)
        }
    }

    /// Calls `body` with pointers that are valid only until it returns.
    func withPointers<Value>(
        _ body: (
            UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) throws -> Value
    ) rethrows -> Value {
        // One buffer holds all values. The extra byte gives an empty text a valid address.
        let buffer = parameters.compactMap(\.bytes).joined() + [0]
        return try buffer.withUnsafeBytes { bytes in
            var offset = 0
            let pointers: [UnsafePointer<CChar>?] = parameters.map { parameter in
                guard let value = parameter.bytes, let base = bytes.baseAddress else { return nil }
                defer { offset += value.count }
                return (base + offset).assumingMemoryBound(to: CChar.self)
            }
            let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
            let formats = parameters.map { Int32($0.isBinary ? 1 : 0) }
            return try body(parameters.map(\.type), pointers, lengths, formats)
        }
    }
}
