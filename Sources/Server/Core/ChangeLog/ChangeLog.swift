/// The order in which things happened.
package protocol ChangeLog: Sendable {
    /// The newest sequence number and the folder's epoch.
    func position() async throws -> ChangePosition
    /// Rows after `sequence`, oldest first.
    func changes(after sequence: Int64, limit: Int) async throws -> [Change]
}

/// A point in the change log.
package struct ChangePosition: Sendable, Equatable {
    package let epoch: String
    package let sequence: Int64

    package init(epoch: String, sequence: Int64) {
        self.epoch = epoch
        self.sequence = sequence
    }
}
