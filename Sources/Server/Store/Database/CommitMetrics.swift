import CoreMetrics
import FeedCore

/// Measures the transactions of ``GroupCommit``.
struct CommitMetrics: Sendable {
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
