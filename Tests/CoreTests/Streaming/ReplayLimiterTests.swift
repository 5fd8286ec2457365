import FeedCore
import Synchronization
import TestKit
import Testing

@Suite("Replays take turns", .hangLimit)
struct ReplayLimiterTests {
    private struct Failure: Error {}

    private static let owner = StreamQuota.Owner(account: 1, address: "192.0.2.1")

    /// A value that several tasks change.
    private final class Shared<Value: Sendable>: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) { self.value = Mutex(value) }
    }

    /// Waits until a limiter has this many waiting replays.
    private static func wait(for count: Int, _ limiter: ReplayLimiter) async throws {
        try await Wait.until("\(count) waiting replays") { limiter.waiting == count }
    }

    @Test func turnsAreTakenInOrder() async throws {
        let limiter = ReplayLimiter(maximumRunning: 1)
        let latch = Latch()
        let order = Shared<[UInt64]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await limiter.run(0, of: Self.owner, while: { true }) { try await latch.wait() } }
            try await Wait.until("the first turn") { limiter.running == 1 }
            for replay in 1...200 as ClosedRange<UInt64> {
                group.addTask {
                    _ = await limiter.run(replay, of: Self.owner, while: { true }) {
                        order.value.withLock { $0.append(replay) }
                    }
                }
                try await Self.wait(for: Int(replay), limiter)
            }
            // Those that have left are skipped.
            for replay in 1...200 as ClosedRange<UInt64> where replay.isMultiple(of: 3) {
                limiter.cancel(replay, of: Self.owner)
            }
            latch.open()
            try await group.waitForAll()
        }
        #expect(order.value.withLock { $0 } == (1...200).filter { !$0.isMultiple(of: 3) })
        #expect(limiter.running == 0 && limiter.waiting == 0)
    }

    /// One that has many replays delays only itself.
    @Test func turnsRotateBetweenOwners() async throws {
        let limiter = ReplayLimiter(maximumRunning: 1)
        let latch = Latch()
        let order = Shared<[Int64?]>([])
        let owners =
            Array(repeating: Self.owner, count: 100) + [
                StreamQuota.Owner(account: 2, address: "192.0.2.1"),
                StreamQuota.Owner(account: nil, address: "192.0.2.1"),
                StreamQuota.Owner(account: nil, address: "198.51.100.1"),
            ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await limiter.run(0, of: Self.owner, while: { true }) { try await latch.wait() } }
            try await Wait.until("the first turn") { limiter.running == 1 }
            for (index, owner) in owners.enumerated() {
                group.addTask {
                    _ = await limiter.run(UInt64(index + 1), of: owner, while: { true }) {
                        order.value.withLock { $0.append(owner.account) }
                    }
                }
                try await Self.wait(for: index + 1, limiter)
            }
            latch.open()
            try await group.waitForAll()
        }
        let found = order.value.withLock { $0 }
        #expect(found.prefix(4) == [1, 2, nil, nil] && found.dropFirst(4).allSatisfy { $0 == 1 })
        #expect(found.count == 103)
    }

    @Test func numberOfTurnsIsLimited() async throws {
        let limiter = ReplayLimiter(maximumRunning: 3)
        let turns = Shared((now: 0, peak: 0, total: 0))
        await withTaskGroup(of: Void.self) { group in
            for replay in 0..<300 as Range<UInt64> {
                group.addTask {
                    for _ in 0..<3 {
                        _ = await limiter.run(replay, of: Self.owner, while: { true }) {
                            turns.value.withLock { $0 = ($0.now + 1, max($0.peak, $0.now + 1), $0.total + 1) }
                            for _ in 0..<5 { await Task.yield() }
                            turns.value.withLock { $0.now -= 1 }
                        }
                    }
                }
            }
        }
        let (peak, total) = turns.value.withLock { ($0.peak, $0.total) }
        #expect(peak <= 3 && total == 900 && limiter.running == 0)
    }

    @Test func replayWithoutStreamDoesNotWait() async throws {
        let limiter = ReplayLimiter(maximumRunning: 1)
        let result: Int?? = await limiter.run(1, of: Self.owner, while: { true }) {
            // The stream ended before the replay began to wait.
            await limiter.run(2, of: Self.owner, while: { false }) { 7 }
        }
        #expect(result == .some(nil) && limiter.waiting == 0)
        #expect(await limiter.run(3, of: Self.owner, while: { false }) { 7 } == 7)
    }

    @Test func errorEndsTheTurn() async throws {
        let limiter = ReplayLimiter(maximumRunning: 1)
        for replay in 0..<3 as Range<UInt64> {
            await #expect(throws: Failure.self) {
                try await limiter.run(replay, of: Self.owner, while: { true }) { throw Failure() }
            }
        }
        #expect(limiter.running == 0)
        limiter.cancel(7, of: Self.owner)
        #expect(await limiter.run(7, of: Self.owner, while: { true }) { 8 } == 8)
    }
}
