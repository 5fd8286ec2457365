/// The ordered log of all changes.
package protocol ChangeLog: Sendable {
    /// The newest sequence number and the epoch of the database.
    func position() async throws -> ChangePosition
    /// Changes after `sequence`, oldest first.
    func changes(after sequence: Int64, limit: Int) async throws -> [Change]
}

/// A position in the change log.
package struct ChangePosition: Sendable, Equatable {
    package let epoch: String
    package let sequence: Int64

    package init(epoch: String, sequence: Int64) {
        self.epoch = epoch
        self.sequence = sequence
    }
}
