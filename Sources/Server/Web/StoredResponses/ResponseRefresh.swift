/// Requests whose stored response is out of date. One of them takes the ordinary path, which stores a new response;
/// the others wait for it, because most of what the ordinary path costs is not the computation, which they would share.
/// Pure.
struct ResponseRefresh<Key: Hashable, Waiter> {
    private var waiting: [Key: [Waiter]] = [:]

    /// Waits for the request that refreshes the response.
    /// - Returns: `false` if no request refreshes it: the caller refreshes it, and must call ``end(_:)`` afterwards.
    mutating func join(_ key: Key, _ waiter: Waiter) -> Bool {
        guard waiting[key] != nil else {
            waiting[key] = []
            return false
        }
        waiting[key]?.append(waiter)
        return true
    }

    /// - Returns: The waiters, in the order of their arrival. The response may still be out of date.
    mutating func end(_ key: Key) -> [Waiter] { waiting.removeValue(forKey: key) ?? [] }
}
