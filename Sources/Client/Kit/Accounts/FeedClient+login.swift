import AsyncHTTPClient
import FeedAPI
import NIOCore

extension FeedClient {
    private struct Registered: Decodable {
        var client_id: String
        var client_secret: String
    }

    private struct Token: Decodable {
        var access_token: String
    }

    static let scopes = "read write follow"

    /// Registers this program with the server and trades a password for a token.
    /// - Throws: ``FeedClientError`` `.unauthorized` for a wrong name or password.
    public func login(username: String, password: String) async throws -> Credential {
        let registration = form(
            Paths.apps,
            [("client_name", "feedclient"), ("redirect_uris", "urn:ietf:wg:oauth:2.0:oob"), ("scopes", Self.scopes)])
        let application = try await transport.send(registration).decode(Registered.self)
        let request = form(
            Paths.token,
            [
                ("grant_type", "password"), ("client_id", application.client_id),
                ("client_secret", application.client_secret), ("username", username), ("password", password),
                ("scope", Self.scopes),
            ])
        do {
            return .token(try await transport.send(request).decode(Token.self).access_token)
        } catch let error as FeedClientError where error.status == 400 && error.message == "invalid_grant" {
            throw FeedClientError(.unauthorized, "Wrong user name or password", hint: "Check both.", status: 400)
        }
    }
}
