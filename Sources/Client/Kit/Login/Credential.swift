import AsyncHTTPClient
import FeedAPI
import NIOCore
import Synchronization

/// The secret that authenticates a client. It is never printed.
public enum Credential: Sendable, Codable, Equatable {
    /// An access token.
    case token(String)
    /// An access token that may expire.
    case renewable(RenewableToken)
    /// The username and password that the classic dialect requires in each request.
    case classic(username: String, password: String)

    /// The access token; `nil` for the classic dialect.
    var accessToken: String? {
        switch self {
        case .token(let token): token
        case .renewable(let token): token.access
        case .classic: nil
        }
    }
}

/// A response with an access token (RFC 6749 §5.1).
struct IssuedToken: Decodable {
    private var access_token: String
    private var refresh_token: String?
    /// Seconds.
    private var expires_in: Int64?

    private enum CodingKeys: String, CodingKey { case access_token, refresh_token, expires_in }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        access_token = try container.decode(String.self, forKey: .access_token)
        refresh_token = try? container.decode(String.self, forKey: .refresh_token)
        expires_in = try? container.decode(Int64.self, forKey: .expires_in)
    }

    /// The credential to store.
    /// - Parameters:
    ///   - earlier: The refresh token that was used; it remains valid if the response contains none.
    ///   - now: Milliseconds since 1970.
    func credential(
        for application: ApplicationRegistration, earlier: String? = nil, now: Int64
    ) -> Credential {
        guard let refresh = refresh_token ?? earlier else { return .token(access_token) }
        let latest = Milliseconds.valid.upperBound
        let end = expires_in.flatMap { $0 > 0 ? now.addingSaturating(min($0, latest / 1000) * 1000) : nil }
        return .renewable(
            RenewableToken(
                access: access_token, refresh: refresh, expiresAt: end ?? latest, application: application))
    }
}

extension FeedClient {
    /// Replaces the token of a login by a new one if it expires soon, and stores it. Other logins are returned as they
    /// are.
    /// - Parameter isRejected: Whether the server no longer accepts the token, so that it has to be replaced.
    /// - Throws: ``FeedClientError``, with the code `.unauthorized` if the login has ended.
    public func renewed(
        _ login: CredentialStore.Login, in store: CredentialStore, isRejected: Bool = false
    ) async throws -> CredentialStore.Login {
        guard case .renewable(let token) = login.credential, isRejected || token.isExpiring(at: Milliseconds.now)
        else { return login }
        return try await store.locked {
            // Another process may have renewed it in the meantime.
            if let stored = try store.stored(login), stored.credential != login.credential { return stored }
            try Task.checkCancellation()
            // Not cancelled with the request that needs it: the server may have replaced the refresh token already, and
            // without the new one the login would be lost.
            return try await Task {
                var login = login
                login.credential = try await renewed(token)
                try store.update(login)
                return login
            }.value
        }
    }

    private func renewed(_ token: RenewableToken) async throws -> Credential {
        do {
            return try await issue(
                token.application, grant: "refresh_token", [("refresh_token", token.refresh)], earlier: token.refresh)
        } catch let error as FeedClientError where [400, 401].contains(error.status) {
            throw FeedClientError(
                .unauthorized, "The login to \(server) has expired", hint: "Log in again: feedclient login \(server).",
                cause: error, status: error.status)
        }
    }

    /// Requests a token.
    /// - Parameter earlier: The refresh token that is used, if any.
    func issue(
        _ application: ApplicationRegistration, grant: String, _ fields: [(String, String?)], earlier: String? = nil
    ) async throws -> Credential {
        let client = [("client_id", application.clientID), ("client_secret", application.clientSecret)]
        let request = formRequest(Paths.token, [("grant_type", grant)] + client + fields)
        let issued = try await transport.send(request).decode(IssuedToken.self)
        return issued.credential(for: application, earlier: earlier, now: Milliseconds.now)
    }
}
