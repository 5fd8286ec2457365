import AsyncHTTPClient
import FeedAPI

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
