/// The part of the change log that can be replayed.
package struct ChangeWindow: Sendable, Equatable {
    /// The position from which a reader continues.
    package enum Start: Sendable, Equatable {
        /// With the rows after a sequence number.
        case replay(after: Int64)
        /// At the end of the log, because rows after the position of the reader are missing, or the position is ahead of
        /// the log or belongs to another epoch. The reader must be told once.
        case resync
    }

    package let epoch: String
    /// All rows after this sequence number are kept.
    package let floor: Int64
    /// The newest sequence number.
    package let last: Int64

    /// - Parameters:
    ///   - pruned: The largest sequence number that was removed from the log; `nil` if no row was removed.
    ///   - first: The oldest row, and `last` the newest one; `nil` if the log is empty.
    package init(epoch: String, pruned: Int64? = nil, first: Int64? = nil, last: Int64? = nil) {
        self.epoch = epoch
        self.last = max(last ?? 0, 0)
        // A row may be older than one that was removed, because times do not always increase.
        floor = min(max(pruned ?? 0, max(first ?? 1, 1) - 1), self.last)
    }

    package func start(from cursor: ChangeCursor) -> Start {
        guard cursor.epoch == nil || cursor.epoch == epoch, cursor.sequence >= floor, cursor.sequence <= last else {
            return .resync
        }
        return .replay(after: cursor.sequence)
    }

    /// The end of the log.
    package var end: ChangePosition { position(last) }

    package func position(_ sequence: Int64) -> ChangePosition { ChangePosition(epoch: epoch, sequence: sequence) }
}
