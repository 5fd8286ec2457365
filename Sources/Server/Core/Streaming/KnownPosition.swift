/// The position that the client of a stream has received, with an event or on its own. Pure.
///
/// Without it, a client that has received no event for a while could continue only at a position that is too old, or
/// not at all.
package struct KnownPosition: Sendable {
    /// The position after which the client receives changes as they happen; `nil` while it is catching up.
    private var start: ChangePosition?
    /// The largest sequence number that the client has received.
    private var known: Int64 = -1

    package init() {}

    /// The client has been sent everything up to a position.
    package mutating func begin(at position: ChangePosition) { start = position }

    /// The client is sent an event with its position.
    package mutating func recordSent(_ sequence: Int64) { known = max(known, sequence) }

    /// The position to send to the client on its own; `nil` if the client has received it.
    /// - Parameter reached: The position up to which all clients have been sent everything.
    package mutating func next(reached: ChangePosition) -> ChangePosition? {
        guard let start else { return nil }
        let sequence = reached.epoch == start.epoch ? max(start.sequence, reached.sequence) : start.sequence
        // Never send a position older than that of a sent event: the client would receive the event again.
        guard sequence > known else { return nil }
        known = sequence
        return ChangePosition(epoch: start.epoch, sequence: sequence)
    }
}
