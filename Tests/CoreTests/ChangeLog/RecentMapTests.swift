import FeedCore
import TestKit
import Testing

/// The bound of caches.
@Suite(.hangLimit)
struct RecentMapTests {
    @Test func totalCostIsBounded() {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        var map = RecentMap<Int, Int>(limit: 100)
        for round in 0..<10_000 {
            let key = Int.random(in: 0..<50, using: &random)
            if Int.random(in: 0..<3, using: &random) == 0 {
                _ = map.value(for: key)
            } else {
                map.insert(round, for: key, cost: Int.random(in: 1...30, using: &random))
            }
            #expect(map.totalCost <= 100, "round \(round) of seed \(seed)")
        }
    }

    @Test func newestValueIsReturned() {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        var map = RecentMap<Int, Int>(limit: 100)
        var newest: [Int: Int] = [:]
        var found = 0
        for round in 0..<10_000 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                map.remove(key)
                newest[key] = nil
            case 1:
                map.insert(round, for: key, cost: 10)
                newest[key] = round
            default:
                guard let value = map.value(for: key) else { continue }
                found += 1
                #expect(value == newest[key], "round \(round) of seed \(seed)")
            }
        }
        #expect(found > 1000, "seed \(seed)")
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
