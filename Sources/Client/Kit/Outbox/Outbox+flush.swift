extension Outbox {
    /// Sends what waits in the outbox of an account, the oldest first. Posts that another process is sending are left
    /// out, and after an error that concerns the server, the rest waits for the next time.
    /// - Parameters:
    ///   - client: A client with the credential of the account.
    ///   - trigger: Why the posts are sent.
    ///   - report: Called with the result for each post that was acted on.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func flush(
        _ account: OutboxAccount, with client: FeedClient, _ trigger: OutboxTrigger = .automatic,
        report: (OutboxResult) async throws -> Void = { _ in }
    ) async throws {
        for entry in try await entries() where entry.account == account && entry.state.isPending(trigger) {
            try Task.checkCancellation()
            guard let claim = try await claimIfAvailable(entry.id) else { continue }
            let result = try await claim.send(with: client, trigger)
            try await report(result)
            if case .kept(_, let error as FeedClientError) = result, Self.concernsServer(error) { return }
        }
    }

    /// - Returns: `nil` if another process sends the post, or has sent it.
    private func claimIfAvailable(_ id: String) async throws -> OutboxClaim? {
        do {
            return try await claim(id)
        } catch let error as FeedClientError where [.notFound, .tryLater].contains(error.code) {
            return nil
        }
    }

    /// Whether the next post would fail, too. A connection that was lost may be the fault of the post itself.
    private static func concernsServer(_ error: FeedClientError) -> Bool {
        [.unreachable, .tryLater].contains(error.code) || error.status == 401
    }
}
