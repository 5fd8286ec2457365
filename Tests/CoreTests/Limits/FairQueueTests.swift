import FeedCore
import TestKit
import Testing

struct FairQueueTests {
    private typealias State = FairQueue<UInt64>

    /// A state whose calls `#expect` can show.
    private final class Box {
        private(set) var state: State
        init(_ state: State) { self.state = state }
        func tryEnter(_ owner: RateKey) -> Bool { state.tryEnter(owner) }
        func enter(_ owner: RateKey, _ id: UInt64) -> State.Outcome { state.enter(owner, id, id) }
        func leave(_ owner: RateKey) -> UInt64? { state.leave(owner) }
        func cancel(_ owner: RateKey, _ id: UInt64) -> UInt64? { state.cancel(owner, id) }
    }

    /// Work of the given owners that waits for the one that is running.
    private static func state(_ owners: String) -> Box {
        let state = Box(State(ConcurrencyLimits(total: 1, waitsForOthers: true)))
        #expect(state.tryEnter(.address("first")))
        for (index, owner) in owners.enumerated() {
            #expect(state.enter(.address("\(owner)"), UInt64(index)) == .wait)
        }
        return state
    }

    /// Ends the running work as often as other work waits.
    /// - Parameter owners: The owner of each waiting work.
    private static func rest(of state: Box, _ owners: [Character]) -> [UInt64] {
        var (running, found) = ("first", [UInt64]())
        while let next = state.leave(.address(running)) {
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
        let state = Self.state(owners)
        #expect(Self.rest(of: state, Array(owners)) == order)
        #expect(state.state.running == 0 && state.state.waiting == 0 && state.state.owners == 0)
    }

    @Test func cancelledWorkIsSkipped() {
        let state = Self.state("aaabbc")
        for (id, owner) in [(0, "a"), (1, "a"), (2, "a"), (4, "b")] as [(UInt64, String)] {
            #expect(state.cancel(.address(owner), id) == id)
            #expect(state.cancel(.address(owner), id) == nil)
        }
        #expect(state.cancel(.address("b"), 5) == nil && state.cancel(.address("d"), 5) == nil)
        #expect(state.state.waiting == 2)
        // An owner whose work has all been cancelled has one turn at a time, too.
        #expect(state.enter(.address("a"), 6) == .wait && state.enter(.address("a"), 7) == .wait)
        #expect(Self.rest(of: state, Array("aaabbcaa")) == [6, 3, 5, 7])
        #expect(state.state.owners == 0)
    }

    @Test func limitsDecideWhatIsRefused() {
        let state = Box(State(ConcurrencyLimits(perOwner: 1, waitingPerOwner: 1, total: 2)))
        #expect(state.enter(.account(1), 1) == .start)
        #expect(state.enter(.account(1), 2) == .wait)
        #expect(state.enter(.account(1), 3) == .refuseOwner)
        #expect(state.enter(.account(2), 4) == .start)
        #expect(state.enter(.account(3), 5) == .refuseAll)
        #expect(!state.tryEnter(.account(3)))
        #expect(state.leave(.account(2)) == nil)
        #expect(state.leave(.account(1)) == 2)
        #expect(state.tryEnter(.account(3)) && !state.tryEnter(.account(1)))
    }

    /// Random work under all limits at once: none is exceeded, and no work is lost or waits without need.
    @Test func noLimitIsExceededAndNoWorkIsLost() {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        let state = Box(State(ConcurrencyLimits(perOwner: 2, total: 3, waitsForOthers: true)))
        var (running, waiting): ([UInt64: Int64], [UInt64: Int64]) = ([:], [:])
        for id in 0..<20_000 as Range<UInt64> {
            let owner = Int64.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                if state.enter(.account(owner), id) == .start { running[id] = owner } else { waiting[id] = owner }
            case 2:
                guard let (gone, of) = waiting.min(by: { $0.key < $1.key }) else { continue }
                #expect(state.cancel(.account(of), gone) == gone, "seed \(seed)")
                waiting[gone] = nil
            default:
                guard let (done, of) = running.min(by: { $0.key < $1.key }) else { continue }
                running[done] = nil
                if let next = state.leave(.account(of)) { running[next] = waiting.removeValue(forKey: next) }
            }
            let counts = Dictionary(running.values.map { ($0, 1) }, uniquingKeysWith: +)
            let isIdle = running.count < 3 && waiting.values.contains { counts[$0, default: 0] < 2 }
            #expect(!isIdle && running.count <= 3 && counts.values.allSatisfy { $0 <= 2 }, "\(id) of seed \(seed)")
            #expect(
                state.state.running == running.count && state.state.waiting == waiting.count, "\(id) of seed \(seed)")
        }
    }
}
