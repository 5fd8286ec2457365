import DequeModule

/// Events that wait for a subscriber who reads more slowly than they arrive.
///
/// The queue is bounded: a subscriber whose events no longer fit is dropped, so that it delays nobody else and costs no
/// more memory.
package struct StreamQueue<Event: Sendable>: Sendable {
    private let maximumBytes: Int
    private let maximumCount: Int
    private var waiting = Deque<(event: Event, bytes: Int)>()
    /// The size of the waiting events in bytes.
    package private(set) var bytes = 0

    package init(maximumBytes: Int = 256 * 1024, maximumCount: Int = 1024) {
        self.maximumBytes = maximumBytes
        self.maximumCount = maximumCount
    }

    /// The number of waiting events.
    package var count: Int { waiting.count }

    package var isEmpty: Bool { waiting.isEmpty }

    /// Adds an event. A single event is accepted whatever its size.
    /// - Returns: `false` if the event does not fit; it is not added then.
    package mutating func append(_ event: Event, bytes size: Int) -> Bool {
        let size = max(0, size)
        let (sum, overflows) = bytes.addingReportingOverflow(size)
        guard isEmpty || (!overflows && sum <= maximumBytes && count < maximumCount) else { return false }
        bytes = sum
        waiting.append((event, size))
        return true
    }

    /// Removes the oldest event.
    package mutating func next() -> Event? {
        guard let (event, size) = waiting.popFirst() else { return nil }
        bytes -= size
        if waiting.isEmpty { removeAll() }
        return event
    }

    /// Removes all events and releases their memory.
    package mutating func removeAll() {
        waiting = []
        bytes = 0
    }
}

/// The position that the client of a stream has received, with an event or on its own.
///
/// Without it, a client that has received no event for a while could continue only at a position that is too old, or
/// not at all.
package struct KnownPosition: Sendable {
    /// The position after which the client receives changes as they happen; `nil` while it is catching up.
    private var start: ChangePosition?
    /// The largest sequence number that the client has received.
    private var lastSent: Int64 = -1

    package init() {}

    /// The client has been sent everything up to a position.
    package mutating func begin(at position: ChangePosition) { start = position }

    /// The client is sent an event with its position.
    package mutating func recordSent(_ sequence: Int64) { lastSent = max(lastSent, sequence) }

    /// The position to send to the client on its own; `nil` if the client has received it.
    /// - Parameter reached: The position up to which all clients have been sent everything.
    package mutating func next(reached: ChangePosition) -> ChangePosition? {
        guard let start else { return nil }
        let sequence = reached.epoch == start.epoch ? max(start.sequence, reached.sequence) : start.sequence
        // Never send a position older than that of a sent event: the client would receive the event again.
        guard sequence > lastSent else { return nil }
        lastSent = sequence
        return ChangePosition(epoch: start.epoch, sequence: sequence)
    }
}
