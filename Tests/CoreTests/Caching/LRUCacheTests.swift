import FeedCore
import TestKit
import Testing

/// The bound of caches.
@Suite(.hangLimit)
struct LRUCacheTests {
    @Test func totalCostIsBounded() {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        var cache = LRUCache<Int, Int>(limit: 100)
        for round in 0..<10_000 {
            let key = Int.random(in: 0..<50, using: &random)
            if Int.random(in: 0..<3, using: &random) == 0 {
                _ = cache.value(for: key)
            } else {
                cache.insert(round, for: key, cost: Int.random(in: 1...30, using: &random))
            }
            #expect(cache.totalCost <= 100, "round \(round) of seed \(seed)")
        }
    }

    @Test func newestValueIsReturned() {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        var cache = LRUCache<Int, Int>(limit: 100)
        var newest: [Int: Int] = [:]
        var found = 0
        for round in 0..<10_000 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                cache.remove(key)
                newest[key] = nil
            case 1:
                cache.insert(round, for: key, cost: 10)
                newest[key] = round
            default:
                guard let value = cache.value(for: key) else { continue }
                found += 1
                #expect(value == newest[key], "round \(round) of seed \(seed)")
            }
        }
        #expect(found > 1000, "seed \(seed)")
    }

    @Test func recentlyUsedValuesAreKept() {
        var cache = LRUCache<Int, Int>(limit: 100)
        cache.insert(1, for: 1, cost: 10)
        for key in 2..<1000 {
            cache.insert(key, for: key, cost: 10)
            #expect(cache.value(for: 1) == 1)
        }
        #expect(cache.value(for: 2) == nil)
    }

    @Test func largeValuesAreNotKept() {
        var cache = LRUCache<Int, Int>(limit: 100)
        cache.insert(1, for: 1, cost: 10)
        cache.insert(2, for: 1, cost: 26)
        #expect(cache.value(for: 1) == nil && cache.totalCost == 0)
    }
}
