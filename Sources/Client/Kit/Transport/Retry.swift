import NIOHTTP1

/// Whether and when a request is tried again: only what can do no harm twice, with full jitter.
enum Retry {
    /// Longer than this nobody waits at a prompt.
    private static let patience = 10

    /// - Returns: How long to wait, or `nil` to give up.
    static func delay(after error: FeedClientError, attempt: Int, method: HTTPMethod) -> Duration? {
        guard method == .GET || method == .HEAD, error.code == .network || error.code == .tryLater else { return nil }
        let jitter = Int.random(in: 0...(250 << attempt))
        if let seconds = error.retryAfter {
            guard seconds <= patience else { return nil }
            return .milliseconds(seconds * 1000 + jitter)
        }
        return error.code == .tryLater ? nil : .milliseconds(jitter)
    }
}
