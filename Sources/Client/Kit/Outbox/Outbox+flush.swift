extension Outbox {
    /// Sends what waits in the outbox of an account, the oldest first. Posts that another process is sending are left
    /// out, and after an error that concerns the server, the rest waits for the next time.
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
        var interruption = FlushInterruption()
        for entry in try await entries() where entry.account == account {
            // A refused post is still here if it could not be made a draft.
            guard entry.state.isPending(trigger) || entry.state.isRefused else { continue }
            try Task.checkCancellation()
            guard let claim = try await claimIfAvailable(entry.id) else { continue }
            let result = try await claim.send(with: client, trigger)
            try await report(result)
            if let error = interruption.error(after: result) { return error }
        }
        return nil
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
