/// The statements that a connection has sent in libpq's pipeline mode without waiting for their results. They wait in
/// the buffer of libpq for a query or the end of the transaction, so that all of them cost one round trip.
///
/// After one that fails, PostgreSQL skips all others, including the COMMIT.
final class PostgresPipeline {
    /// The results of these many statements fit into the buffer of a socket. With more of them, both sides could wait
    /// for each other to read.
    private static let limit = 64
    /// A value of `resultStatus`: all statements before a call of ``synchronize()`` have ended.
    private static let synchronized: Int32 = 10

    private struct Statement {
        /// The job that sent it; 0 outside of jobs.
        let job: Int
        /// The statement that it prepares.
        let prepared: PostgresConnection.StatementKey?
    }

    private let pq: LibPQ
    private let handle: LibPQ.Connection
    private var statements: [Statement] = []
    private var isSynchronized = false
    private var jobs = 0
    private var job = 0

    /// Begins the pipeline mode, in which the functions of libpq that wait for results must not be used.
    init(_ pq: LibPQ, _ handle: LibPQ.Connection) throws {
        (self.pq, self.handle) = (pq, handle)
        guard pq.enterPipelineMode(handle) == 1 else { throw loss() }
    }

    var isEmpty: Bool { statements.isEmpty }
    var isFull: Bool { statements.count >= Self.limit }

    /// Statements belong to a job until ``endJob()``.
    func beginJob() {
        jobs += 1
        job = jobs
    }

    func endJob() { job = 0 }

    /// Adds a statement that has been sent.
    /// - Parameters:
    ///   - result: The result of the function that has sent it.
    ///   - key: The statement that it prepares.
    func append(_ result: Int32, preparing key: PostgresConnection.StatementKey? = nil) throws {
        guard result == 1 else { throw loss() }
        statements.append(Statement(job: job, prepared: key))
    }

    /// Makes the server execute all statements. No other may be added until their results are received.
    func synchronize() throws {
        guard !isSynchronized, !statements.isEmpty else { return }
        guard pq.pipelineSync(handle) == 1 else { throw loss() }
        isSynchronized = true
    }

    /// Receives the results of all statements.
    /// - Parameter forget: Called with each statement that could not be prepared.
    /// - Returns: The results of the statements, without those that are only prepared.
    /// - Throws: ``PostgresError``; ``EarlierJobError`` if a statement of a job that has ended has failed.
    func finish(forget: (PostgresConnection.StatementKey) -> Void) throws -> [PostgresResult] {
        try synchronize()
        let sent = statements
        (statements, isSynchronized) = ([], false)
        var failure: (error: PostgresError, job: Int)?
        var results: [PostgresResult] = []
        for statement in sent {
            do {
                let result = try next()
                if statement.prepared == nil { results.append(result) }
            } catch let error as PostgresError {
                statement.prepared.map(forget)
                failure = failure ?? (error, statement.job)
            }
        }
        let end = pq.getResult(handle)
        defer { if let end { pq.clear(end) } }
        guard pq.resultStatus(end) == Self.synchronized else {
            throw failure.map { loss($0.error.message) } ?? loss()
        }
        guard let failure else { return results }
        guard [0, job].contains(failure.job) else { throw EarlierJobError(cause: failure.error) }
        throw failure.error
    }

    /// Ends the pipeline mode.
    /// - Returns: Whether the connection can still be used.
    func end() -> Bool { pq.exitPipelineMode(handle) == 1 }

    /// The result of the next statement.
    private func next() throws -> PostgresResult {
        let result = pq.getResult(handle).map { PostgresResult(pq: pq, handle: $0) }
        // The results of a statement end with a null pointer.
        while let rest = pq.getResult(handle) { pq.clear(rest) }
        guard let result else { throw loss() }
        if let error = result.error { throw error }
        return result
    }

    private func loss(_ message: String? = nil) -> PostgresError {
        PostgresError(state: nil, message: message ?? LibPQ.text(pq.errorMessage(handle)))
    }
}

/// The failure of a statement of a job that has ended. The transaction has to be repeated, waiting for the results of
/// each job before the next one.
struct EarlierJobError: Error {
    let cause: PostgresError
}
