/// How often and after what pause a broken connection is taken up again. Pure.
struct RetryBudget: Sendable {
    /// Progress that gives one more try beyond the one that every progress gives back.
    static let refill: Int64 = 1 << 20
    /// Progress after which pauses start short again.
    static let recovery: Int64 = 64 << 10
    static let firstPause = 0.5
    static let longestPause = 30.0

    let capacity: Int
    private(set) var left: Int
    /// Failures in a row.
    private(set) var streak = 0
    /// All tries ever taken.
    private(set) var used = 0
    private var progress: Int64 = 0

    init(_ capacity: Int) {
        self.capacity = max(0, capacity)
        left = self.capacity
    }

    /// Bytes came that were not there before.
    mutating func progressed(_ bytes: Int64) { progress = progress.addingSaturating(max(0, bytes)) }

    /// - Parameters:
    ///   - retryAfter: Seconds the server asked to wait: the least.
    ///   - patience: Seconds somebody waits at most when asked.
    ///   - jitter: A random number from 0 up to 1.
    /// - Returns: Seconds to wait, or `nil` to give up.
    mutating func pause(retryAfter: Int?, patience: Int, jitter: Double) -> Double? {
        takeUpProgress()
        guard left > 0, (retryAfter ?? 0) <= patience else { return nil }
        left -= 1
        used += 1
        let ceiling = min(Self.longestPause, Self.firstPause * Double(1 << min(streak, 10)))
        streak += 1
        return Double(max(0, retryAfter ?? 0)) + jitter * ceiling
    }

    private mutating func takeUpProgress() {
        guard progress > 0 else { return }
        left = Int(min(Int64(capacity), Int64(left).addingSaturating(1 + progress / Self.refill)))
        if progress >= Self.recovery { streak = 0 }
        progress = 0
    }
}
