import FeedTestSupport
import Testing

@testable import FeedWeb

/// The bound on stored responses.
@Suite(.timeLimit(.minutes(15)))
struct RecentMapTests {
    @Test func totalCostIsBounded() {
        var dice = Dice(seed: Soak.seed)
        var map = RecentMap<Int, Int>(limit: 100)
        for round in 0..<10_000 {
            let key = dice.roll(50)
            if dice.roll(3) == 0 {
                _ = map.value(for: key)
            } else {
                map.insert(round, for: key, cost: 1 + dice.roll(30))
            }
            #expect(map.totalCost <= 100)
        }
    }

    @Test func newestValueIsReturned() {
        var dice = Dice(seed: Soak.seed)
        var map = RecentMap<Int, Int>(limit: 100)
        var newest: [Int: Int] = [:]
        var found = 0
        for round in 0..<10_000 {
            let key = dice.roll(20)
            switch dice.roll(4) {
            case 0:
                map.remove(key)
                newest[key] = nil
            case 1:
                map.insert(round, for: key, cost: 10)
                newest[key] = round
            default:
                guard let value = map.value(for: key) else { continue }
                found += 1
                #expect(value == newest[key])
            }
        }
        #expect(found > 1000)
    }

    @Test func recentlyUsedValuesAreKept() {
        var map = RecentMap<Int, Int>(limit: 100)
        map.insert(1, for: 1, cost: 10)
        for key in 2..<1000 {
            map.insert(key, for: key, cost: 10)
            #expect(map.value(for: 1) == 1)
        }
        #expect(map.value(for: 2) == nil)
    }

    @Test func largeValuesAreNotKept() {
        var map = RecentMap<Int, Int>(limit: 100)
        map.insert(1, for: 1, cost: 10)
        map.insert(2, for: 1, cost: 26)
        #expect(map.value(for: 1) == nil && map.totalCost == 0)
    }
}
