import AsyncHTTPClient
import FeedAPI
import NIOCore
import Synchronization

/// The credential of a client, which is replaced when the server no longer accepts it.
final class CredentialRenewal: Sendable {
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
    /// - Returns: The token to try instead, or `nil`.
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

/// An access token that may expire, and what replaces it by a new one (RFC 6749 §6).
public struct RenewableToken: Sendable, Codable, Equatable {
    /// A token that expires within this time, in milliseconds, is renewed first, because a command may take a while.
    private static let margin: Int64 = 60_000

    public var access: String
    public var refresh: String
    /// The expiry of the access token, in milliseconds since 1970; far in the future if the server has not said it.
    /// Then it is renewed when the server no longer accepts it.
    public var expiresAt: Int64
    /// The application to which the server has issued it.
    public var application: ApplicationRegistration

    public init(access: String, refresh: String, expiresAt: Int64, application: ApplicationRegistration) {
        (self.access, self.refresh) = (access, refresh)
        (self.expiresAt, self.application) = (expiresAt, application)
    }

    /// - Parameter now: Milliseconds since 1970.
    func isExpiring(at now: Int64) -> Bool { expiresAt.subtractingSaturating(now) < Self.margin }
}
