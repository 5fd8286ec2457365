import FeedCore
import Foundation

/// A connection to a PostgreSQL server. It may be used by only one thread at a time.
final class PostgresConnection: DatabaseConnection {
    /// A statement is prepared for the types of its parameters, because NULL has no type of its own.
    struct StatementKey: Hashable {
        let sql: String
        let types: [UInt32]
    }

    let pq: PostgresLibrary
    private let dialect: PostgresSQL
    private let handle: PostgresLibrary.Connection
    private let maximumStatements: Int
    /// The names of the prepared statements.
    private var statements: [StatementKey: String] = [:]
    private var preparedCount = 0
    /// The number of rows that the last statement whose result was received has affected.
    private var affectedRows = 0
    /// The pipeline of a transaction, or of queries outside of one. Transactions that only read share one.
    private var pipeline: PostgresPipeline?
    private var isBroken = false

    /// - Parameter maximumStatements: The number of prepared statements above which all of them are removed.
    /// - Throws: ``PostgresError`` if the server does not respond or refuses the connection.
    init(_ pq: PostgresLibrary, url: String, dialect: PostgresSQL, maximumStatements: Int = 1000) throws {
        self.pq = pq
        self.dialect = dialect
        self.maximumStatements = maximumStatements
        guard let handle = pq.connectdb(url) else { throw PostgresError(state: nil, message: "out of memory") }
        guard pq.status(handle) == PostgresLibrary.connectionOK else {
            let message = PostgresLibrary.text(pq.errorMessage(handle))
            pq.finish(handle)
            throw PostgresError(state: nil, message: message)
        }
        self.handle = handle
    }

    deinit { pq.finish(handle) }

    var isAlive: Bool { !isBroken && pq.status(handle) == PostgresLibrary.connectionOK }
    /// Whether a transaction has begun and is not known to have failed.
    var isInsideTransaction: Bool {
        isAlive && (pipeline?.isEmpty == false || transactionStatus == .inTransaction)
    }
    var isIdle: Bool { transactionStatus == .idle }
    private var transactionStatus: PostgresLibrary.TransactionStatus? { .init(rawValue: pq.transactionStatus(handle)) }
    var serverVersion: Int { Int(pq.serverVersion(handle)) }
    var encoding: String { PostgresLibrary.text(pq.parameterStatus(handle, "server_encoding")) }
    var socket: Int32 { pq.socket(handle) }

    /// Executes one or more statements without parameters, separated by semicolons, and waits until they have ended.
    /// Pipelined transactions must not use it.
    func executeScript(_ script: String) throws {
        precondition(pipeline == nil, "libpq does not execute scripts in its pipeline mode")
        guard let result = pq.exec(handle, script).map({ PostgresResult(pq: pq, handle: $0) }) else {
            throw PostgresError(state: nil, message: PostgresLibrary.text(pq.errorMessage(handle)))
        }
        guard let error = result.error else { return }
        throw isAlive ? error : PostgresError(state: nil, message: error.message)
    }

    func run(_ sql: String, _ values: [SQLValue], isReused: Bool) throws -> [Row] {
        var query = SQL(sql: sql, values)
        query.isReused = isReused
        return try run([query])[0]
    }

    func run(_ queries: [SQL]) throws -> [[Row]] {
        guard !queries.isEmpty else { return [] }
        let isPipelined = pipeline != nil
        let pipeline = try openPipeline()
        defer { if !isPipelined { closePipeline() } }
        try evictStatements(in: pipeline)
        for query in queries { try send(query.text, query.values, isReused: query.isReused, in: pipeline) }
        return zip(try receiveResults().suffix(queries.count), queries).map { $0.rows(of: $1.text) }
    }

    /// Executes a statement, without waiting for its result if the transaction is pipelined.
    func execute(_ sql: String, _ values: [SQLValue], isReused: Bool) throws {
        guard let pipeline else {
            _ = try run(sql, values, isReused: isReused)
            return
        }
        try evictStatements(in: pipeline)
        try send(sql, values, isReused: isReused, in: pipeline)
        if pipeline.isFull { try receiveResults() }
    }

    var changesCount: Int {
        get throws {
            try receiveResults()
            return affectedRows
        }
    }

    private func openPipeline() throws -> PostgresPipeline {
        if let pipeline { return pipeline }
        let new = try PostgresPipeline(pq, handle)
        pipeline = new
        return new
    }

    /// A connection that cannot leave the pipeline mode is as good as lost.
    private func closePipeline() {
        isBroken = isBroken || pipeline?.exit() == false
        pipeline = nil
    }

    private func send(_ sql: String, _ values: [SQLValue], isReused: Bool, in pipeline: PostgresPipeline) throws {
        let parameters = PostgresParameters(values)
        let (types, count) = (parameters.types, Int32(parameters.types.count))
        let name = isReused ? try prepared(sql, types, in: pipeline) : nil
        try parameters.withPointers { pointers, lengths, formats in
            try pipeline.send {
                if let name {
                    pq.sendQueryPrepared(handle, name, count, pointers, lengths, formats, 1)
                } else {
                    pq.sendQueryParams(handle, dialect.translate(sql), count, types, pointers, lengths, formats, 1)
                }
            }
        }
    }

    /// Waits for the results of all statements that were sent.
    @discardableResult
    private func receiveResults() throws -> [PostgresResult] {
        guard let pipeline else { return [] }
        let results = try pipeline.receiveResults { statements[$0] = nil }
        if let last = results.last { affectedRows = last.affectedRows }
        return results
    }

    var fullText: any SearchIndex { PostgresSearchIndex() }

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

    /// The name of a prepared statement.
    private func prepared(_ sql: String, _ types: [UInt32], in pipeline: PostgresPipeline) throws -> String {
        let key = StatementKey(sql: sql, types: types)
        if let name = statements[key] { return name }
        // Names are not used again: a statement that failed may have been prepared.
        preparedCount += 1
        let name = "s\(preparedCount)"
        try pipeline.send(preparing: key) {
            pq.sendPrepare(handle, name, dialect.translate(sql), Int32(types.count), types)
        }
        statements[key] = name
        return name
    }

    /// Removes all prepared statements if there are too many of them. Called before queries are sent, because the result
    /// would be mistaken for that of a query. In a transaction that has failed, it would be refused.
    private func evictStatements(in pipeline: PostgresPipeline) throws {
        guard statements.count >= maximumStatements, transactionStatus != .inError else { return }
        try send("DEALLOCATE ALL", [], isReused: false, in: pipeline)
        statements = [:]
    }

    /// Consumes pending notifications.
    /// - Returns: Their number; they have no payload.
    /// - Throws: ``PostgresError`` if the connection is lost.
    func takeNotifications() throws -> Int {
        guard pq.consumeInput(handle) == 1 else {
            throw PostgresError(state: nil, message: PostgresLibrary.text(pq.errorMessage(handle)))
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
    /// Runs `body` in a transaction, which is rolled back if `body` throws.
    /// - Parameter begin: The statements that begin the transaction.
    func transaction<Value>(_ begin: String, _ body: () throws -> Value) throws -> Value {
        do {
            try executeScript(begin)
            let value = try body()
            try executeScript("COMMIT")
            return value
        } catch {
            if isAlive, !isIdle { try? executeScript("ROLLBACK") }
            throw error
        }
    }

    /// Runs `body` in a savepoint, which is rolled back if `body` throws.
    /// - Parameter mayFailLater: Whether the savepoint may end before the results of its statements are known. If one of
    ///   them has failed, ``EarlierJobError`` is thrown later, and the transaction must be repeated.
    func inSavepoint(mayFailLater: Bool, _ body: () throws -> Void) throws {
        // Otherwise, the job would be blamed for their failure.
        if pipeline?.isPendingOutsideJobs == true { try receiveResults() }
        pipeline?.beginJob()
        defer { pipeline?.endJob() }
        do {
            try execute("SAVEPOINT job", [], isReused: true)
            try body()
            try execute("RELEASE job", [], isReused: true)
            if !mayFailLater { try receiveResults() }
        } catch let error as EarlierJobError {
            throw error
        } catch {
            try rollBackJob()
            throw error
        }
    }

    private func rollBackJob() throws {
        // What follows a statement that fails is skipped, so that its result must be known first.
        do { try receiveResults() } catch let error as PostgresError where !error.isConnectionLoss {}
        // Not `try?`: a lost connection affects the whole batch and must not be mistaken for the failure of one job.
        try execute("ROLLBACK TO job", [], isReused: true)
        try execute("RELEASE job", [], isReused: true)
        try receiveResults()
    }

    /// Begins a transaction in which statements do not wait for their results.
    /// - Parameter statements: The statements that begin it.
    func begin(_ statements: [String]) throws {
        _ = try openPipeline()
        try receiveResults()
        for statement in statements { try execute(statement, [], isReused: true) }
    }

    /// Runs `body` in a transaction that only reads. It begins with the first query, and nobody waits for its end.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            try begin(["BEGIN ISOLATION LEVEL REPEATABLE READ"])
            let value = try body()
            try execute("COMMIT", [], isReused: true)
            try pipeline?.sendSync()
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    func commit() throws {
        try execute("COMMIT", [], isReused: true)
        try receiveResults()
        closePipeline()
    }

    /// Ends the current transaction, if the connection is not lost.
    func rollBack() {
        _ = try? receiveResults()
        closePipeline()
        if isAlive, !isIdle { try? executeScript("ROLLBACK") }
    }
}
