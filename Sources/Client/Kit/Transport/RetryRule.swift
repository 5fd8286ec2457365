import NIOHTTP1

/// Which requests are retried, and after what pause: only those that are safe to repeat, with full jitter.
enum RetryRule {
    /// The longest `Retry-After` that is honored, in seconds. It is short, because a user may be waiting.
    private static let maximumWait = 10

    /// - Returns: The pause before the next attempt, or `nil` to give up.
    static func delay(after error: FeedClientError, attempt: Int, method: HTTPMethod) -> Duration? {
        // Whoever waits has waited long enough for a server that does not respond.
        guard method == .GET || method == .HEAD, !TransportError.isTimeout(error.cause) else { return nil }
        return delay(after: error, attempt: attempt)
    }

    /// The policy for a request that may be repeated whatever its method.
    static func delay(after error: FeedClientError, attempt: Int) -> Duration? {
        guard error.code == .network || error.code == .tryLater else { return nil }
        let jitter = Int.random(in: 0...(250 << attempt))
        if let seconds = error.retryAfter {
            guard seconds <= maximumWait else { return nil }
            return .milliseconds(seconds * 1000 + jitter)
        }
        return error.code == .tryLater ? nil : .milliseconds(jitter)
    }
}

extension FeedClientError {
    /// Whether repeating the request would fail in the same way. This includes responses that cannot be understood.
    var isPermanent: Bool {
        switch code {
        case .failed, .notFound, .integrity: status != 408
        case .unauthorized: status == 403
        default: false
        }
    }
}
