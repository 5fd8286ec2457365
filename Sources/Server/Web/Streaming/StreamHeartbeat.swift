import NIOCore
import Synchronization

/// Calls each open stream of an event loop at regular intervals, with a single timer. Confined to its event loop.
///
/// The interval is divided into slots, and each stream belongs to the one that was visited when it was opened, so that
/// the work is spread over the interval.
final class StreamHeartbeat {
    private static let slotCount = 15

    private let eventLoop: any EventLoop
    /// The time between two visits of a stream.
    private let interval: TimeAmount
    private var slots = [[UInt64: any EventChannelHandler]](repeating: [:], count: slotCount)
    private var slotOf: [UInt64: Int] = [:]
    private var current = 0
    private var task: RepeatedTask?

    init(eventLoop: any EventLoop, interval: TimeAmount) {
        self.eventLoop = eventLoop
        self.interval = interval
    }

    func add(_ id: UInt64, _ connection: any EventChannelHandler) {
        slots[current][id] = connection
        slotOf[id] = current
        if task == nil { start() }
    }

    func remove(_ id: UInt64) {
        guard let slot = slotOf.removeValue(forKey: id) else { return }
        slots[slot][id] = nil
        guard slotOf.isEmpty else { return }
        task?.cancel()
        task = nil
    }

    private func start() {
        let step = TimeAmount.nanoseconds(interval.nanoseconds / Int64(Self.slotCount))
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        task = eventLoop.scheduleRepeatedTask(initialDelay: step, delay: step) { _ in bound.value.visit() }
    }

    private func visit() {
        current = (current + 1) % Self.slotCount
        // A stream may end and be removed during its visit.
        for connection in slots[current].values { connection.heartbeat() }
    }
}

/// The timers of all event loops.
final class HeartbeatTimers: Sendable {
    private let interval: TimeAmount
    private let timers = Mutex<[ObjectIdentifier: NIOLoopBound<StreamHeartbeat>]>([:])

    init(interval: TimeAmount) { self.interval = interval }

    /// Must be called on the event loop.
    func timer(of eventLoop: any EventLoop) -> StreamHeartbeat {
        let bound = timers.withLock { timers in
            let key = ObjectIdentifier(eventLoop)
            if let timer = timers[key] { return timer }
            let timer = NIOLoopBound(StreamHeartbeat(eventLoop: eventLoop, interval: interval), eventLoop: eventLoop)
            timers[key] = timer
            return timer
        }
        return bound.value
    }
}
