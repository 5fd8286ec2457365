import AsyncHTTPClient

extension Outbox {
    /// Sends what waits in the outbox of an account, the oldest first. Posts that another process is sending are left
    /// out, and after an error that concerns the server, the rest waits for the next time. As long as an action waits,
    /// those after it do, too, because their order matters.
    /// - Parameters:
    ///   - client: A client with the credential of the account.
    ///   - trigger: Why the posts are sent.
    ///   - report: Called with the result for each post that was acted on.
    /// - Returns: The error after which the rest waits; `nil` if no posts were left out because of an error.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    @discardableResult
    public func flush(
        _ account: OutboxAccount, with client: FeedClient, _ trigger: OutboxTrigger = .automatic,
        report: (OutboxResult) async throws -> Void = { _ in }
    ) async throws -> FeedClientError? {
        var stopRule = OutboxStopRule()
        var hasWaitingAction = false
        for entry in try await entries() where entry.account == account {
            let isAction = entry.post.action != nil
            // A refused post is still here if it could not be made a draft.
            guard entry.state.isPending(trigger) || entry.state.isRefused, !(isAction && hasWaitingAction) else {
                continue
            }
            try Task.checkCancellation()
            guard let claim = try await claimIfAvailable(entry.id) else {
                hasWaitingAction = hasWaitingAction || isAction
                continue
            }
            let result = try await claim.send(with: client, trigger)
            try await report(result)
            if let error = stopRule.error(after: result) { return error }
            hasWaitingAction = hasWaitingAction || isAction && result.isWaiting
        }
        return nil
    }

    /// Sends an entry that has just been stored, after what the account did earlier. An action waits as long as an
    /// earlier one does.
    /// - Parameters:
    ///   - client: A client with the credential of the account.
    ///   - progress: As in ``OutboxClaim/send(with:_:progress:)``.
    ///   - onFailure: Called if what waits cannot be opened. The entry itself is stored already, and is sent.
    ///   - report: Called with the result for each earlier post that was acted on.
    /// - Throws: ``FeedClientError`` `.disk` as ``OutboxClaim/send(with:_:progress:)``; `CancellationError`.
    public func send(
        _ claim: OutboxClaim, with client: FeedClient,
        progress: @escaping @Sendable (_ file: Int, _ done: Int64) -> Void = { _, _ in },
        onFailure: (FeedClientError) -> Void = { _ in },
        report: (OutboxResult) async throws -> Void = { _ in }
    ) async throws -> OutboxResult {
        let entry = claim.entry
        var failure: (any Error)?
        do {
            let interruption = try await flush(entry.account, with: client) { result in
                if case .kept(let earlier, let error) = result, earlier.post.action != nil { failure = error }
                try await report(result)
            }
            if let interruption { return .kept(entry, interruption) }
        } catch let error as FeedClientError {
            onFailure(error)
        }
        guard try await !hasWaitingAction(before: entry) else { return .kept(entry, failure ?? OutboxFile.busy) }
        return try await claim.send(with: client, progress: progress)
    }

    /// Whether an action of the account waits that has to be performed before an entry, which is an action, too.
    private func hasWaitingAction(before entry: OutboxEntry) async throws -> Bool {
        guard entry.post.action != nil else { return false }
        return try await entries().contains {
            $0.account == entry.account && $0.post.action != nil && $0.state.isPending(.automatic)
                && ($0.createdAt, $0.id) < (entry.createdAt, entry.id)
        }
    }

    /// Sends what waits in the outbox of an account whenever a request of the client has reached the server, until the
    /// task is cancelled.
    /// - Parameters:
    ///   - client: A client with the credential of the account, which somebody else uses, too.
    ///   - report: Called with the result for each post that was acted on.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func sendWhenOnline(
        _ account: OutboxAccount, with client: FeedClient, report: (OutboxResult) async throws -> Void = { _ in }
    ) async throws {
        for await state in client.connection.changes where state == .online {
            try await flush(account, with: client, report: report)
        }
        try Task.checkCancellation()
    }

    /// - Returns: `nil` if another process sends the post, or has sent it.
    private func claimIfAvailable(_ id: String) async throws -> OutboxClaim? {
        do {
            return try await claim(id)
        } catch let error as FeedClientError where [.notFound, .tryLater].contains(error.code) {
            return nil
        }
    }
}

/// Decides after which failure the rest of an outbox waits for the next time, because the other posts would fail, too.
struct OutboxStopRule {
    /// Whether the connection was lost when the previous post was sent. That may be the fault of the post itself.
    private var isLost = false

    /// - Returns: The error that concerns the server; `nil` to continue.
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
