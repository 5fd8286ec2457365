/// The failures of a download, and whether another attempt makes sense.
struct DownloadRetries: Sendable {
    /// The number of times a file may change while it is downloaded.
    private static let maximumChanges = 3
    /// The number of consecutive invalid responses that are tolerated.
    private static let maximumInvalidResponses = 2

    private let maximumWait: Int
    private var backoff: DownloadBackoff
    /// The time before which no connection is opened.
    private(set) var retryTime = 0.0
    private var lastFailure = -1.0
    /// The largest number of bytes that any attempt has reached. Only bytes beyond it count as progress.
    private var farthest: Int64 = 0
    private var invalidResponses = 0
    private var lastInvalidResponse = -1.0
    private var changes = 0

    /// - Parameter maximumWait: The longest `Retry-After` that is honored, in seconds.
    init(retries: Int, maximumWait: Int) {
        backoff = DownloadBackoff(retries)
        self.maximumWait = maximumWait
    }

    var retries: Int { backoff.used }
    /// Whether the file has changed more than once.
    var keepsChanging: Bool { changes > 1 }

    mutating func resume(at bytes: Int64) { farthest = bytes }

    /// Records progress, which refills the retry budget.
    mutating func progressed(to bytes: Int64) {
        backoff.progressed(bytes - farthest)
        if bytes > farthest { invalidResponses = 0 }
        farthest = max(farthest, bytes)
    }

    /// Records a failed connection. Connections that fail together count once.
    /// - Returns: Whether to retry.
    mutating func connectionFailed(openedAt: Double, _ error: FeedClientError, _ moment: TimeSample) -> Bool {
        if openedAt > lastFailure {
            guard let pause = pause(after: error, moment) else { return false }
            lastFailure = moment.now
            retryTime = max(retryTime, moment.now + pause)
        } else if let seconds = error.retryAfter, seconds <= maximumWait {
            retryTime = max(retryTime, moment.now + Double(seconds))
        }
        return true
    }

    /// Records that the target of a redirect has refused the request. The source may be tried again.
    /// - Returns: Whether to retry.
    mutating func redirectTargetFailed(_ error: FeedClientError, _ moment: TimeSample) -> Bool {
        guard let pause = pause(after: error, moment) else { return false }
        retryTime = moment.now + pause
        return true
    }

    /// Records an invalid response, which may be accidental. Responses that arrive together count once.
    /// - Returns: Whether to retry.
    mutating func responseWasInvalid(openedAt: Double, now: Double) -> Bool {
        if openedAt > lastInvalidResponse { (invalidResponses, lastInvalidResponse) = (invalidResponses + 1, now) }
        return invalidResponses <= Self.maximumInvalidResponses
    }

    /// Records that the file has changed on the server.
    /// - Returns: Whether to start over.
    mutating func fileChanged() -> Bool {
        changes += 1
        farthest = 0
        return changes <= Self.maximumChanges
    }

    private mutating func pause(after error: FeedClientError, _ moment: TimeSample) -> Double? {
        backoff.pause(retryAfter: error.retryAfter, maximumWait: maximumWait, jitter: moment.jitter)
    }
}

/// The number of retries of a failed connection, and the pause before each.
struct DownloadBackoff: Sendable {
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
