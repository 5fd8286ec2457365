/// The secret that authenticates a client. It is never printed.
public enum Credential: Sendable, Codable, Equatable {
    /// An access token.
    case token(String)
    /// The user name and password that the classic dialect requires in each request.
    case classic(username: String, password: String)
}
