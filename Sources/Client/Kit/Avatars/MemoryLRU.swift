/// Values up to a total cost; what was used longest ago goes first. Strict: every use counts, and every step is O(1).
struct MemoryLRU<Key: Hashable, Value> {
    /// A link of the chain from the newest to the oldest.
    private struct Node {
        let value: Value
        let cost: Int
        var newer: Key?
        var older: Key?
    }

    /// The most that all values may cost together.
    let limit: Int
    /// What they cost now; never above ``limit``.
    private(set) var cost = 0
    private var nodes: [Key: Node] = [:]
    private var newest: Key?
    private var oldest: Key?

    init(limit: Int) { self.limit = limit }

    var count: Int { nodes.count }

    /// All keys, the one used last first.
    var keys: [Key] {
        var keys: [Key] = []
        var next = newest
        while let key = next {
            keys.append(key)
            next = nodes[key]?.older
        }
        return keys
    }

    /// The value of `key`, which now is the one used last.
    mutating func value(for key: Key) -> Value? {
        guard let node = unlink(key) else { return nil }
        link(key, value: node.value, cost: node.cost)
        return node.value
    }

    /// Puts a value in, instead of the one `key` had. What costs more than the limit is not taken.
    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= limit else { return }
        while self.cost + cost > limit, let oldest { remove(oldest) }
        link(key, value: value, cost: cost)
    }

    mutating func remove(_ key: Key) { _ = unlink(key) }

    mutating func removeAll() { self = MemoryLRU(limit: limit) }

    private mutating func link(_ key: Key, value: Value, cost: Int) {
        nodes[key] = Node(value: value, cost: cost, newer: nil, older: newest)
        if let newest { nodes[newest]?.newer = key } else { oldest = key }
        newest = key
        self.cost += cost
    }

    private mutating func unlink(_ key: Key) -> Node? {
        guard let node = nodes.removeValue(forKey: key) else { return nil }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
        if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
        cost -= node.cost
        return node
    }
}
