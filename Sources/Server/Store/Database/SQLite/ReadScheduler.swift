import DequeModule

/// Decides which thread runs which read, and when threads are started, woken and ended.
///
/// Threads have numbers from 0. The thread 0 is running from the beginning, so there is always one.
struct ReadScheduler<Read: Sendable>: Sendable {
    /// The action after a read was added.
    enum AddAction: Equatable {
        case start(Int)
        case wake(Int)
        /// Nothing: a thread that is running takes the read.
        case none
        /// The connections are closed.
        case reject
    }

    /// The next step of a thread.
    enum Step {
        case run(Read)
        /// Waits until it is woken.
        case wait
        case end
    }

    private var reads = Deque<Read>()
    /// The threads that have not been started; the last one is started first.
    private var unused: [Int]
    /// The threads that wait. The last one is woken first, because its caches are the most useful ones.
    private var waiting: [Int] = []
    private var isClosed = false

    /// - Parameter maximum: The maximum number of threads.
    init(maximum: Int) { unused = (1..<max(1, maximum)).reversed() }

    mutating func add(_ read: Read) -> AddAction {
        guard !isClosed else { return .reject }
        reads.append(read)
        if let thread = waiting.popLast() { return .wake(thread) }
        return unused.popLast().map { .start($0) } ?? .none
    }

    /// Pending reads still run after ``close()``.
    mutating func next(for thread: Int) -> Step {
        if let read = reads.popFirst() { return .run(read) }
        if isClosed { return .end }
        waiting.append(thread)
        return .wait
    }

    /// Forgets a thread that could not be started. Another one runs the read for which it was to be started, because no
    /// thread waits while reads are pending.
    mutating func failedToStart(_ thread: Int) { unused.append(thread) }

    /// - Returns: The threads to wake, so that they end.
    mutating func close() -> [Int] {
        isClosed = true
        defer { waiting = [] }
        return waiting
    }
}
