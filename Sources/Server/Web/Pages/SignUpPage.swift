import FeedCore
import HTTPTypes
import NIOCore

/// Renders the pages on which visitors sign up.
struct SignUpPage: Sendable {
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
