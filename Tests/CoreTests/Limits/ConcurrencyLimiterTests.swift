import FeedCore
import Synchronization
import TestKit
import Testing

@Suite(.hangLimit)
struct ConcurrencyLimiterTests {
    private final class Gauge: Sendable {
        private let state = Mutex((now: 0, peak: 0, total: 0))

        var peak: Int { state.withLock { $0.peak } }
        var total: Int { state.withLock { $0.total } }

        func run() async {
            state.withLock { $0 = ($0.now + 1, max($0.peak, $0.now + 1), $0.total + 1) }
            for _ in 0..<20 { await Task.yield() }
            state.withLock { $0.now -= 1 }
        }
    }

    @Test func clientsDoNotWaitForEachOther() async throws {
        let limiter = ConcurrencyLimiter(ConcurrencyLimits(perOwner: 3))
        let (greedy, modest) = (Gauge(), Gauge())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<300 { group.addTask { try await limiter.run(.address("a")) { await greedy.run() } } }
            for index in 0..<20 {
                group.addTask { try await limiter.run(.account(Int64(index))) { await modest.run() } }
            }
            try await group.waitForAll()
        }
        #expect(greedy.peak <= 3 && greedy.total == 300 && modest.total == 20)
    }

    @Test func fullQueueRejectsRequests() async throws {
        let limiter = ConcurrencyLimiter(ConcurrencyLimits(perOwner: 1, waitingPerOwner: 2))
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let results = try await withThrowingTaskGroup(of: FeedError?.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    do {
                        try await limiter.run(.address("a")) { for await _ in gate { break } }
                        return nil
                    } catch let error as FeedError { return error }
                }
            }
            // Seven requests exceed the queue and fail immediately.
            var refused = 0
            while let error = try await group.next(), let error {
                #expect(error.kind == .unavailable && error.retryAfter != nil)
                refused += 1
                if refused == 7 { break }
            }
            open.finish()
            var served = 0
            while let error = try await group.next() { if error == nil { served += 1 } }
            return (refused, served)
        }
        #expect(results.0 == 7 && results.1 == 3)
    }

    /// The requests of all clients together; one that ends makes room for another.
    @Test func requestsOfAllClientsAreLimited() async throws {
        let limiter = ConcurrencyLimiter(ConcurrencyLimits(perOwner: 2, total: 3))
        try await limiter.run(.address("a")) {
            try await limiter.run(.address("a")) {
                _ = try await limiter.run(.address("b")) {
                    await #expect {
                        try await limiter.run(.address("c")) {}
                    } throws: {
                        ($0 as? FeedError)?.kind == .unavailable && ($0 as? FeedError)?.retryAfter != nil
                    }
                }
                #expect(try await limiter.run(.address("c")) { 7 } == 7)
            }
        }
    }

    @Test func errorReleasesTheSlot() async throws {
        struct Failure: Error {}
        let limiter = ConcurrencyLimiter(ConcurrencyLimits(perOwner: 1))
        for _ in 0..<3 {
            await #expect(throws: Failure.self) { try await limiter.run(.address("a")) { throw Failure() } }
        }
        #expect(try await limiter.run(.address("a")) { 7 } == 7)
    }

    @Test func cancelledTaskStopsWaiting() async throws {
        let limiter = ConcurrencyLimiter(ConcurrencyLimits(total: 1, waitsForOthers: true))
        #expect(limiter.tryEnter(.address("a")) && !limiter.tryEnter(.address("b")))
        let task = Task { try await limiter.run(.address("b")) { 1 } }
        try await Wait.until("the task waits") { limiter.waiting == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(limiter.waiting == 0 && limiter.running == 1)
        limiter.leave(.address("a"))
        #expect(try await limiter.run(.address("b")) { 7 } == 7)
    }

    /// As a replay whose stream ends, which has no task of its own.
    @Test func waitCanBeCancelledByNumber() async throws {
        let limiter = ConcurrencyLimiter(ConcurrencyLimits(total: 1, waitsForOthers: true))
        #expect(limiter.tryEnter(.account(1)))
        let cancelled = Task { try await limiter.run(.account(2), id: 5) { 1 } }
        try await Wait.until("the work waits") { limiter.waiting == 1 }
        limiter.cancel(.account(1), id: 5)
        #expect(limiter.waiting == 1)
        limiter.cancel(.account(2), id: 5)
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // The stream ended before its replay began to wait.
        await #expect(throws: CancellationError.self) {
            try await limiter.run(.account(2), id: 6, while: { false }) { 1 }
        }
        limiter.leave(.account(1))
        #expect(try await limiter.run(.account(2), id: 6, while: { false }) { 7 } == 7)
        #expect(limiter.running == 0 && limiter.waiting == 0)
    }
}
