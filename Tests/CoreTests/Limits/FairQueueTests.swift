import FeedCore
import TestKit
import Testing

struct FairQueueTests {
    private typealias Queue = FairQueue<UInt64>

    /// A queue whose calls `#expect` can show.
    private final class Box {
        private(set) var value: Queue
        init(_ queue: Queue) { value = queue }
        func tryEnter(_ owner: RateKey) -> Bool { value.tryEnter(owner) }
        func enter(_ owner: RateKey, _ id: UInt64) -> Queue.Outcome { value.enter(owner, id, id) }
        func leave(_ owner: RateKey) -> UInt64? { value.leave(owner) }
        func cancel(_ owner: RateKey, _ id: UInt64) -> UInt64? { value.cancel(owner, id) }
    }

    /// Work of the given owners that waits for the one that is running.
    private static func queue(_ owners: String) -> Box {
        let queue = Box(Queue(ConcurrencyLimits(total: 1, waitsForOthers: true)))
        #expect(queue.tryEnter(.address("first")))
        for (index, owner) in owners.enumerated() {
            #expect(queue.enter(.address("\(owner)"), UInt64(index)) == .wait)
        }
        return queue
    }

    /// Ends the running work as often as other work waits.
    /// - Parameter owners: The owner of each waiting work.
    private static func rest(of queue: Box, _ owners: [Character]) -> [UInt64] {
        var (running, found) = ("first", [UInt64]())
        while let next = queue.leave(.address(running)) {
            found.append(next)
            running = "\(owners[Int(next)])"
        }
        return found
    }

    @Test(
        arguments: [
            ("", []), ("aaa", [0, 1, 2]), ("abc", [0, 1, 2]), ("aaab", [0, 3, 1, 2]), ("aabbc", [0, 2, 4, 1, 3]),
        ] as [(String, [UInt64])]) func ownersTakeTurns(owners: String, order: [UInt64])
    {
        let queue = Self.queue(owners)
        #expect(Self.rest(of: queue, Array(owners)) == order)
        #expect(queue.value.running == 0 && queue.value.waiting == 0 && queue.value.owners == 0)
    }

    @Test func cancelledWorkIsSkipped() {
        let queue = Self.queue("aaabbc")
        for (id, owner) in [(0, "a"), (1, "a"), (2, "a"), (4, "b")] as [(UInt64, String)] {
            #expect(queue.cancel(.address(owner), id) == id)
            #expect(queue.cancel(.address(owner), id) == nil)
        }
        #expect(queue.cancel(.address("b"), 5) == nil && queue.cancel(.address("d"), 5) == nil)
        #expect(queue.value.waiting == 2)
        // An owner whose work has all been cancelled has one turn at a time, too.
        #expect(queue.enter(.address("a"), 6) == .wait && queue.enter(.address("a"), 7) == .wait)
        #expect(Self.rest(of: queue, Array("aaabbcaa")) == [6, 3, 5, 7])
        #expect(queue.value.owners == 0)
    }

    @Test func limitsDecideWhatIsRefused() {
        let queue = Box(Queue(ConcurrencyLimits(perOwner: 1, waitingPerOwner: 1, total: 2)))
        #expect(queue.enter(.account(1), 1) == .start)
        #expect(queue.enter(.account(1), 2) == .wait)
        #expect(queue.enter(.account(1), 3) == .refuseOwner)
        #expect(queue.enter(.account(2), 4) == .start)
        #expect(queue.enter(.account(3), 5) == .refuseAll)
        #expect(!queue.tryEnter(.account(3)))
        #expect(queue.leave(.account(2)) == nil)
        #expect(queue.leave(.account(1)) == 2)
        #expect(queue.tryEnter(.account(3)) && !queue.tryEnter(.account(1)))
    }

    /// Random work under all limits at once: none is exceeded, and no work is lost or waits without need.
    @Test func noLimitIsExceededAndNoWorkIsLost() {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        let queue = Box(Queue(ConcurrencyLimits(perOwner: 2, total: 3, waitsForOthers: true)))
        var (running, waiting): ([UInt64: Int64], [UInt64: Int64]) = ([:], [:])
        for id in 0..<20_000 as Range<UInt64> {
            let owner = Int64.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                if queue.enter(.account(owner), id) == .start { running[id] = owner } else { waiting[id] = owner }
            case 2:
                guard let (gone, of) = waiting.min(by: { $0.key < $1.key }) else { continue }
                #expect(queue.cancel(.account(of), gone) == gone, "seed \(seed)")
                waiting[gone] = nil
            default:
                guard let (done, of) = running.min(by: { $0.key < $1.key }) else { continue }
                running[done] = nil
                if let next = queue.leave(.account(of)) { running[next] = waiting.removeValue(forKey: next) }
            }
            let counts = Dictionary(running.values.map { ($0, 1) }, uniquingKeysWith: +)
            let isIdle = running.count < 3 && waiting.values.contains { counts[$0, default: 0] < 2 }
            #expect(!isIdle && running.count <= 3 && counts.values.allSatisfy { $0 <= 2 }, "\(id) of seed \(seed)")
            #expect(
                queue.value.running == running.count && queue.value.waiting == waiting.count, "\(id) of seed \(seed)")
        }
    }
}
