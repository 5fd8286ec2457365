import FeedCore
import Foundation

/// The result of one statement, in binary form.
final class PostgresResult {
    private let pq: LibPQ
    private let handle: LibPQ.Result

    init(pq: LibPQ, handle: LibPQ.Result) {
        self.pq = pq
        self.handle = handle
    }

    deinit { pq.clear(handle) }

    var rowCount: Int { Int(pq.ntuples(handle)) }
    var columnCount: Int32 { pq.nfields(handle) }
    var affectedRows: Int { pq.cmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    func isNull(_ row: Int32, _ column: Int32) -> Bool { pq.getisnull(handle, row, column) == 1 }

    /// The object id of a column's type in `pg_type`.
    func type(_ column: Int32) -> UInt32 { pq.ftype(handle, column) }

    func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pq.getvalue(handle, row, column), count: Int(pq.getlength(handle, row, column)))
    }
}

/// A row of a ``PostgresResult``.
struct PostgresRow: RowSource {
    let result: PostgresResult
    let row: Int32

    func isNull(_ column: Int) -> Bool { result.isNull(row, Int32(column)) }

    /// The value of an integer column of any width, or of a Boolean column. Both are big-endian.
    func integer(_ column: Int) -> Int64 {
        let bytes = result.bytes(row, Int32(column))
        let isNegative = bytes.count > 1 && bytes[0] & 0x80 != 0
        return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    func text(_ column: Int) -> String { String(decoding: result.bytes(row, Int32(column)), as: UTF8.self) }

    func bytes(_ column: Int) -> Data { Data(result.bytes(row, Int32(column))) }

    func value(_ column: Int) -> SQLValue {
        if isNull(column) { return .null }
        switch result.type(Int32(column)) {
        case 17: return .bytes(bytes(column))
        case 20, 21, 23: return .integer(integer(column))
        default: return .text(text(column))
        }
    }

    var description: String {
        (0..<result.columnCount).map { column in
            result.isNull(row, column) ? "NULL" : Hexadecimal.text(result.bytes(row, column))
        }.joined(separator: " ")
    }
}
