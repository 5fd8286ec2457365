import FeedCore
import HTTPTypes

/// The authorization page, on which users log in and authorize an application (RFC 6749 §4.1): `/oauth/authorize`.
///
/// One form contains user name, password and consent, so that no session can be stolen or forged.
struct AuthorizeController: Sendable {
    let services: Services
    let pages: PageController
    private let page: AuthorizePage
    private let seal: CSRFProtection

    init(services: Services, pages: PageController) {
        self.services = services
        self.pages = pages
        seal = CSRFProtection(key: services.site.formKey)
        page = AuthorizePage(services: services)
    }

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/oauth/authorize", .open) { request, context in
            try await pages.form(request) { try await show(request, context) }
        }
        endpoints.post("/oauth/authorize", .open) { request, context in
            try await pages.form(request) { try await decide(request, context) }
        }
    }

    private func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        try form(try await AuthorizationRequest(request.query, applications: services.stores.applications), request)
    }

    private func decide(_ request: Request, _ context: FeedContext) async throws -> Response {
        let input = try await request.input(upTo: services.limits.formBytes, context: context)
        let authorization = try await AuthorizationRequest(input, applications: services.stores.applications)
        let isSecure = try services.site.baseURL.isSecure(for: request)
        guard let cookie = FormCookie(request, isSecure: isSecure), let text = input["seal"],
            seal.isValid(text, cookie: cookie.value, fields: authorization.fields, now: services.clock.now())
        else {
            return try form(
                authorization, request, status: .forbidden, message: "This page has expired. Please log in again.")
        }
        guard input["decision"] == "allow" else { return try deny(authorization) }
        let username = input["username"] ?? ""
        do {
            let login = try await services.login.passwords.authenticate(
                username: username, password: input["password"] ?? "", address: context.address)
            return try await allow(authorization, by: login.account, proof: login.hash)
        } catch let error as FeedError
            where [.unauthorized, .forbidden, .rateLimited, .unavailable].contains(error.kind)
        {
            return try refused(error, authorization, request, username: username)
        }
    }

    private func allow(_ authorization: AuthorizationRequest, by account: Account, proof: String) async throws
        -> Response
    {
        let code = try await services.login.grants.code(
            for: account, proof: proof, application: authorization.application, redirectURI: authorization.redirectURI,
            scopes: authorization.scopes,
            challenge: authorization.challenge)
        return try Self.redirect(authorization.address(("code", code)))
            ?? page.code(code, for: authorization.application)
    }

    private func deny(_ authorization: AuthorizationRequest) throws -> Response {
        let description = "The resource owner or authorization server denied the request."
        return try Self.redirect(authorization.address(("error", "access_denied"), ("error_description", description)))
            ?? page.denied(authorization.application)
    }

    /// Shows the form again with an error message. A wrong password is a 422, since a 401 must name an HTTP
    /// authentication scheme (RFC 9110 §15.5.2).
    private func refused(
        _ error: FeedError, _ authorization: AuthorizationRequest, _ request: Request, username: String
    ) throws -> Response {
        let status = error.kind == .unauthorized ? HTTPResponse.Status.unprocessableContent : error.status
        let message = [error.message, error.hint].compactMap(\.self).joined(separator: ". ")
        var response = try form(
            authorization, request, status: status, message: message, username: String(username.prefix(100)))
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private func form(
        _ authorization: AuthorizationRequest, _ request: Request, status: HTTPResponse.Status = .ok,
        message: String? = nil,
        username: String = ""
    ) throws -> Response {
        let isSecure = try services.site.baseURL.isSecure(for: request)
        let cookie = FormCookie(request, isSecure: isSecure) ?? FormCookie(isSecure: isSecure)
        let text = seal.text(cookie: cookie.value, fields: authorization.fields, now: services.clock.now())
        var response = try page.form(authorization, seal: text, username: username, message: message)
        response.status = status
        response.headers.append(cookie.field)
        return response
    }

    /// A 303 redirect, so that browsers do not send the password again (RFC 9700 §4.12).
    private static func redirect(_ address: String?) -> Response? {
        address.map { Response(status: .seeOther, headers: [.location: $0]) }
    }
}
