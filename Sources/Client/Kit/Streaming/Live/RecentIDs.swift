/// A bounded set of ids. When it is full, it drops the oldest ones.
struct RecentIDs {
    private let capacity: Int
    private var ids: Set<String> = []
    /// The ids in the order of their addition; the oldest one is at ``oldest``.
    private var order: [String] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    func contains(_ id: String) -> Bool { ids.contains(id) }

    /// - Returns: Whether the id was not in the set.
    mutating func insert(_ id: String) -> Bool {
        guard ids.insert(id).inserted else { return false }
        if order.count < capacity {
            order.append(id)
        } else {
            ids.remove(order[oldest])
            order[oldest] = id
            oldest = (oldest + 1) % capacity
        }
        return true
    }
}
