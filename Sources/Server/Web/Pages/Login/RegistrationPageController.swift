import FeedCore
import FeedStore
import HTTPTypes
import Logging
import NIOCore

/// The sign-up page: `/join/CODE` for an invitation, `/join` where everyone may sign up.
struct RegistrationPageController: Sendable {
    let registration: Registration
    /// `nil` without rate limits.
    let rates: RateLimiter?
    let assets: PageAssets
    let baseURL: BaseURL
    let errors: ErrorPage
    let csrf: CSRFProtection
    let sessions: Sessions
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        for path in ["/join", "/join/:code"] {
            endpoints.get(path, .open) { request, context in
                try await respond(request, context, closed: .ok) {
                    try form(try await access(context), SignUpFormState(), request, context)
                }
            }
            endpoints.post(path, .open) { request, context in
                try await respond(request, context, closed: .forbidden) { try await submit(request, context) }
            }
        }
    }

    /// - Parameter closed: The status of `/join` where nobody can sign up; an invitation is not found there.
    private func respond(
        _ request: Request, _ context: RequestContext, closed: HTTPResponse.Status, _ body: () async throws -> Response
    ) async throws -> Response {
        try await errors.form {
            do {
                return try await body()
            } catch let access as SignUpClosed {
                let isInvitation = context.parameters.get("code") != nil
                return try page(request, context).closed(access, status: isInvitation ? .notFound : closed)
            }
        }
    }

    private func submit(_ request: Request, _ context: RequestContext) async throws -> Response {
        let access = try await access(context)
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        var state = SignUpFormState(input)
        guard try csrf.isTokenValid(input, access.fields, from: request) else {
            state.message = text(request, context).pageExpired
            return try form(access, state, request, context, status: .forbidden)
        }
        let entered = state.registration(
            password: input["password"] ?? "", invitation: access.invitation?.code,
            rules: settings.site.rules)
        do {
            // These errors reveal nothing about accounts and are not counted, so that people can correct them.
            let errors = registration.formErrors(of: entered)
            guard errors.isEmpty else { throw RegistrationError(errors: errors) }
            try countAttempt(context)
            let registered = try await registration.register(entered)
            registered.log(context)
            var response = try page(request, context).welcome(registered)
            guard !registered.isPending else { return response }
            response.headers.append(try await sessions.begin(for: registered.account, request))
            return response
        } catch let refusal as RegistrationError {
            if refusal.errors.contains(where: { $0.field == .invitation }) { throw SignUpAccess.invalidInvitation }
            state.errors = refusal.errors
            return try form(access, state, request, context, status: .unprocessableContent)
        } catch let error as FeedError where [.rateLimited, .unavailable].contains(error.kind) {
            state.message = text(request, context).message(error)
            var response = try form(access, state, request, context, status: error.status)
            if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
            return response
        }
    }

    /// - Throws: ``SignUpClosed`` if nobody may sign up here, ``ErrorResponse`` 404 for an invalid invitation.
    private func access(_ context: RequestContext) async throws -> SignUpAccess {
        let mode = registration.mode
        guard mode != .closed else { throw SignUpClosed.closed }
        guard context.parameters.get("code") != nil else {
            guard mode.isForEveryone else { throw SignUpClosed.requiresInvitation }
            return SignUpAccess(invitation: nil, requiresApproval: mode == .approval)
        }
        guard let invitation = try await registration.usableInvitation(try context.segment("code")) else {
            throw SignUpAccess.invalidInvitation
        }
        return SignUpAccess(invitation: invitation, requiresApproval: false)
    }

    /// Counts a submitted form like a sign-up through an application.
    private func countAttempt(_ context: RequestContext) throws(FeedError) {
        guard let rates else { return }
        let (state, now) = rates.consume(.accountCreation, RateKey(address: context.address))
        guard let state, state.isRefused else { return }
        let seconds = state.secondsLeft(now: now)
        throw .rateLimited("Too many sign-ups", retryAfter: seconds)
    }

    private func text(_ request: Request, _ context: RequestContext) -> any PageText {
        assets.language(for: request, context).text
    }

    private func page(_ request: Request, _ context: RequestContext) throws -> RegistrationPage {
        RegistrationPage(frame: try assets.page(for: request, context, base: try baseURL.text(for: request)))
    }

    private func form(
        _ access: SignUpAccess, _ state: SignUpFormState, _ request: Request, _ context: RequestContext,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let token = try csrf.token(access.fields, for: request)
        var response = try page(request, context).form(access, state, csrfToken: token.text)
        response.status = status
        response.headers.append(token.cookie)
        return response
    }
}

/// The way in which the visitor of a sign-up page may sign up.
struct SignUpAccess: Sendable {
    let invitation: Invitation?
    /// Whether the operator approves the account.
    let requiresApproval: Bool

    /// The values that the token of the form authenticates.
    var fields: [(name: String, value: String)] { [("form", "join"), ("code", invitation?.code ?? "")] }

    static let invalidInvitation = ErrorResponse(
        status: .notFound, message: "This invitation is not valid",
        hint: "It may have expired or been used already. Ask for a new one.")
}

/// The reason why nobody can sign up at an address. The page is not an error page: visitors only followed a link.
struct SignUpClosed: Error {
    let heading: String
    let hint: String?

    static let closed = SignUpClosed(heading: "Sign-up is closed", hint: RegistrationRule.closed.hint)
    static let requiresInvitation = SignUpClosed(
        heading: "Signing up requires an invitation", hint: "If you have one, open its complete address.")
}

/// The visitor's state on a sign-up page, except the password, and their errors.
struct SignUpFormState: Sendable {
    var username = ""
    var email = ""
    var reason = ""
    var agrees = false
    /// A message about the whole form.
    var message: String?
    var errors: [(field: RegistrationError.Field, error: RegistrationError.FieldError)] = []

    init() {}

    /// Browsers send line breaks as CR LF.
    init(_ input: RequestParameters) {
        username = input["username"] ?? ""
        email = input["email"] ?? ""
        reason = (input["reason"] ?? "").replacing("\r\n", with: "\n")
        agrees = input["agreement"] != nil
    }

    /// - Parameter rules: The rules that the visitor must agree to; empty if there are none.
    func registration(password: String, invitation: String?, rules: [String]) -> RegistrationForm {
        RegistrationForm(
            username: username, email: email, password: password, agrees: agrees || rules.isEmpty, reason: reason,
            invitation: invitation, requiresEmail: false)
    }

    /// The errors of a field as a sentence; `nil` for a valid field.
    func error(of field: RegistrationError.Field, _ text: any PageText) -> String? {
        let errors = errors.filter { $0.field == field }.map(\.error)
        return errors.isEmpty ? nil : text.refusal(field, errors)
    }
}

/// Renders the pages on which visitors sign up.
struct RegistrationPage: Sendable {
    private static let policy = """
        default-src 'none'; img-src 'self' data:; style-src 'self'; manifest-src 'self'; form-action 'self'; \
        base-uri 'none'; frame-ancestors 'none'
        """

    /// The page without its content, of the address that clients use.
    let frame: PageContext

    func form(_ access: SignUpAccess, _ state: SignUpFormState, csrfToken: String) -> Response {
        var page = context(frame.text.words.signUp)
        page.set(.form, true)
        page.set(.csrfToken, csrfToken)
        page.set(.inviter, access.invitation?.inviter.map { "@" + $0.username })
        page.set(.host, BaseURL.host(frame.base))
        page.set(.approval, access.requiresApproval)
        page.set(.rules, .texts(frame.site.rules))
        page.set(.hasRules, !frame.site.rules.isEmpty)
        page.set(.agrees, state.agrees)
        page.set(.agreementError, state.error(of: .agreement, page.text).map { _ in page.text.agreeToRules })
        page.set(.message, state.message)
        page.set(.username, state.username)
        page.set(.email, state.email)
        page.set(.reason, state.reason)
        page.set(.usernameError, state.error(of: .username, page.text))
        page.set(.emailError, state.error(of: .email, page.text))
        page.set(.passwordError, state.error(of: .password, page.text))
        page.set(.reasonError, state.error(of: .reason, page.text))
        return Self.response(page)
    }

    /// The page after a sign-up, with the address to enter in an app.
    func welcome(_ registered: RegisteredAccount) -> Response {
        let heading = registered.isPending ? frame.text.almostThere : frame.text.welcome
        var page = context(heading)
        if !registered.isPending { page.setNavigation(for: registered.account, signsUp: false, at: "/join") }
        page.set(.handle, "@" + registered.account.username)
        page.set(registered.isPending ? .pending : .ready, true)
        page.set(.server, frame.base)
        return Self.response(page)
    }

    /// The page where nobody can sign up.
    func closed(_ access: SignUpClosed, status: HTTPResponse.Status) -> Response {
        var page = context(frame.text.translated(access.heading))
        page.set(.hint, access.hint.map(page.text.translated))
        var response = Self.response(page)
        response.status = status
        return response
    }

    private func context(_ heading: String) -> PageContext {
        var page = frame
        page.setTitle("\(heading) – \(page.site.title)", heading: heading)
        return page
    }

    private static func response(_ page: PageContext) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy],
            body: .init(byteBuffer: .init(bytes: page.html("join"))))
    }
}
