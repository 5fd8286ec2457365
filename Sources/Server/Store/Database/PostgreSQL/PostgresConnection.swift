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
    private var preparedCount = 0
    private var count = 0
    /// `nil` unless transactions are pipelined.
    private var pipeline: PostgresPipeline?
    private var isBroken = false

    /// - Throws: ``PostgresError`` if the server does not respond or refuses the connection.
    init(_ pq: LibPQ, url: String, dialect: PostgresDialect) throws {
        self.pq = pq
        self.dialect = dialect
        guard let handle = pq.connectdb(url) else { throw PostgresError(state: nil, message: "out of memory") }
        guard pq.status(handle) == 0 else {
            let message = LibPQ.text(pq.errorMessage(handle))
            pq.finish(handle)
            throw PostgresError(state: nil, message: message)
        }
        self.handle = handle
    }

    deinit { pq.finish(handle) }

    var isAlive: Bool { !isBroken && pq.status(handle) == 0 }
    var isInsideTransaction: Bool {
        pipeline?.isEmpty == false || pq.transactionStatus(handle) == Self.inTransaction
    }
    var isIdle: Bool { pq.transactionStatus(handle) == Self.idle }
    var serverVersion: Int { Int(pq.serverVersion(handle)) }
    var encoding: String { LibPQ.text(pq.parameterStatus(handle, "server_encoding")) }
    var socket: Int32 { pq.socket(handle) }

    /// Executes statements without parameters.
    @discardableResult
    func execute(_ sql: String) throws -> PostgresResult { try result(pq.exec(handle, sql)) }

    func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row] {
        if let pipeline {
            try send(sql, values, isReused: isReused, in: pipeline)
            return try finish(pipeline)?.rows(of: sql) ?? []
        }
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
        count = result.affectedRows
        return result.rows(of: sql)
    }

    /// Executes a statement without waiting for its result while the connection is in pipeline mode.
    func execute(_ sql: String, _ values: [SQLValue], isReused: Bool) throws {
        guard let pipeline else {
            _ = try run(sql, values, isReused: isReused)
            return
        }
        try send(sql, values, isReused: isReused, in: pipeline)
        if pipeline.isFull { _ = try finish(pipeline) }
    }

    var changesCount: Int {
        get throws {
            try wait()
            return count
        }
    }

    /// Waits for the results of all statements that were sent.
    private func wait() throws { if let pipeline, !pipeline.isEmpty { _ = try finish(pipeline) } }

    private func finish(_ pipeline: PostgresPipeline) throws -> PostgresResult? {
        let result = try pipeline.finish { statements[$0] = nil }
        count = result?.affectedRows ?? 0
        return result
    }

    private func send(_ sql: String, _ values: [SQLValue], isReused: Bool, in pipeline: PostgresPipeline) throws {
        let parameters = PostgresParameters(values)
        try parameters.withPointers { types, pointers, lengths, formats in
            let count = Int32(values.count)
            guard isReused else {
                return try pipeline.append(
                    pq.sendQueryParams(handle, dialect.translate(sql), count, types, pointers, lengths, formats, 1))
            }
            let name = try prepared(sql, parameters.signature, types, count)
            try pipeline.append(pq.sendQueryPrepared(handle, name, count, pointers, lengths, formats, 1))
        }
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
                """, [], isReused: false)
        }
    }

    /// The name of a prepared statement. It depends on the parameter types, because NULL has no type of its own.
    private func prepared(
        _ sql: String, _ signature: String, _ types: UnsafePointer<UInt32>?, _ count: Int32
    ) throws -> String {
        let key = signature + sql
        if let name = statements[key] { return name }
        if statements.count >= Self.limit {
            try execute("DEALLOCATE ALL", [], isReused: false)
            statements = [:]
        }
        // Names are not used again: a statement that failed may have been prepared.
        preparedCount += 1
        let name = "s\(preparedCount)"
        if let pipeline {
            try pipeline.append(pq.sendPrepare(handle, name, dialect.translate(sql), count, types), preparing: key)
        } else {
            _ = try result(pq.prepare(handle, name, dialect.translate(sql), count, types))
        }
        statements[key] = name
        return name
    }

    private func result(_ handle: LibPQ.Result?) throws -> PostgresResult {
        guard let result = handle.map({ PostgresResult(pq: pq, handle: $0) }) else {
            throw PostgresError(state: nil, message: LibPQ.text(pq.errorMessage(self.handle)))
        }
        guard let error = result.error else { return result }
        throw isAlive ? error : PostgresError(state: nil, message: error.message)
    }

    /// Consumes pending notifications.
    /// - Returns: Their number; they have no payload.
    /// - Throws: ``PostgresError`` if the connection is lost.
    func takeNotifications() throws -> Int {
        guard pq.consumeInput(handle) == 1 else {
            throw PostgresError(state: nil, message: LibPQ.text(pq.errorMessage(handle)))
        }
        var count = 0
        while let notification = pq.notifies(handle) {
            pq.freemem(notification)
            count += 1
        }
        return count
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

    func inSavepoint(isRepeatable: Bool, _ body: () throws -> Void) throws {
        pipeline?.beginJob()
        defer { pipeline?.endJob() }
        do {
            try execute("SAVEPOINT job", [], isReused: true)
            try body()
            try execute("RELEASE job", [], isReused: true)
            if !isRepeatable { try wait() }
        } catch let error as EarlierJobError {
            throw error
        } catch {
            try rollBackJob()
            throw error
        }
    }

    private func rollBackJob() throws {
        // What follows a statement that fails is skipped, so that its result must be known first.
        do { try wait() } catch let error as PostgresError where !error.isConnectionLoss {}
        // Not `try?`: a lost connection affects the whole batch and must not be mistaken for the failure of one job.
        try execute("ROLLBACK TO job", [], isReused: true)
        try execute("RELEASE job", [], isReused: true)
        try wait()
    }

    /// Begins a transaction in which statements do not wait for their results.
    /// - Parameter statements: The statements that begin it.
    func beginPipelined(_ statements: [String]) throws {
        pipeline = try pipeline ?? PostgresPipeline(pq, handle)
        try wait()
        for statement in statements { try execute(statement, [], isReused: true) }
    }

    /// Runs `body` in a transaction that only reads. It begins with the first query, and nobody waits for its end.
    func readPipelined<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            try beginPipelined(["BEGIN ISOLATION LEVEL REPEATABLE READ"])
            let value = try body()
            try execute("COMMIT", [], isReused: true)
            try pipeline?.synchronize()
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    func commitPipelined() throws {
        try execute("COMMIT", [], isReused: true)
        try wait()
        endPipeline()
    }

    /// Ends the current transaction, if the connection is not lost.
    func rollBack() {
        _ = try? wait()
        if isAlive, !isIdle { _ = try? run("ROLLBACK", [], isReused: false) }
        endPipeline()
    }

    /// A connection that cannot leave the pipeline mode is as good as lost.
    private func endPipeline() {
        isBroken = isBroken || pipeline?.end() == false
        pipeline = nil
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
