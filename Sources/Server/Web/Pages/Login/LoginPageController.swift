import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// Logging in to the pages and out of them: `/login` and `/logout`.
struct LoginPageController: Sendable {
    let passwords: Login
    let sessions: Sessions
    let page: LoginPage
    let errors: ErrorPage
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/login", .open) { request, context in
            try await errors.form { try await show(request, context) }
        }
        endpoints.post("/login", .open) { request, context in
            try await errors.form { try await logIn(request, context) }
        }
        endpoints.post("/logout", .open) { request, context in
            try await errors.form { try await logOut(request) }
        }
    }

    private func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let next = try request.query["next"].flatMap(LocalPath.init)
        guard context.reader == nil else { return Self.redirect(to: next ?? .home) }
        var response = try page.form(request, context, next: next)
        // The browser would send an old cookie again and again.
        if case .unknownToken = context.caller { response.headers.append(try await sessions.end(request)) }
        return response
    }

    private func logIn(_ request: Request, _ context: RequestContext) async throws -> Response {
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        let (username, next) = (input["username"] ?? "", input["next"].flatMap(LocalPath.init))
        do {
            let login = try await passwords.authenticate(
                username: username, password: input["password"] ?? "", address: context.address)
            var response = Self.redirect(to: next ?? .home)
            response.headers.append(try await sessions.begin(for: login.account, proof: login.hash, request))
            return response
        } catch let error as FeedError where LoginRefusal.isShown(error) {
            var response = try page.form(
                request, context, next: next, username: String(username.prefix(100)),
                message: page.assets.language(for: request, context).text.message(error))
            response.status = LoginRefusal.status(error)
            if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
            return response
        }
    }

    /// Removes what the browser has stored of the pages. It keeps the other cookies, because the directive for cookies
    /// would include those of other hosts of the domain.
    private func logOut(_ request: Request) async throws -> Response {
        var response = Response(
            status: .seeOther, headers: [.location: "/", .clearSiteData: "\"cache\", \"storage\""])
        response.headers.append(try await sessions.end(request))
        return response
    }

    /// A 303 redirect, so that browsers do not send the password again.
    private static func redirect(to path: LocalPath) -> Response {
        Response(status: .seeOther, headers: [.location: path.text])
    }
}

/// The refusals of a login that its form shows.
enum LoginRefusal {
    static func isShown(_ error: FeedError) -> Bool {
        [.unauthorized, .forbidden, .rateLimited, .unavailable].contains(error.kind)
    }

    /// A wrong password is a 422, since a 401 must name an HTTP authentication scheme (RFC 9110 §15.5.2).
    static func status(_ error: FeedError) -> HTTPResponse.Status {
        error.kind == .unauthorized ? .unprocessableContent : error.status
    }
}

/// Renders the login page.
struct LoginPage: Sendable {
    static let policy = """
        default-src 'none'; img-src 'self' data:; style-src 'self'; manifest-src 'self'; form-action 'self'; \
        base-uri 'none'; frame-ancestors 'none'
        """

    let assets: PageAssets

    /// - Parameter next: The page to which the login leads.
    func form(
        _ request: Request, _ context: RequestContext, next: LocalPath?, username: String = "", message: String? = nil
    ) throws -> Response {
        var page = try assets.page(for: request, context)
        let heading = page.text.words.logIn
        page.setTitle("\(heading) – \(page.site.title)", heading: heading)
        page.set(.next, next?.text)
        page.set(.username, username)
        page.set(.message, message)
        return Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Self.policy],
            body: .init(byteBuffer: .init(bytes: page.html("login"))))
    }
}

/// Answers a form of a personal page that is sent without a session, because that has ended: with what was typed, which
/// can be sent again after a login in another tab.
struct LoggedOutPage: Sendable {
    let errors: ErrorPage
    let settings: ReloadableSettings

    private static let refusal = FeedError(
        .unauthorized, "You are logged out",
        hint: "Nothing is lost: log in in another tab, then send this again. Only files must be chosen again.")

    /// The names of the text areas of forms, whose texts the page shows.
    private static let areas: Set<String> = ["status", "note", "comment"]

    static func applies(to request: Request, _ caller: Caller, _ endpoint: Endpoint) -> Bool {
        endpoint.isForm && LoginRedirect.isNeeded(by: request, caller, endpoint.access)
            && ErrorResponses.wantsPage(request)
    }

    func response(to request: Request, _ context: RequestContext) async throws -> Response {
        guard let path = LocalPath(request.uri.string) else { throw FeedError.unauthorized }
        let values = try await values(of: request, context)
        let text = errors.assets.language(for: request, context).text
        var form = PageForm(path: path.text, submit: text.sendAgain)
        // A page does not repeat a password.
        form.fields = values.pairs.filter { !Self.isPassword($0.name) }.map { name, value -> PageForm.Field in
            Self.areas.contains(name) ? PageForm.Field(name, text.words.text, .area, value) : .hidden(name, value)
        }
        // The form for posts then returns, in which the files can be chosen again, instead of posting without them.
        if !values.files.isEmpty { form.fields.append(.hidden("add", "1")) }
        var response = try errors.page(for: ErrorResponse(Self.refusal), request, context, form: form)
        response.headers[.frameOptions] = "DENY"
        return response
    }

    private static func isPassword(_ name: String) -> Bool { name.lowercased().utf8.contains("password".utf8) }

    private func values(of request: Request, _ context: RequestContext) async throws -> RequestParameters {
        let limit = settings.limits.longFormBytes
        guard request.headers[.contentType]?.lowercased().hasPrefix("multipart/form-data") == true else {
            return try await request.input(upTo: limit, context: context)
        }
        guard request.droppedAfterRefusal > 0 else { throw FeedError(.unauthorized, "You are logged out") }
        context.readBody()
        return try await RequestParameters.withoutFiles(of: request, upTo: limit)
    }
}
