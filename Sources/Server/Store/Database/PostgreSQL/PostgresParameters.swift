import Foundation

/// Parameter values in the format of `PQexecPrepared`: binary, except for lists, which are text.
struct PostgresParameters {
    /// The object ids of the types in `pg_type`; 0 for NULL.
    private(set) var types: [UInt32] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    /// All values, one after the other.
    private var buffer: [UInt8] = []

    init(_ values: [SQLValue]) {
        types.reserveCapacity(values.count)
        lengths.reserveCapacity(values.count)
        formats.reserveCapacity(values.count)
        for value in values { append(value) }
        // Gives an empty text at the end a valid address.
        buffer.append(0)
    }

    private mutating func append(_ value: SQLValue) {
        switch value {
        case .null: append(type: 0, [])
        case .integer(let value): withUnsafeBytes(of: value.bigEndian) { append(type: 20, $0) }
        case .real(let value): withUnsafeBytes(of: value.bitPattern.bigEndian) { append(type: 701, $0) }
        case .text(let value): append(type: 25, value.utf8)
        case .bytes(let value): append(type: 17, value)
        case .list(let ids):
            append(type: 1016, ("{" + ids.map(String.init).joined(separator: ",") + "}\0").utf8, format: 0)
        }
    }

    private mutating func append(type: UInt32, _ bytes: some Collection<UInt8>, format: Int32 = 1) {
        types.append(type)
        lengths.append(Int32(bytes.count))
        formats.append(format)
        buffer.append(contentsOf: bytes)
    }

    /// Calls `body` with pointers that are valid only until it returns.
    func withPointers<Value>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) throws -> Value
    ) rethrows -> Value {
        try buffer.withUnsafeBytes { bytes in
            var offset = 0
            let pointers: [UnsafePointer<CChar>?] = types.indices.map { index in
                guard types[index] != 0, let base = bytes.baseAddress else { return nil }
                defer { offset += Int(lengths[index]) }
                return (base + offset).assumingMemoryBound(to: CChar.self)
            }
            return try body(pointers, lengths, formats)
        }
    }
}
