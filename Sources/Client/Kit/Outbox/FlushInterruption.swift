import AsyncHTTPClient

/// Decides after which failure the rest of an outbox waits for the next time, because the other posts would fail, too.
/// Pure.
struct FlushInterruption {
    /// Whether the connection was lost when the previous post was sent. That may be the fault of the post itself.
    private var isLost = false

    /// - Returns: The error that concerns the server; `nil` to go on.
    mutating func error(after result: OutboxResult) -> FeedClientError? {
        guard case .kept(let entry, let error as FeedClientError) = result else {
            isLost = false
            return nil
        }
        let wasLost = isLost
        isLost = error.code == .network
        return Self.concernsServer(error, entry.state) || wasLost && isLost ? error : nil
    }

    private static func concernsServer(_ error: FeedClientError, _ state: OutboxState) -> Bool {
        if [.unreachable, .tryLater].contains(error.code) || error.status == 401 { return true }
        guard let cause = error.cause as? HTTPClientError else { return false }
        // In the state `new`, media were uploaded, which may take too long because the files are large.
        return cause == .readTimeout || cause == .writeTimeout || cause == .deadlineExceeded && state != .new
    }
}
