import TestKit
import Testing

@testable import FeedCore

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

struct ChangeRingTests {
    private static func change(_ sequence: Int64) -> Change {
        Change(sequence: sequence, kind: .statusCreated, subject: nil, account: nil, at: 0)
    }

    private static func sequences(_ ring: ChangeRing, after position: Int64, limit: Int = 100) -> [Int64]? {
        ring.rows(after: position, limit: limit)?.map(\.sequence)
    }

    @Test func rowsAfterAPositionAreReturnedInOrder() {
        var ring = ChangeRing(at: 10)
        ring.append([Self.change(11), Self.change(14)], upTo: 14)
        // A reader that started earlier delivers some rows again.
        ring.append([Self.change(14), Self.change(15)], upTo: 15)
        #expect(Self.sequences(ring, after: 10) == [11, 14, 15])
        #expect(Self.sequences(ring, after: 12) == [14, 15])
        #expect(Self.sequences(ring, after: 15) == [])
    }

    @Test func unknownPositionsHaveNoRows() {
        var ring = ChangeRing(at: 10)
        ring.append([Self.change(11)], upTo: 11)
        #expect(Self.sequences(ring, after: 9) == nil)
        #expect(Self.sequences(ring, after: 12) == nil)
        #expect(Self.sequences(ring, after: 10, limit: 0) == nil)
        ring.skip(to: 20)
        #expect(Self.sequences(ring, after: 11) == nil)
        #expect(Self.sequences(ring, after: 20) == [])
    }

    @Test func olderPositionsChangeNothing() {
        var ring = ChangeRing(at: 10)
        ring.append([Self.change(9)], upTo: 9)
        ring.skip(to: 8)
        #expect(ring.last == 10 && Self.sequences(ring, after: 10) == [])
    }

    @Test func numberOfRowsIsBounded() {
        var ring = ChangeRing(at: 0)
        let end = Int64(5 * ChangeRing.capacity)
        for sequence in 1...end { ring.append([Self.change(sequence)], upTo: sequence) }
        #expect(Self.sequences(ring, after: end - 3) == [end - 2, end - 1, end])
        let oldest = end - Int64(ChangeRing.capacity)
        #expect(Self.sequences(ring, after: oldest, limit: .max)?.count == ChangeRing.capacity)
        #expect(Self.sequences(ring, after: 1, limit: .max) == nil)
    }
}
