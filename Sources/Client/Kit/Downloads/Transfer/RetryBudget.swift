/// Determines how often a failed connection is retried, and after what pause.
struct RetryBudget: Sendable {
    /// The bytes of progress that permit another retry, in addition to the one for any progress at all.
    private static let refill: Int64 = 1 << 20
    /// The bytes of progress after which pauses are short again.
    private static let recovery: Int64 = 64 << 10
    static let initialPause = 0.5
    static let maximumPause = 30.0

    private let capacity: Int
    private(set) var remaining: Int
    /// The number of consecutive failures.
    private var streak = 0
    /// The total number of retries so far.
    private(set) var used = 0
    private var progress: Int64 = 0

    init(_ capacity: Int) {
        self.capacity = max(0, capacity)
        remaining = self.capacity
    }

    /// Records progress.
    mutating func progressed(_ bytes: Int64) { progress = progress.addingSaturating(max(0, bytes)) }

    /// Uses up a retry.
    /// - Parameters:
    ///   - retryAfter: The shortest pause that the server permits, in seconds.
    ///   - maximumWait: The longest `retryAfter` that is honored.
    ///   - jitter: A random number from 0 up to 1.
    /// - Returns: The pause in seconds, or `nil` to give up.
    mutating func pause(retryAfter: Int?, maximumWait: Int, jitter: Double) -> Double? {
        refillFromProgress()
        guard remaining > 0, (retryAfter ?? 0) <= maximumWait else { return nil }
        remaining -= 1
        used += 1
        let ceiling = min(Self.maximumPause, Self.initialPause * Double(1 << min(streak, 10)))
        streak += 1
        return Double(max(0, retryAfter ?? 0)) + jitter * ceiling
    }

    private mutating func refillFromProgress() {
        guard progress > 0 else { return }
        remaining = Int(min(Int64(capacity), Int64(remaining).addingSaturating(1 + progress / Self.refill)))
        if progress >= Self.recovery { streak = 0 }
        progress = 0
    }
}
