/// A map that keeps the entries used most recently, up to a total cost. Pure. It is inlinable, because a dictionary whose
/// types are only known at run time takes several times as long.
package struct RecentMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Entry: Sendable {
        @usableFromInline let value: Value
        @usableFromInline let cost: Int

        @inlinable init(value: Value, cost: Int) { (self.value, self.cost) = (value, cost) }
    }

    @usableFromInline let limit: Int
    /// The entries used most recently; they become ``old`` when they cost half the limit.
    @usableFromInline var recent: [Key: Entry] = [:]
    @usableFromInline var recentCost = 0
    @usableFromInline var old: [Key: Entry] = [:]
    @usableFromInline var oldCost = 0

    /// - Parameter limit: The maximum total cost.
    @inlinable package init(limit: Int) { self.limit = limit }

    @inlinable package var totalCost: Int { recentCost + oldCost }

    /// The value for `key`, which becomes the one used most recently.
    @inlinable package mutating func value(for key: Key) -> Value? {
        if let entry = recent[key] { return entry.value }
        guard let entry = old[key] else { return nil }
        insert(entry.value, for: key, cost: entry.cost)
        return entry.value
    }

    /// Adds or replaces a value. One that costs more than a quarter of the limit is not kept.
    @inlinable package mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= limit / 4 else { return }
        if recentCost + cost > limit / 2 {
            (old, oldCost) = (recent, recentCost)
            (recent, recentCost) = ([:], 0)
        }
        recent[key] = Entry(value: value, cost: cost)
        recentCost += cost
    }

    @inlinable package mutating func remove(_ key: Key) {
        if let entry = recent.removeValue(forKey: key) { recentCost -= entry.cost }
        if let entry = old.removeValue(forKey: key) { oldCost -= entry.cost }
    }
}
