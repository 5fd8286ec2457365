/// The ordered log of all changes.
package protocol ChangeLog: Sendable {
    /// The newest sequence number and the epoch of the database.
    func position() async throws -> ChangePosition
    /// A value that almost always differs after a change by any process, and costs no query.
    func stamp() -> ChangeStamp
    /// Whether other servers append to the log, whose changes are only certain to be known after ``catchUp()``.
    var isShared: Bool { get }
    /// Advances the position past all changes that other servers have committed before the call, so that a client whose
    /// write was acknowledged by one server sees it on every other.
    func catchUp() async throws
    /// Rows after `sequence`, oldest first.
    func changes(after sequence: Int64, limit: Int) async throws -> [Change]
}

/// A cheap indication of changes. Equal stamps do not prove that nothing has changed.
package struct ChangeStamp: Sendable, Equatable {
    private let parts: [Int64]

    package init(_ parts: Int64...) { self.parts = parts }
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
