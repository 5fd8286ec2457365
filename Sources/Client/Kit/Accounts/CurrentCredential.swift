import Synchronization

/// The credential of a client, which is replaced when the server no longer accepts it.
final class CurrentCredential: Sendable {
    private struct State {
        var credential: Credential?
        /// The tokens that have been replaced.
        var rejected: Set<String> = []
    }

    private let state: Mutex<State>
    private let renewal: FeedClient.Renewal?

    var value: Credential? { state.withLock { $0.credential } }

    init(_ credential: Credential?, renewal: FeedClient.Renewal?) {
        state = Mutex(State(credential: credential))
        self.renewal = renewal
    }

    /// - Parameter rejected: The token that the server has not accepted.
    /// - Returns: The token to try instead; `nil` if there is none.
    /// - Throws: The errors of the renewal.
    func token(insteadOf rejected: String) async throws -> String? {
        let (current, isReplaced) = state.withLock { ($0.credential, $0.rejected.contains(rejected)) }
        // Another request has been refused, too.
        if isReplaced { return current?.accessToken }
        guard let renewal, let current, current.accessToken == rejected, let renewed = try await renewal(current),
            let token = renewed.accessToken, token != rejected
        else { return nil }
        state.withLock { state in
            state.credential = renewed
            state.rejected.insert(rejected)
        }
        return token
    }
}
