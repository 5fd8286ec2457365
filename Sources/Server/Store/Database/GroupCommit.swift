import FeedCore
import Foundation
package import GRDB
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
    }

    private static let maximumBatch = 256

    private let pool: DatabasePool
    private let log: LogPosition
    private let health: DatabaseHealth
    private let reserve: DiskReserve
    private let jobs = Mutex<[Job]>([])

    init(pool: DatabasePool, log: LogPosition, health: DatabaseHealth, reserve: DiskReserve) {
        self.pool = pool
        self.log = log
        self.health = health
        self.reserve = reserve
    }

    /// Runs `body` in a transaction and returns its value once that is durable.
    /// - Parameter freesSpace: Whether `body` deletes data, and so may use the disk reserve if the disk is full.
    /// - Throws: The error of `body`, whose changes are then rolled back, or ``FeedError`` if the commit failed.
    package func write<Value: Sendable>(
        freesSpace: Bool = false, _ body: @escaping @Sendable (Database) throws -> Value
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
                }, freesSpace: freesSpace)
            jobs.withLock { $0.append(job) }
            // Not `pool.write`, which is cancelled with its caller: this caller may commit the jobs of others.
            pool.asyncWriteWithoutTransaction { [self] db in flush(db) }
        }
    }

    /// The number of writes that wait for the next transaction.
    var waiting: Int { jobs.withLock { $0.count } }

    private static func outcome<Value>(of result: Result<Void, any Error>, _ value: Value?) -> Result<Value, any Error>
    {
        switch result {
        case .failure(let error): return .failure(error)
        case .success:
            guard let value else { return .failure(FeedError(.storage, "The change was not stored")) }
            return .success(value)
        }
    }

    private func flush(_ db: Database) {
        let batch = jobs.withLock { pending in
            let batch = pending.prefix(Self.maximumBatch)
            pending.removeFirst(batch.count)
            return Array(batch)
        }
        guard !batch.isEmpty else { return }
        for (job, result) in zip(batch, results(of: batch, db)) { job.finish(result.mapError(StoreError.translate)) }
    }

    /// - Returns: The result of each job, in the same order.
    private func results(of batch: [Job], _ db: Database) -> [Result<Void, any Error>] {
        do {
            return try commit(batch, db)
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_FULL && batch.contains(where: \.freesSpace) && reserve.release()
        {
            return batch.map { job in
                job.freesSpace ? Result { try commit([job], db)[0].get() } : .failure(error)
            }
        } catch {
            health.note(error)
            return batch.map { _ in .failure(error) }
        }
    }

    private func commit(_ batch: [Job], _ db: Database) throws -> [Result<Void, any Error>] {
        try health.requireWritable()
        var results: [Result<Void, any Error>] = []
        var sequence: Int64 = 0
        try db.inTransaction(.immediate) {
            results = try batch.map { try run($0, db) }
            // Other jobs may have written after a job that met corruption.
            try health.requireWritable()
            sequence = try db.lastChange()
            return .commit
        }
        log.advance(to: sequence)
        return results
    }

    /// - Throws: An error that ended the whole transaction, which SQLite rolls back when the disk is full.
    private func run(_ job: Job, _ db: Database) throws -> Result<Void, any Error> {
        let result = Result {
            try db.inSavepoint {
                try job.run(db)
                return .commit
            }
        }
        guard case .failure(let error) = result else { return result }
        health.note(error)
        guard db.isInsideTransaction else { throw error }
        if let error = error as? DatabaseError, error.resultCode == .SQLITE_FULL { throw error }
        return result
    }
}
