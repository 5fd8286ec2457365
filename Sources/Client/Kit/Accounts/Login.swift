import AsyncHTTPClient
import FeedAPI
import NIOCore

extension FeedClient {
    private struct Token: Decodable {
        var access_token: String
    }

    /// Exchanges a username and a password for an access token.
    /// - Parameters:
    ///   - username: The username; other servers with the Mastodon API may expect an email address.
    ///   - password: The password. It is not stored.
    ///   - store: Keeps the registration of this program with the server, so that the next login reuses it. Without it,
    ///     each login registers the program again.
    /// - Throws: ``FeedClientError``, with the code `.unauthorized` for a wrong username or password.
    public func login(
        username: String, password: String, store: CredentialStore? = nil
    ) async throws -> Credential {
        if let application = try store?.application(of: server),
            application.scopes == ApplicationRegistration.requestedScopes
        {
            do {
                return try await token(application, username, password)
            } catch let error as FeedClientError where ApplicationRegistration.isUnknown(error) {
                // The server has removed the registration.
            }
        }
        let application = try await register()
        try store?.save(application, of: server)
        return try await token(application, username, password)
    }

    private func token(
        _ application: ApplicationRegistration, _ username: String, _ password: String
    ) async throws -> Credential {
        let request = formRequest(
            Paths.token,
            [
                ("grant_type", "password"), ("client_id", application.clientID),
                ("client_secret", application.clientSecret), ("username", username), ("password", password),
                ("scope", ApplicationRegistration.requestedScopes),
            ])
        do {
            return .token(try await transport.send(request).decode(Token.self).access_token)
        } catch let error as FeedClientError where error.status == 400 && error.message == "invalid_grant" {
            throw FeedClientError(.unauthorized, "Wrong username or password", hint: "Check both.", status: 400)
        } catch let error as FeedClientError where Self.refusesPasswords(error) {
            throw FeedClientError(
                .unauthorized, "The server does not accept passwords from apps",
                hint: "Create an access token on its website, and log in with --token-stdin.", status: error.status)
        }
    }

    /// Whether the server does not offer the grant type `password` (RFC 6749 §5.2), as Mastodon since 4.4.
    private static func refusesPasswords(_ error: FeedClientError) -> Bool {
        [400, 401].contains(error.status) && ["unsupported_grant_type", "unauthorized_client"].contains(error.message)
    }
}

extension FeedClient {
    /// Revokes the access token on the server.
    public func revoke() async throws {
        guard case .token(let token) = credential else { return }
        _ = try await transport.send(formRequest(Paths.revoke, [("token", token)]))
    }
}

/// The registration of this program with a server (an OAuth 2.0 client, RFC 6749 §2).
public struct ApplicationRegistration: Codable, Sendable, Equatable {
    public var clientID: String
    public var clientSecret: String
    /// The scopes that it may request, separated by spaces.
    public var scopes: String

    private enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case clientSecret = "client_secret"
        case scopes
    }

    public init(clientID: String, clientSecret: String, scopes: String) {
        (self.clientID, self.clientSecret, self.scopes) = (clientID, clientSecret, scopes)
    }

    /// The scopes that this program requests.
    static let requestedScopes = "read write follow"

    /// Whether a server has removed the registration (RFC 6749 §5.2).
    static func isUnknown(_ error: FeedClientError) -> Bool {
        [400, 401].contains(error.status) && error.message == "invalid_client"
    }
}

extension FeedClient {
    private struct Registration: Decodable {
        var client_id: String
        var client_secret: String
    }

    /// Registers this program with the server.
    func register() async throws -> ApplicationRegistration {
        let scopes = ApplicationRegistration.requestedScopes
        let request = formRequest(
            Paths.apps,
            [("client_name", "feedclient"), ("redirect_uris", "urn:ietf:wg:oauth:2.0:oob"), ("scopes", scopes)])
        let registration = try await transport.send(request).decode(Registration.self)
        return ApplicationRegistration(
            clientID: registration.client_id, clientSecret: registration.client_secret, scopes: scopes)
    }
}
