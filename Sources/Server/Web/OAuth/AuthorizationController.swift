import FeedCore
import FeedStore
import HTTPTypes

/// The authorization page, on which users log in and authorize an application (RFC 6749 §4.1): `/oauth/authorize`.
///
/// In a session of the pages, it asks only for consent. Otherwise one form contains username, password and consent, and
/// begins no session.
struct AuthorizationController: Sendable {
    let applications: ApplicationStore
    let passwords: Login
    let grants: Grants
    let assets: PageAssets
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
        let authorization = try await AuthorizationForm(query, applications: applications)
        guard query.flag("force_login") != true, let viewer = authorization.session(context) else {
            return try form(authorization, request, context)
        }
        return try page(request, context).consent(authorization, as: viewer.account)
    }

    private func decide(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let authorization = try await AuthorizationForm(input, applications: applications)
        let page = try page(request, context)
        // The form of a session has no password. ``CrossSiteRule`` has checked that one of our pages has sent it.
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

    private func page(_ request: Request, _ context: RequestContext) throws -> AuthorizationPage {
        AuthorizationPage(frame: try assets.page(for: request, context))
    }

    private func allow(
        _ authorization: AuthorizationForm, by account: Account, proof: String? = nil, _ page: AuthorizationPage
    ) async throws -> Response {
        let code = try await grants.code(
            for: account, proof: proof, application: authorization.application, redirectURI: authorization.redirectURI,
            scopes: authorization.scopes,
            challenge: authorization.challenge)
        return Self.redirect(authorization.address(("code", code)))
            ?? page.code(code, for: authorization.application)
    }

    private func deny(_ authorization: AuthorizationForm, _ page: AuthorizationPage) -> Response {
        let description = "The resource owner or authorization server denied the request."
        return Self.redirect(authorization.address(("error", "access_denied"), ("error_description", description)))
            ?? page.denied(authorization.application)
    }

    /// Shows the form again with an error message.
    private func refused(
        _ error: FeedError, _ authorization: AuthorizationForm, _ request: Request, _ context: RequestContext,
        username: String
    ) throws -> Response {
        var response = try form(
            authorization, request, context, status: LoginRefusal.status(error),
            message: assets.language(for: request, context).text.message(error),
            username: String(username.prefix(100)))
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private func form(
        _ authorization: AuthorizationForm, _ request: Request, _ context: RequestContext,
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
