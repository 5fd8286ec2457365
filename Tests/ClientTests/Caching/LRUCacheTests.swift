import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct LRUCacheTests {
    @Test func leastRecentlyUsedEntryIsEvictedFirst() {
        var cache = LRUCache<String, Int>(limit: 3)
        for (key, value) in [("a", 1), ("b", 2), ("c", 3)] { cache.insert(value, for: key, cost: 1) }
        let used = cache.value(for: "a")
        cache.insert(4, for: "d", cost: 1)
        #expect(used == 1)
        #expect(cache.keys == ["d", "a", "c"])
        #expect(cache.cost == 3 && cache.count == 3)
    }

    @Test func largeEntryEvictsSeveral() {
        var cache = LRUCache<String, Int>(limit: 10)
        for key in ["a", "b", "c"] { cache.insert(0, for: key, cost: 3) }
        cache.insert(0, for: "d", cost: 7)
        #expect(cache.keys == ["d", "c"])
        #expect(cache.cost == 10)
    }

    @Test func oversizedValueIsRejectedAndRemovesTheOldOne() {
        var cache = LRUCache<String, Int>(limit: 10)
        cache.insert(1, for: "a", cost: 4)
        cache.insert(2, for: "b", cost: 4)
        cache.insert(3, for: "a", cost: 11)
        let value = cache.value(for: "a")
        #expect(value == nil)
        #expect(cache.keys == ["b"] && cache.cost == 4)
    }

    @Test func newValueReplacesTheOldOne() {
        var cache = LRUCache<String, Int>(limit: 10)
        cache.insert(1, for: "a", cost: 4)
        cache.insert(2, for: "b", cost: 4)
        cache.insert(3, for: "a", cost: 6)
        let value = cache.value(for: "a")
        #expect(value == 3)
        #expect(cache.keys == ["a", "b"] && cache.cost == 10)
    }

    @Test func entriesCanBeRemovedAnywhere() {
        for gone in ["a", "b", "c"] {
            var cache = LRUCache<String, Int>(limit: 10)
            for key in ["a", "b", "c"] { cache.insert(0, for: key, cost: 1) }
            cache.remove(gone)
            cache.remove("x")
            #expect(cache.keys == ["c", "b", "a"].filter { $0 != gone })
            #expect(cache.cost == 2)
        }
        var cache = LRUCache<String, Int>(limit: 10)
        cache.insert(0, for: "a", cost: 1)
        cache.removeAll()
        #expect(cache.keys.isEmpty && cache.cost == 0 && cache.limit == 10)
    }

    /// Compares the cache with a plain list, which is slow but obviously correct.
    @Test func behavesLikeAPlainList() {
        var cache = LRUCache<Int, Int>(limit: 20)
        var list: [(key: Int, value: Int, cost: Int)] = []
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        for step in 0..<5000 {
            let key = Int.random(in: 0..<12, using: &random)
            let known = list.first { $0.key == key }
            list.removeAll { $0.key == key }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let value = cache.value(for: key)
                #expect(value == known?.value, "step \(step) of seed \(seed)")
                if let known { list.append(known) }
            case 1: cache.remove(key)
            default:
                let cost = Int.random(in: 0...9, using: &random)
                cache.insert(step, for: key, cost: cost)
                list.append((key, step, cost))
                while list.reduce(0, { $0 + $1.cost }) > 20 { list.removeFirst() }
            }
            #expect(cache.keys == list.reversed().map { $0.key }, "step \(step) of seed \(seed)")
            #expect(cache.cost == list.reduce(0) { $0 + $1.cost }, "step \(step) of seed \(seed)")
        }
    }
}
