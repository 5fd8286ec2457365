import CoreMetrics
import DequeModule
import FeedCore
import Foundation
import Synchronization

/// Combines concurrent writes into one transaction, and so one fsync: a write that arrives during a commit joins the
/// next one. No write returns before its commit is durable.
package final class GroupCommit: Sendable {
    private struct Job: Sendable {
        /// Runs in its own savepoint.
        let run: @Sendable (Database) throws -> Void
        /// Called once, after the commit or its failure.
        let finish: @Sendable (Result<Void, any Error>) -> Void
        let freesSpace: Bool
        let isRepeatable: Bool
    }

    /// The maximum number of rows of the change log kept in memory per commit.
    private static let maximumRows = 512

    private let engine: any DatabaseBackend
    private let log: RecentChanges
    private let jobs = Mutex<Deque<Job>>([])
    private let metrics = CommitMetrics()

    init(engine: any DatabaseBackend, log: RecentChanges) {
        self.engine = engine
        self.log = log
    }

    /// Runs `body` in a transaction and returns its value once the transaction is durable.
    /// - Parameters:
    ///   - freesSpace: Whether `body` deletes data and may therefore use the reserved disk space.
    ///   - isRepeatable: Whether `body` may run again, if the connection is lost before the commit or a statement of
    ///     another write fails.
    /// - Throws: The error of `body`, whose changes are then rolled back, or ``FeedError`` if the commit failed.
    package func write<Value: Sendable>(
        freesSpace: Bool = false, isRepeatable: Bool = true, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let box = Mutex<Value?>(nil)
            let job = Job(
                run: { db in
                    let value = try body(db)
                    box.withLock { $0 = value }
                },
                finish: { result in
                    continuation.resume(with: Self.outcome(of: result, box.withLock { $0 }))
                }, freesSpace: freesSpace, isRepeatable: isRepeatable)
            jobs.withLock { $0.append(job) }
            engine.write { [self] connection in flush(connection) }
        }
    }

    /// The number of writes waiting for the next transaction.
    package var waiting: Int { jobs.withLock { $0.count } }

    private static func outcome<Value>(of result: Result<Void, any Error>, _ value: Value?) -> Result<Value, any Error>
    {
        switch result {
        case .failure(let error): return .failure(error)
        case .success:
            guard let value else { return .failure(FeedError(.storage, "The change was not stored")) }
            return .success(value)
        }
    }

    private func flush(_ connection: any WriterConnection) {
        // An earlier transaction may have included the job.
        guard waiting > 0 else { return }
        var batch: [Job] = []
        let results = results(of: &batch, connection)
        for (job, result) in zip(batch, results) { job.finish(result.mapError(engine.failed)) }
    }

    /// Removes the jobs of the next batch from the queue.
    private func take() -> [Job] {
        jobs.withLock { pending in
            let batch = pending.prefix(engine.maximumBatch)
            pending.removeFirst(batch.count)
            return Array(batch)
        }
    }

    /// - Returns: The outcome of each job, in the order of `batch`.
    private func results(of batch: inout [Job], _ connection: any WriterConnection) -> [Result<Void, any Error>] {
        do {
            return try commit(&batch, connection)
        } catch  where engine.isDiskFull(error) && batch.contains(where: \.freesSpace) && engine.releaseReserve() {
            return batch.map { job in
                var single = [job]
                return job.freesSpace ? Result { try commit(&single, connection)[0].get() } : .failure(error)
            }
        } catch {
            if batch.isEmpty { batch = take() }
            return batch.map { _ in .failure(error) }
        }
    }

    /// - Parameter batch: The jobs. If there are none, they are taken from the queue once the transaction has the write
    ///   lock, so that jobs that arrive during the wait for other servers are included.
    private func commit(_ batch: inout [Job], _ connection: any WriterConnection) throws -> [Result<Void, any Error>] {
        try engine.requireWritable()
        var results: [Result<Void, any Error>] = []
        var sequence: Int64 = 0
        var rows: [Change] = []
        var newEpoch: String?
        var jobs = batch
        defer { batch = jobs }
        var failure: (any Error)?
        let start = ContinuousClock.now
        var end = start
        do {
            try connection.inTransaction(isRepeatable: { jobs.allSatisfy(\.isRepeatable) }) {
                // The first query, and so the one that waits for the lock.
                newEpoch = try renewEpochIfBehind(Database(connection: connection))
                if jobs.isEmpty { jobs = take() }
                results = try run(jobs, connection, &failure)
                let db = Database(connection: connection)
                rows = try db.changes(after: log.sequence, limit: Self.maximumRows)
                sequence = try position(after: rows, isRenewed: newEpoch != nil, in: db)
                end = .now
            }
        } catch {
            guard let failure else { throw error }
            return [.failure(failure)]
        }
        metrics.record(jobs: jobs.count, start: start, end: end)
        if let newEpoch { log.restart(epoch: newEpoch, at: sequence) } else { log.extend(by: rows, upTo: sequence) }
        return results
    }

    /// The position after the transaction.
    private func position(after rows: [Change], isRenewed: Bool, in db: Database) throws -> Int64 {
        guard !isRenewed, rows.count < Self.maximumRows, let last = rows.last else { return try db.lastChange() }
        return last.sequence
    }

    /// - Parameter failure: The error of the only job, whose transaction is rolled back.
    private func run(
        _ jobs: [Job], _ connection: any WriterConnection, _ failure: inout (any Error)?
    ) throws -> [Result<Void, any Error>] {
        let refusal = jobs.allSatisfy(\.freesSpace) ? nil : missingReserve()
        if jobs.count == 1, refusal == nil { return [.success(try runAlone(jobs[0], connection, &failure))] }
        let mayFailLater = jobs.allSatisfy(\.isRepeatable)
        let results = try jobs.map { job in
            if let refusal, !job.freesSpace { return Result<Void, any Error>.failure(refusal) }
            return try run(job, mayFailLater: mayFailLater, connection)
        }
        // A job may have detected corruption; the other jobs must not be committed then.
        try engine.requireWritable()
        return results
    }

    /// Runs the only job without a savepoint, which would copy each page that the job changes.
    private func runAlone(_ job: Job, _ connection: any WriterConnection, _ failure: inout (any Error)?) throws {
        failure = nil
        do { try job.run(Database(connection: connection)) } catch {
            if connection.isInsideTransaction, !engine.isDiskFull(error) { failure = error }
            throw error
        }
    }

    /// Renews the epoch if the database has lost changes that clients have seen, because a standby that lacked them was
    /// promoted. No other server can commit while the lock is held, so the comparison is reliable.
    /// - Returns: The new epoch.
    private func renewEpochIfBehind(_ db: Database) throws -> String? {
        guard engine.isShared, try db.lastChange() < log.sequence else { return nil }
        let epoch = UUID().uuidString.lowercased()
        try FeedDatabase.setMeta("epoch", epoch, in: db)
        return epoch
    }

    /// The error for writes other than deletions while disk space is short.
    private func missingReserve() -> FeedError? {
        do throws(FeedError) { try engine.requireReserve() } catch { return error }
        return nil
    }

    /// - Throws: The error that ended the whole transaction, for example a full disk, after which SQLite rolls back.
    private func run(
        _ job: Job, mayFailLater: Bool, _ connection: any WriterConnection
    ) throws -> Result<Void, any Error> {
        let result = Result {
            try connection.inSavepoint(mayFailLater: mayFailLater) { try job.run(Database(connection: connection)) }
        }
        guard case .failure(let error) = result else { return result }
        _ = engine.failed(error)
        guard connection.isInsideTransaction, !engine.isDiskFull(error) else { throw error }
        return result
    }
}

/// Measures the transactions of ``GroupCommit``.
private struct CommitMetrics: Sendable {
    private let jobs = Recorder(label: MetricName.commitJobs.rawValue)
    private let duration = CoreMetrics.Timer(label: MetricName.commitDuration.rawValue)
    private let sync = CoreMetrics.Timer(label: MetricName.commitSync.rawValue)

    /// Records a transaction that has just been committed.
    /// - Parameters:
    ///   - jobs: The number of writes that it combined.
    ///   - start: When it began to wait for the write lock.
    ///   - end: When its last statement had run, and the commit, which includes the fsync, began.
    func record(jobs: Int, start: ContinuousClock.Instant, end: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        self.jobs.record(jobs)
        duration.recordNanoseconds((now - start).nanoseconds)
        sync.recordNanoseconds((now - end).nanoseconds)
    }
}
