import FeedCore
import FeedStore
import Foundation
import HTTPTypes

/// The authorization page, on which users log in and authorize an application (RFC 6749 §4.1): `/oauth/authorize`.
///
/// In a session of the pages, it asks only for consent. Otherwise one form contains username, password and consent, and
/// begins no session.
struct AuthorizeController: Sendable {
    let applications: ApplicationStore
    let passwords: Login
    let grants: Grants
    let reader: WebReader
    let errors: ErrorPage
    let csrf: CSRFProtection
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/oauth/authorize", .open) { request, context in
            try await errors.form { try await show(request, context) }
        }
        endpoints.post("/oauth/authorize", .open) { request, context in
            try await errors.form { try await decide(request, context) }
        }
    }

    private func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let query = try request.query
        let authorization = try await AuthorizationRequest(query, applications: applications)
        guard query.flag("force_login") != true, let viewer = authorization.session(context) else {
            return try form(authorization, request, context)
        }
        return try page(request, context).consent(authorization, as: viewer.account)
    }

    private func decide(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let authorization = try await AuthorizationRequest(input, applications: applications)
        let page = try page(request, context)
        // The form of a session has no password. ``SessionRule`` has checked that one of our pages has sent it.
        if input["password"] == nil, let viewer = authorization.session(context) {
            guard input["decision"] == "allow" else { return deny(authorization, page) }
            return try await allow(authorization, by: viewer.account, page)
        }
        guard try csrf.isTokenValid(input, authorization.fields, from: request) else {
            return try form(
                authorization, request, context, status: .forbidden,
                message: page.frame.text.loginExpired)
        }
        guard input["decision"] == "allow" else { return deny(authorization, page) }
        let username = input["username"] ?? ""
        do {
            let login = try await passwords.authenticate(
                username: username, password: input["password"] ?? "", address: context.address)
            return try await allow(authorization, by: login.account, proof: login.hash, page)
        } catch let error as FeedError where LoginRefusal.isShown(error) {
            return try refused(error, authorization, request, context, username: username)
        }
    }

    private func page(_ request: Request, _ context: RequestContext) throws -> AuthorizePage {
        AuthorizePage(frame: try reader.page(for: request, context))
    }

    private func allow(
        _ authorization: AuthorizationRequest, by account: Account, proof: String? = nil, _ page: AuthorizePage
    ) async throws -> Response {
        let code = try await grants.code(
            for: account, proof: proof, application: authorization.application, redirectURI: authorization.redirectURI,
            scopes: authorization.scopes,
            challenge: authorization.challenge)
        return Self.redirect(authorization.address(("code", code)))
            ?? page.code(code, for: authorization.application)
    }

    private func deny(_ authorization: AuthorizationRequest, _ page: AuthorizePage) -> Response {
        let description = "The resource owner or authorization server denied the request."
        return Self.redirect(authorization.address(("error", "access_denied"), ("error_description", description)))
            ?? page.denied(authorization.application)
    }

    /// Shows the form again with an error message.
    private func refused(
        _ error: FeedError, _ authorization: AuthorizationRequest, _ request: Request, _ context: RequestContext,
        username: String
    ) throws -> Response {
        var response = try form(
            authorization, request, context, status: LoginRefusal.status(error),
            message: reader.language(for: request, context).text.message(error),
            username: String(username.prefix(100)))
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private func form(
        _ authorization: AuthorizationRequest, _ request: Request, _ context: RequestContext,
        status: HTTPResponse.Status = .ok, message: String? = nil, username: String = ""
    ) throws -> Response {
        let token = try csrf.token(authorization.fields, for: request)
        var response = try page(request, context).form(
            authorization, csrfToken: token.text, username: username, message: message)
        response.status = status
        response.headers.append(token.cookie)
        return response
    }

    /// A 303 redirect, so that browsers do not send the password again (RFC 9700 §4.12).
    private static func redirect(_ address: String?) -> Response? {
        address.map { Response(status: .seeOther, headers: [.location: $0]) }
    }
}

/// A validated authorization request of an application (RFC 6749 §4.1.1, RFC 7636 §4.3).
struct AuthorizationRequest: Sendable {
    private static let maximumState = 4096

    let application: ClientApplication
    let redirectURI: String
    let scopes: Scopes
    /// Returned to the application unchanged.
    let state: String?
    let challenge: String?

    /// - Throws: ``ErrorResponse``, which is shown on a page and never redirected: anyone can register an application,
    ///   which would make this server an open redirector (RFC 9700 §4.11.2).
    init(_ input: RequestParameters, applications: ApplicationStore) async throws {
        guard let id = input["client_id"], let registered = try await applications.application(clientID: id) else {
            throw OAuthError.problem(
                "This application is not registered here", "Log out of the app, then log in again.")
        }
        application = registered
        redirectURI = try Self.address(input, of: registered)
        guard input["response_type"] ?? "code" == "code" else {
            throw OAuthError.problem(
                "This application requests an unsupported response type", "response_type must be code.")
        }
        scopes = try registered.scopes(requested: input["scope"])
        state = input["state"]
        guard (state?.utf8.count ?? 0) <= Self.maximumState else {
            throw OAuthError.problem("The state parameter is too long", "At most 4096 bytes are allowed.")
        }
        challenge = try Self.challenge(input)
    }

    /// The parameters of the request, for the form and its token.
    var fields: [(name: String, value: String)] {
        var fields = [
            ("response_type", "code"), ("client_id", application.clientID), ("redirect_uri", redirectURI),
            ("scope", scopes.formatted),
        ]
        if let state { fields.append(("state", state)) }
        if let challenge { fields += [("code_challenge", challenge), ("code_challenge_method", "S256")] }
        return fields
    }

    /// The session in which the user can consent without a password; `nil` for scopes that the session does not have,
    /// such as those of administrators.
    func session(_ context: RequestContext) -> Viewer? {
        guard let viewer = context.viewer, viewer.isSession else { return nil }
        let allowed = Scopes(names: viewer.scopes.names + ["profile", "offline_access"])
        return scopes.names.allSatisfy(allowed.allows(name:)) ? viewer : nil
    }

    /// The redirect address that returns `values` to the application; `nil` for an out-of-band request.
    func address(_ values: (name: String, value: String)...) -> String? {
        guard redirectURI != RedirectURI.outOfBand else { return nil }
        return RedirectURI.adding(values + (state.map { [("state", $0)] } ?? []), to: redirectURI)
    }

    private static func address(_ input: RequestParameters, of application: ClientApplication) throws -> String {
        guard let requested = input["redirect_uri"], !requested.isEmpty else {
            guard let only = application.redirectURIs.first, application.redirectURIs.count == 1 else { throw mismatch }
            return only
        }
        guard application.redirectURIs.contains(where: { RedirectURI.matches(requested, registered: $0) }) else {
            throw mismatch
        }
        return requested
    }

    private static let mismatch = OAuthError.problem(
        "This application requests a redirect URI that it has not registered",
        "The redirect URI must exactly match a registered one.")

    private static func challenge(_ input: RequestParameters) throws -> String? {
        guard let text = input["code_challenge"], !text.isEmpty else {
            guard input["code_challenge_method"]?.isEmpty ?? true else { throw badChallenge }
            return nil
        }
        guard input["code_challenge_method"] == "S256", AuthorizationCode.isBase64URL256(text) else {
            throw badChallenge
        }
        return text
    }

    private static let badChallenge = OAuthError.problem(
        "This application sends an unsupported code challenge", "code_challenge_method must be S256.")
}
