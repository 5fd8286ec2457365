import CoreMetrics

/// Counts the hits and misses of a cache.
struct CacheMetrics: Sendable {
    private let hits: Counter
    private let misses: Counter

    /// - Parameter cache: The name of the cache.
    init(cache: String) {
        let label = MetricName.cacheRequests.rawValue
        hits = Counter(label: label, dimensions: [("cache", cache), ("result", "hit")])
        misses = Counter(label: label, dimensions: [("cache", cache), ("result", "miss")])
    }

    func record(isHit: Bool) { (isHit ? hits : misses).increment() }
}
