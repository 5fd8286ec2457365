import FeedCore
import TestKit
import Testing

@Suite("Waiting for the change log", .hangLimit) struct LogWaitTests {
    private let log = RecentChanges(epoch: "e", sequence: 5)

    /// Calls `act` once a wait has begun, and returns when the wait has ended.
    private func wait(until act: @escaping @Sendable (_ stop: @Sendable () -> Void) -> Void) async {
        let state = log.state
        await log.wait(while: state) { stop in act(stop) }
    }

    @Test func waitEndsWhenTheLogAdvances() async {
        await wait { [log] _ in log.append([], upTo: 6) }
        await wait { [log] _ in log.advance(to: 9) }
        await wait { [log] _ in log.restart(epoch: "f", at: 1) }
        #expect(log.sequence == 1)
    }

    @Test func positionThatIsNotNewerEndsNoWait() async {
        await wait { [log] _ in
            log.append([], upTo: 5)
            log.advance(to: 4)
            log.extend(by: [], upTo: 5)
            #expect(log.waiting == 1)
            log.advance(to: 6)
        }
    }

    @Test func timerEndsTheWait() async {
        await wait { stop in
            stop()
            stop()
        }
        #expect(log.sequence == 5)
    }

    @Test func changedStateIsNotWaitedFor() async {
        let state = log.state
        log.advance(to: 6)
        await log.wait(while: state) { _ in }
    }

    @Test func cancellationEndsTheWait() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { [log] in await log.wait(while: log.state) { _ in } }
            try await Wait.until("the wait begins") { log.waiting == 1 }
            group.cancelAll()
        }
        #expect(log.waiting == 0)
    }

    @Test func shutdownEndsAllWaits() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { [log] in await log.wait(while: log.state) { _ in } }
            }
            try await Wait.until("the waits begin") { log.waiting == 20 }
            log.endWaiting()
        }
        // No wait begins afterwards.
        await log.wait(while: log.state) { _ in Issue.record("a wait has begun") }
    }
}
