import Synchronization

/// How far the change log is known to have come, without asking the database. A writer moves it after its commit and
/// before its acknowledgement; what other processes write moves it when the log is next read.
package final class LogPosition: Sendable {
    /// Random; renewed when what readers have kept is void.
    package let epoch: String
    private let last: Atomic<Int64>

    package init(epoch: String, sequence: Int64) {
        self.epoch = epoch
        last = Atomic(sequence)
    }

    /// The newest sequence number.
    package var sequence: Int64 { last.load(ordering: .acquiring) }

    /// Moves forward, never back.
    package func advance(to sequence: Int64) { last.max(sequence, ordering: .acquiringAndReleasing) }
}
