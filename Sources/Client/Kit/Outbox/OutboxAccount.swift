/// The account that a post belongs to.
public struct OutboxAccount: Codable, Sendable, Hashable {
    /// The address of the server.
    public let server: String
    public let username: String

    public init(server: String, username: String) {
        self.server = server
        self.username = username
    }

    public init(_ login: CredentialStore.Login) { self.init(server: login.server, username: login.username) }
}
