package import FeedCore
import Foundation
package import GRDB
import Synchronization

/// Many writers share one transaction, and so one fsync: whoever comes while a commit is under way is taken along by
/// the next one. Nobody is told "done" before the commit that holds his change is on the disk.
package final class GroupCommit: Sendable {
    private struct Job: Sendable {
        /// Runs inside a savepoint of its own.
        let run: @Sendable (Database) throws -> Void
        /// Called once, after the commit or its failure.
        let finish: @Sendable (Result<Void, any Error>) -> Void
    }

    private static let maximumBatch = 256

    private let pool: DatabasePool
    private let log: LogPosition
    private let jobs = Mutex<[Job]>([])

    package init(pool: DatabasePool, log: LogPosition) {
        self.pool = pool
        self.log = log
    }

    /// Runs `body` in a transaction and returns its value once that is durable.
    /// - Throws: What `body` threw (then nothing of it is stored), or ``FeedError`` when the disk failed.
    package func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let box = Mutex<Value?>(nil)
            let job = Job(
                run: { db in
                    let value = try body(db)
                    box.withLock { $0 = value }
                },
                finish: { result in
                    continuation.resume(with: Self.outcome(of: result, box.withLock { $0 }))
                })
            jobs.withLock { $0.append(job) }
            // Not `pool.write`: that one is cancelled with its caller, who here may carry the work of others.
            pool.asyncWriteWithoutTransaction { [self] db in flush(db) }
        }
    }

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
        var results: [Result<Void, any Error>] = []
        do {
            var sequence: Int64 = 0
            try db.inTransaction(.immediate) {
                results = batch.map { job in Result { try Self.inSavepoint(db) { try job.run(db) } } }
                sequence = try db.lastChange()
                return .commit
            }
            log.advance(to: sequence)
        } catch {
            let failure = StoreError.translate(error)
            results = batch.map { _ in .failure(failure) }
        }
        for (job, result) in zip(batch, results) { job.finish(result.mapError(StoreError.translate)) }
    }

    private static func inSavepoint(_ db: Database, _ body: () throws -> Void) throws {
        try db.inSavepoint {
            try body()
            return .commit
        }
    }
}
