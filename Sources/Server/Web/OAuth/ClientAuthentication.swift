import FeedCore

extension Services {
    /// Authenticates an application by HTTP Basic or by the fields of the form (RFC 6749 §2.3.1).
    /// - Throws: ``Problem`` `invalid_client`.
    func application(_ input: InputValues, _ request: Request) async throws -> ClientApplication {
        let basic = Self.basic(request)
        guard let id = basic?.username ?? input["client_id"], let secret = basic?.password ?? input["client_secret"],
            let application = try await stores.applications.application(
                clientID: id, secretHash: AccessTokens.hash(secret))
        else { throw OAuthError.invalidClient(usedBasic: basic != nil) }
        return application
    }
}

extension ClientApplication {
    /// The scopes to grant: the requested scopes if all of them are registered. If none are requested: `read`, or all
    /// registered scopes if `read` is not registered.
    /// - Throws: ``Problem`` `invalid_scope`.
    func scopes(requested text: String?) throws(Problem) -> Scopes {
        guard let text, !text.isEmpty else { return scopes.allows(.read) ? Scopes(names: ["read"]) : scopes }
        guard let requested = try? Scopes(parsing: text), requested.names.allSatisfy(scopes.allows(name:)) else {
            throw OAuthError.invalidScope
        }
        return requested
    }
}
