import Synchronization

/// The newest known position in the change log, available without a database query.
///
/// A writer advances it after the commit and before acknowledging the write. Changes made by other processes advance it
/// when the log is next read.
package final class LogPosition: Sendable {
    /// A random identifier, replaced whenever data cached by readers becomes invalid.
    package var epoch: String { currentEpoch.withLock { $0 } }
    private let currentEpoch: Mutex<String>
    private let last: Atomic<Int64>

    package init(epoch: String, sequence: Int64) {
        currentEpoch = Mutex(epoch)
        last = Atomic(sequence)
    }

    /// The newest sequence number.
    package var sequence: Int64 { last.load(ordering: .acquiring) }

    /// Advances the position; a smaller sequence number has no effect.
    package func advance(to sequence: Int64) { last.max(sequence, ordering: .acquiringAndReleasing) }

    /// Starts again at an earlier position, after the database has lost its newest changes.
    package func restart(epoch: String, at sequence: Int64) {
        currentEpoch.withLock { $0 = epoch }
        last.store(sequence, ordering: .releasing)
    }
}
