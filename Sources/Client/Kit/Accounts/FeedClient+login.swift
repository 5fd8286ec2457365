import AsyncHTTPClient
import FeedAPI
import NIOCore

extension FeedClient {
    private struct Registration: Decodable {
        var client_id: String
        var client_secret: String
    }

    private struct Token: Decodable {
        var access_token: String
    }

    private static let scopes = "read write follow"

    /// Exchanges a user name and a password for an access token.
    /// - Parameters:
    ///   - username: The user name; other servers with the Mastodon API may expect an email address.
    ///   - password: The password. It is not stored.
    ///   - store: Keeps the registration of this program with the server, so that the next login reuses it. Without it, each
    ///     login registers the program again.
    /// - Throws: ``FeedClientError``, with the code `.unauthorized` for a wrong user name or password.
    public func login(
        username: String, password: String, store: CredentialStore? = nil
    ) async throws -> Credential {
        if let application = try store?.application(of: server), application.scopes == Self.scopes {
            do {
                return try await token(application, username, password)
            } catch let error as FeedClientError where Self.isUnknownApplication(error) {
                // The server has removed the registration.
            }
        }
        let application = try await register()
        try store?.save(application, of: server)
        return try await token(application, username, password)
    }

    /// Revokes the access token on the server.
    public func revoke() async throws {
        guard case .token(let token) = credential else { return }
        _ = try await transport.send(formRequest(Paths.revoke, [("token", token)]))
    }

    private func register() async throws -> OAuthApplication {
        let request = formRequest(
            Paths.apps,
            [("client_name", "feedclient"), ("redirect_uris", "urn:ietf:wg:oauth:2.0:oob"), ("scopes", Self.scopes)])
        let registration = try await transport.send(request).decode(Registration.self)
        return OAuthApplication(
            clientID: registration.client_id, clientSecret: registration.client_secret, scopes: Self.scopes)
    }

    private func token(
        _ application: OAuthApplication, _ username: String, _ password: String
    ) async throws -> Credential {
        let request = formRequest(
            Paths.token,
            [
                ("grant_type", "password"), ("client_id", application.clientID),
                ("client_secret", application.clientSecret), ("username", username), ("password", password),
                ("scope", Self.scopes),
            ])
        do {
            return .token(try await transport.send(request).decode(Token.self).access_token)
        } catch let error as FeedClientError where error.status == 400 && error.message == "invalid_grant" {
            throw FeedClientError(.unauthorized, "Wrong user name or password", hint: "Check both.", status: 400)
        }
    }

    /// RFC 6749 §5.2.
    private static func isUnknownApplication(_ error: FeedClientError) -> Bool {
        [400, 401].contains(error.status) && error.message == "invalid_client"
    }
}
