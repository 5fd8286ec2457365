import FeedTestSupport
import TestKit
import Testing

@testable import FeedStore

struct ReadSchedulerTests {
    /// The state of a thread of the model.
    private enum Activity: Equatable {
        case unused, starting, working, waiting, woken, ended
    }

    /// Threads that do what they are told, in a random order. The first one is running from the beginning.
    private struct Model {
        var scheduler = ReadScheduler<Int>(maximum: 3)
        var activities: [Activity] = [.working, .unused, .unused]
        var executed: [Int] = []
        var added = 0
        var isClosed = false

        var running: [Int] { activities.indices.filter { ![.unused, .waiting, .ended].contains(activities[$0]) } }

        mutating func add() {
            switch scheduler.add(added) {
            case .start(let thread): change(thread, from: .unused, to: .starting)
            case .wake(let thread): change(thread, from: .waiting, to: .woken)
            case .none: #expect(!running.isEmpty)
            case .reject:
                #expect(isClosed)
                return
            }
            added += 1
        }

        mutating func change(_ thread: Int, from expected: Activity, to activity: Activity) {
            #expect(activities[thread] == expected)
            activities[thread] = activity
        }

        /// Lets a thread take its next step.
        /// - Parameter fails: Whether a thread that starts fails.
        mutating func advance(_ thread: Int, fails: Bool) {
            if fails, activities[thread] == .starting {
                activities[thread] = .unused
                return scheduler.failedToStart(thread)
            }
            switch scheduler.next(for: thread) {
            case .run(let read):
                executed.append(read)
                activities[thread] = .working
            case .wait: activities[thread] = .waiting
            case .end:
                #expect(isClosed)
                activities[thread] = .ended
            }
        }

        mutating func close() {
            isClosed = true
            for thread in scheduler.close() { change(thread, from: .waiting, to: .woken) }
        }
    }

    @Test(arguments: 1...50) func readsRunInOrderAndAllThreadsEnd(seed: UInt64) {
        var (model, random) = (Model(), SplitMix64(seed: seed))
        for _ in 0..<200 {
            if Int.random(in: 0..<3, using: &random) == 0 {
                model.add()
            } else if let thread = model.running.randomElement(using: &random) {
                model.advance(thread, fails: Bool.random(using: &random))
            }
        }
        model.close()
        model.add()
        while let thread = model.running.first { model.advance(thread, fails: false) }
        #expect(model.executed == Array(0..<model.added))
        #expect(model.activities.allSatisfy { $0 == .ended || $0 == .unused })
    }

    @Test func noReadIsLeftWhenAllThreadsWait() {
        var (model, random) = (Model(), SplitMix64(seed: 7))
        for _ in 0..<100 {
            for _ in 0..<Int.random(in: 1...5, using: &random) { model.add() }
            while let thread = model.running.randomElement(using: &random) {
                model.advance(thread, fails: Bool.random(using: &random))
            }
            #expect(model.executed.count == model.added)
        }
    }

    /// Its caches are the most useful ones.
    @Test func lastThreadToWaitIsWokenFirst() {
        var scheduler = ReadScheduler<Int>(maximum: 2)
        #expect(scheduler.add(1) == .start(1))
        for thread in [0, 1, 0] { _ = scheduler.next(for: thread) }
        #expect(scheduler.add(2) == .wake(0))
        #expect(scheduler.add(3) == .wake(1))
        #expect(scheduler.add(4) == .none)
    }
}
