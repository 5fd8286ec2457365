import Foundation

/// The result of one statement, in binary form.
final class PostgresResult {
    private let pq: PostgresLibrary
    private let handle: PostgresLibrary.Result

    init(pq: PostgresLibrary, handle: PostgresLibrary.Result) {
        self.pq = pq
        self.handle = handle
    }

    deinit { pq.clear(handle) }

    /// The error, unless the statement has succeeded.
    var error: PostgresError? {
        switch PostgresLibrary.ResultStatus(rawValue: pq.resultStatus(handle)) {
        case .emptyQuery, .commandOK, .tuplesOK: nil
        default:
            PostgresError(
                state: pq.resultErrorField(handle, PostgresLibrary.stateField).map { String(cString: $0) },
                message: PostgresLibrary.text(pq.resultErrorMessage(handle)))
        }
    }

    var affectedRows: Int { pq.cmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    func rows(of statement: String) -> [Row] {
        let (rows, columns) = (pq.ntuples(handle), pq.nfields(handle))
        let types = (0..<columns).map { pq.ftype(handle, $0) }
        var values: [SQLValue] = []
        values.reserveCapacity(Int(rows) * Int(columns))
        for row in 0..<rows {
            for column in 0..<columns { values.append(value(row, column, type: types[Int(column)])) }
        }
        return Row.rows(values, columnCount: Int(columns), of: statement)
    }

    /// - Parameter type: The object id of the column's type in `pg_type`.
    private func value(_ row: Int32, _ column: Int32, type: UInt32) -> SQLValue {
        guard pq.getisnull(handle, row, column) == 0 else { return .null }
        let bytes = UnsafeRawBufferPointer(
            start: pq.getvalue(handle, row, column), count: Int(pq.getlength(handle, row, column)))
        // bool, int8, int2, int4; then bytea.
        return switch type {
        case 16, 20, 21, 23: .integer(Self.integer(bytes))
        case 17: .bytes(Data(bytes))
        default: .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// A big-endian integer of any width.
    private static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        let isNegative = bytes.count > 1 && bytes[0] & 0x80 != 0
        return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }
}
