/// A cache with a maximum total cost that evicts the least recently used values first. Every operation is O(1).
struct LRUCache<Key: Hashable, Value> {
    /// An element of a linked list from the most to the least recently used value.
    private struct Node {
        let value: Value
        let cost: Int
        var newer: Key?
        var older: Key?
    }

    /// The maximum total cost.
    let limit: Int
    /// The current total cost, never above ``limit``.
    private(set) var cost = 0
    private var nodes: [Key: Node] = [:]
    private var newest: Key?
    private var oldest: Key?

    init(limit: Int) { self.limit = limit }

    var count: Int { nodes.count }

    /// All keys, the most recently used first.
    var keys: [Key] {
        var keys: [Key] = []
        var next = newest
        while let key = next {
            keys.append(key)
            next = nodes[key]?.older
        }
        return keys
    }

    /// The value of a key, which becomes the most recently used one.
    mutating func value(for key: Key) -> Value? {
        guard let node = unlink(key) else { return nil }
        link(key, value: node.value, cost: node.cost)
        return node.value
    }

    /// Replaces the value of a key. A value that costs more than the limit is not inserted.
    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= limit else { return }
        while self.cost + cost > limit, let oldest { remove(oldest) }
        link(key, value: value, cost: cost)
    }

    mutating func remove(_ key: Key) { _ = unlink(key) }

    mutating func removeAll() { self = LRUCache(limit: limit) }

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
