/// The registration of this program with a server (an OAuth 2.0 client, RFC 6749 §2).
public struct OAuthApplication: Codable, Sendable, Equatable {
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
}
