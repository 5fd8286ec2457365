/// The statements that a connection has sent in libpq's pipeline mode without waiting for their results. They wait in
/// the buffer of libpq for a query or the end of the transaction, so that all of them cost one round trip.
///
/// After one that fails, PostgreSQL skips all others, including the COMMIT.
final class PostgresPipeline {
    /// Bounds the memory for statements and results, and how many more statements are sent after one that fails.
    private static let maximumPending = 64

    private struct Statement {
        /// The job that sent it; `nil` outside of jobs.
        let job: Int?
        /// The statement that it prepares.
        let prepared: PostgresConnection.StatementKey?
    }

    private let pq: PostgresLibrary
    private let handle: PostgresLibrary.Connection
    private var statements: [Statement] = []
    private var isSyncSent = false
    private var jobs = 0
    private var job: Int?
    /// Thrown again by every call, because a job may ignore errors. It would then roll back the savepoint of another job.
    private var earlierJobError: EarlierJobError?

    /// Begins the pipeline mode, in which the functions of libpq that wait for results must not be used.
    init(_ pq: PostgresLibrary, _ handle: PostgresLibrary.Connection) throws {
        (self.pq, self.handle) = (pq, handle)
        guard pq.enterPipelineMode(handle) == 1 else { throw loss() }
    }

    var isEmpty: Bool { statements.isEmpty }
    var isFull: Bool { statements.count >= Self.maximumPending }
    /// Whether statements of no job are pending.
    var isPendingOutsideJobs: Bool { statements.contains { $0.job == nil } }

    /// Statements belong to a job until ``endJob()``.
    func beginJob() {
        jobs += 1
        job = jobs
    }

    func endJob() { job = nil }

    /// Sends a statement.
    /// - Parameters:
    ///   - key: The statement that it prepares.
    ///   - call: Calls the function of libpq that sends it.
    /// - Throws: ``PostgresError``; ``EarlierJobError`` if it has been thrown before.
    func send(preparing key: PostgresConnection.StatementKey? = nil, _ call: () -> Int32) throws {
        if let earlierJobError { throw earlierJobError }
        guard call() == 1 else { throw loss() }
        statements.append(Statement(job: job, prepared: key))
    }

    /// Makes the server execute all statements. No other may be sent until their results are received.
    func sendSync() throws {
        guard !isSyncSent, !statements.isEmpty else { return }
        guard pq.pipelineSync(handle) == 1 else { throw loss() }
        isSyncSent = true
    }

    /// Waits for the results of all statements.
    /// - Parameter forget: Called with each statement that could not be prepared.
    /// - Returns: The results of the statements, without those that are only prepared.
    /// - Throws: ``PostgresError``; ``EarlierJobError`` if a statement of a job that has ended has failed.
    func receiveResults(forget: (PostgresConnection.StatementKey) -> Void) throws -> [PostgresResult] {
        if let earlierJobError { throw earlierJobError }
        guard !statements.isEmpty else { return [] }
        try sendSync()
        let sent = statements
        (statements, isSyncSent) = ([], false)
        var failure: (error: PostgresError, job: Int?)?
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
        guard receiveSync() else { throw loss(failure?.error.message) }
        guard let failure else { return results }
        guard failure.job == job else {
            let error = EarlierJobError(cause: failure.error)
            earlierJobError = error
            throw error
        }
        throw failure.error
    }

    /// Ends the pipeline mode.
    /// - Returns: Whether the connection can still be used.
    func exit() -> Bool { pq.exitPipelineMode(handle) == 1 }

    /// - Returns: Whether the server has responded to ``sendSync()``, as it does unless the connection is lost.
    private func receiveSync() -> Bool {
        let result = pq.getResult(handle)
        defer { if let result { pq.clear(result) } }
        return pq.resultStatus(result) == PostgresLibrary.ResultStatus.pipelineSync.rawValue
    }

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
        PostgresError(state: nil, message: message ?? PostgresLibrary.text(pq.errorMessage(handle)))
    }
}

/// The failure of a statement of a job that has ended. The transaction has to be repeated, waiting for the results of
/// each job before the next one.
struct EarlierJobError: Error {
    let cause: PostgresError
}
