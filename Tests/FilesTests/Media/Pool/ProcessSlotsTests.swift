import FeedCore
import FeedFiles
import FeedTestSupport
import Synchronization
import TestKit
import Testing

@Suite(.hangLimit)
struct ProcessSlotsTests {
    /// Occupies a slot until it is opened.
    private final class Gate: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream() }

        func open() { continuation.finish() }
        func wait() async { for await _ in stream {} }
    }

    private final class Order: Sendable { let numbers = Mutex<[Int]>([]) }

    @Test func aFullQueueRefuses() async throws {
        let slots = ProcessSlots(maximumRunning: 1, maximumWaiting: 1)
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await slots.run { await gate.wait() } }
            try await Wait.until("the first runs") { slots.running == 1 }
            group.addTask { try await slots.run {} }
            try await Wait.until("the second waits") { slots.waiting == 1 }
            let refusal = await #expect(throws: FeedError.self) { try await slots.run {} }
            #expect(refusal?.kind == .unavailable && refusal?.retryAfter != nil)
            gate.open()
            try await group.waitForAll()
        }
        #expect(slots.running == 0 && slots.waiting == 0)
    }

    @Test func theOrderOfArrivalIsKept() async throws {
        let slots = ProcessSlots(maximumRunning: 1, maximumWaiting: 10)
        let gate = Gate()
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await slots.run { await gate.wait() } }
            try await Wait.until("the first runs") { slots.running == 1 }
            for number in 0..<10 {
                group.addTask { try await slots.run { order.numbers.withLock { $0.append(number) } } }
                try await Wait.until("\(number) waits") { slots.waiting == number + 1 }
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(order.numbers.withLock { $0 } == Array(0..<10))
    }

    @Test func aCancelledCallerLeavesTheQueue() async throws {
        let slots = ProcessSlots(maximumRunning: 1, maximumWaiting: 1)
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await slots.run { await gate.wait() } }
            try await Wait.until("the first runs") { slots.running == 1 }
            let waiting = Task { try await slots.run {} }
            try await Wait.until("the second waits") { slots.waiting == 1 }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            #expect(slots.waiting == 0)
            gate.open()
            try await group.waitForAll()
        }
        #expect(slots.running == 0)
    }

    @Test func anErrorFreesTheSlot() async throws {
        let slots = ProcessSlots(maximumRunning: 1, maximumWaiting: 0)
        await #expect(throws: FeedError.self) { try await slots.run { throw FeedError.notFound } }
        #expect(try await slots.run { 1 } == 1)
    }

    @Test func cancellationNeverLosesASlot() async throws {
        let slots = ProcessSlots(maximumRunning: 2, maximumWaiting: 1000)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let task = Task { try await slots.run { await Task.yield() } }
                    if number % 2 == 0 { task.cancel() }
                    _ = await task.result
                }
            }
        }
        #expect(slots.running == 0 && slots.waiting == 0)
        #expect(try await slots.run { true })
    }
}
