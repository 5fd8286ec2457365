import FeedCore
import Foundation

/// A connection to a PostgreSQL server. It may be used by only one thread at a time.
final class PostgresConnection: WriterConnection {
    private static let limit = 1000
    /// Values of `transactionStatus`: outside a transaction, and inside one that has not failed.
    private static let (idle, inTransaction): (Int32, Int32) = (0, 2)

    let pq: LibPQ
    private let dialect: PostgresDialect
    private let handle: LibPQ.Connection
    private var statements: [String: String] = [:]
    private(set) var changesCount = 0

    /// - Throws: ``PostgresError`` if the server does not respond or refuses the connection.
    init(_ pq: LibPQ, url: String, dialect: PostgresDialect) throws {
        self.pq = pq
        self.dialect = dialect
        guard let handle = pq.connectdb(url) else { throw PostgresError(state: nil, message: "out of memory") }
        guard pq.status(handle) == 0 else {
            let message = Self.text(pq.errorMessage(handle))
            pq.finish(handle)
            throw PostgresError(state: nil, message: message)
        }
        self.handle = handle
    }

    deinit { pq.finish(handle) }

    var isAlive: Bool { pq.status(handle) == 0 }
    var isInsideTransaction: Bool { pq.transactionStatus(handle) == Self.inTransaction }
    var isIdle: Bool { pq.transactionStatus(handle) == Self.idle }
    var serverVersion: Int { Int(pq.serverVersion(handle)) }
    var encoding: String { Self.text(pq.parameterStatus(handle, "server_encoding")) }
    var socket: Int32 { pq.socket(handle) }

    /// Executes statements without parameters.
    @discardableResult
    func execute(_ sql: String) throws -> PostgresResult { try result(pq.exec(handle, sql)) }

    func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row] {
        let parameters = PostgresParameters(values)
        let result = try parameters.withPointers { types, pointers, lengths, formats in
            let count = Int32(values.count)
            guard isReused else {
                return try self.result(
                    pq.execParams(handle, dialect.translate(sql), count, types, pointers, lengths, formats, 1))
            }
            let name = try prepared(sql, parameters.signature, types, count)
            return try self.result(pq.execPrepared(handle, name, count, pointers, lengths, formats, 1))
        }
        changesCount = result.affectedRows
        return result.rows(of: sql)
    }

    var fullText: any FullTextIndex { PostgresFullText() }

    func columns(of table: String) throws -> [String] {
        try run(
            """
            SELECT CAST(column_name AS TEXT) FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = ? ORDER BY 1
            """, [.text(table)], isReused: false
        ).map { try $0[0] as String }.sorted()
    }

    func restartIdentities() throws {
        for (table, column) in [("change", "sequence"), ("replaced_blob", "id")] {
            try execute(
                """
                SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'),
                    (SELECT coalesce(max(\(column)), 0) + 1 FROM \(table)), false)
                """)
        }
    }

    /// The name of a prepared statement. It depends on the parameter types, because NULL has no type of its own.
    private func prepared(
        _ sql: String, _ signature: String, _ types: UnsafePointer<UInt32>?, _ count: Int32
    ) throws -> String {
        let key = signature + sql
        if let name = statements[key] { return name }
        if statements.count >= Self.limit {
            try execute("DEALLOCATE ALL")
            statements = [:]
        }
        let name = "s\(statements.count)"
        _ = try result(pq.prepare(handle, name, dialect.translate(sql), count, types))
        statements[key] = name
        return name
    }

    private func result(_ result: LibPQ.Result?) throws -> PostgresResult {
        let status = pq.resultStatus(result)
        // 0: empty query, 1: command, 2: rows.
        if let result, status <= 2 { return PostgresResult(pq: pq, handle: result) }
        defer { if let result { pq.clear(result) } }
        let state = pq.resultErrorField(result, 67).map { String(cString: $0) }
        throw PostgresError(state: isAlive ? state : nil, message: Self.text(pq.errorMessage(handle)))
    }

    /// Consumes pending notifications.
    /// - Returns: Their number; they have no payload.
    /// - Throws: ``PostgresError`` if the connection is lost.
    func takeNotifications() throws -> Int {
        guard pq.consumeInput(handle) == 1 else {
            throw PostgresError(state: nil, message: Self.text(pq.errorMessage(handle)))
        }
        var count = 0
        while let notification = pq.notifies(handle) {
            pq.freemem(notification)
            count += 1
        }
        return count
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
    }
}

extension PostgresConnection {
    func inTransaction(isRepeatable: () -> Bool, _ body: () throws -> Void) throws { try transaction("BEGIN", body) }

    /// Runs `body` in a transaction, which is rolled back if `body` throws.
    /// - Parameter begin: The statements that begin the transaction.
    func transaction<Value>(_ begin: String, _ body: () throws -> Value) throws -> Value {
        do {
            try execute(begin)
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            if isAlive, !isIdle { _ = try? execute("ROLLBACK") }
            throw error
        }
    }

    func inSavepoint(_ body: () throws -> Void) throws {
        try execute("SAVEPOINT job")
        do {
            try body()
            try execute("RELEASE job")
        } catch {
            // Not `try?`: a lost connection affects the whole batch and must not be mistaken for the failure of one
            // job.
            try execute("ROLLBACK TO job; RELEASE job")
            throw error
        }
    }
}

/// Parameter values in the format of `PQexecPrepared`: binary, except for lists, which are text.
private struct PostgresParameters {
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
        case .real(let value):
            Parameter(type: 701, bytes: withUnsafeBytes(of: value.bitPattern.bigEndian, Array.init))
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
