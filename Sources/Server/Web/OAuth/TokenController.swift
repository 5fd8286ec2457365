import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes

/// Tokens for applications: `POST /oauth/token` (RFC 6749) and `POST /oauth/revoke` (RFC 7009).
struct TokenController: Sendable {
    /// The supported values of `grant_type`.
    static let grants = ["authorization_code", "client_credentials", "password", "refresh_token"]

    let applications: ApplicationStore
    let passwords: Login
    let grants: Grants
    let settings: ReloadableSettings
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post(Paths.token, .open, use: token)
        endpoints.post(Paths.revoke, .open, use: revoke)
    }

    @Sendable func token(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let application = try await applications.authenticate(input, request)
        let issued: Grants.IssuedToken? =
            switch input["grant_type"] {
            case "authorization_code": try await redeem(input, application)
            case "refresh_token": try await refresh(input, application)
            case "password": try await login(input, application, context)
            case "client_credentials":
                try await grants.token(
                    for: nil, scopes: try application.scopes(requested: input["scope"]), application: application)
            default: throw OAuthError.unsupportedGrant
            }
        guard let issued else { throw OAuthError.invalidGrant }
        return Response(token: issued, now: clock.now())
    }

    /// Revokes a token. Also succeeds for an unknown token (RFC 7009 §2.2).
    @Sendable func revoke(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        guard let token = input["token"] else { throw OAuthError.invalidRequest("token is missing.") }
        // A token may revoke itself, even if the application has no secret.
        let isHolder = request.bearerToken == token
        let application = isHolder ? nil : try await applications.authenticate(input, request)
        try await grants.revoke(token, by: application)
        var json = JSONWriter()
        json.object { _ in }
        return Response(json: json)
    }

    private func redeem(_ input: RequestParameters, _ application: ClientApplication) async throws -> Grants
        .IssuedToken?
    {
        guard let code = input["code"], let address = input["redirect_uri"] else {
            throw OAuthError.invalidRequest("code or redirect_uri is missing.")
        }
        let verifier = input["code_verifier"].flatMap { $0.isEmpty ? nil : $0 }
        return try await grants.redeem(code, by: application, redirectURI: address, verifier: verifier)
    }

    private func refresh(_ input: RequestParameters, _ application: ClientApplication) async throws -> Grants
        .IssuedToken?
    {
        guard let secret = input["refresh_token"] else {
            throw OAuthError.invalidRequest("refresh_token is missing.")
        }
        if let requested = input["scope"], !requested.isEmpty { _ = try application.scopes(requested: requested) }
        return try await grants.refresh(secret, by: application)
    }

    private func login(
        _ input: RequestParameters, _ application: ClientApplication, _ context: RequestContext
    ) async throws -> Grants.IssuedToken? {
        guard let username = input["username"], let password = input["password"] else {
            throw OAuthError.invalidRequest("username or password is missing.")
        }
        let scopes = try application.scopes(requested: input["scope"])
        do {
            let login = try await passwords.authenticate(
                username: username, password: password, address: context.address)
            return try await grants.token(
                for: login.account.id, proof: login.hash, scopes: scopes, application: application)
        } catch let error as FeedError where [.unauthorized, .forbidden].contains(error.kind) {
            throw OAuthError.problem("invalid_grant", error.message)
        }
    }
}

extension Response {
    /// A Token entity (RFC 6749 §5.1). It has no `expires_in`, since a token is valid until it is revoked.
    /// - Parameter now: Milliseconds since 1970.
    init(token: Grants.IssuedToken, now: Int64) {
        var json = JSONWriter()
        json.object {
            $0.field("access_token", token.access)
            $0.field("token_type", "Bearer")
            if let refresh = token.refresh { $0.field("refresh_token", refresh) }
            $0.field("scope", token.scopes.formatted)
            $0.field("created_at", Int(now / 1000))
        }
        self.init(json: json, headers: [.cacheControl: "no-store", .pragma: "no-cache"])
    }
}

/// OAuth 2.0 error responses (RFC 6749 §5.2): the code is `error`, the text `error_description`.
enum OAuthError {
    static func invalidRequest(_ text: String) -> ErrorResponse { problem("invalid_request", text) }

    static let invalidGrant = problem(
        "invalid_grant",
        "The provided authorization grant is invalid, expired, revoked, does not match the redirect URI, or "
            + "was issued to another client.")

    static func invalidScope(_ error: FeedError) -> ErrorResponse {
        problem("invalid_scope", [error.message, error.hint].compactMap(\.self).joined(separator: ". ") + ".")
    }

    static let unsupportedGrant = problem(
        "unsupported_grant_type", "The authorization grant type is not supported by this server.")

    /// - Parameter usedBasic: Whether the client used HTTP Basic; the response must then name that scheme.
    static func invalidClient(usedBasic: Bool) -> ErrorResponse {
        let text = "Client authentication failed due to unknown client or wrong secret."
        let headers: HTTPFields = usedBasic ? [.wwwAuthenticate: "Basic realm=\"feedserver\""] : [:]
        return ErrorResponse(status: .unauthorized, message: "invalid_client", hint: text, headers: headers)
    }

    static func problem(_ code: String, _ text: String, status: HTTPResponse.Status = .badRequest) -> ErrorResponse {
        ErrorResponse(status: status, message: code, hint: text)
    }
}

extension ApplicationStore {
    /// Authenticates an application by HTTP Basic or by the fields of the form (RFC 6749 §2.3.1).
    /// - Throws: ``ErrorResponse`` `invalid_client`.
    func authenticate(_ input: RequestParameters, _ request: Request) async throws -> ClientApplication {
        let basic = request.basicCredentials
        guard let id = basic?.username ?? input["client_id"], let secret = basic?.password ?? input["client_secret"],
            let application = try await application(
                clientID: id, secretHash: Secret.hash(secret))
        else { throw OAuthError.invalidClient(usedBasic: basic != nil) }
        return application
    }
}

extension ClientApplication {
    /// The scopes to grant: the requested scopes if all of them are registered. If none are requested: `read`, or all
    /// registered scopes if `read` is not registered.
    /// - Throws: ``ErrorResponse`` `invalid_scope`.
    func scopes(requested text: String?) throws(ErrorResponse) -> ScopeSet {
        guard let text, !text.isEmpty else { return scopes.allows(.read) ? ScopeSet(names: ["read"]) : scopes }
        do throws(FeedError) {
            let requested = try ScopeSet(parsing: text)
            let others = requested.names.filter { !scopes.allows(name: $0) }
            guard others.isEmpty else {
                throw ScopeSet.refusal(of: others, hint: "The application is registered for: " + scopes.formatted)
            }
            return requested
        } catch { throw OAuthError.invalidScope(error) }
    }
}
