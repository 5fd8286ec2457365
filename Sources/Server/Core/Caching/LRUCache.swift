/// A cache with a maximum total cost that evicts values that have not been used recently. It approximates their order
/// with two generations.
package struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let value: Value
        let cost: Int
    }

    private let limit: Int
    /// The entries used most recently; they become ``old`` when they cost half the limit.
    private var recent: [Key: Entry] = [:]
    private var recentCost = 0
    private var old: [Key: Entry] = [:]
    private var oldCost = 0

    /// - Parameter limit: The maximum total cost.
    package init(limit: Int) { self.limit = limit }

    package var totalCost: Int { recentCost + oldCost }

    /// The value for `key`, which becomes the one used most recently.
    package mutating func value(for key: Key) -> Value? {
        if let entry = recent[key] { return entry.value }
        guard let entry = old[key] else { return nil }
        insert(entry.value, for: key, cost: entry.cost)
        return entry.value
    }

    /// Adds or replaces a value. One that costs more than a quarter of the limit is not kept.
    package mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= limit / 4 else { return }
        if recentCost + cost > limit / 2 {
            (old, oldCost) = (recent, recentCost)
            (recent, recentCost) = ([:], 0)
        }
        recent[key] = Entry(value: value, cost: cost)
        recentCost += cost
    }

    package mutating func remove(_ key: Key) {
        if let entry = recent.removeValue(forKey: key) { recentCost -= entry.cost }
        if let entry = old.removeValue(forKey: key) { oldCost -= entry.cost }
    }
}
