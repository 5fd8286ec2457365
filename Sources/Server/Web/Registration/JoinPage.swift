import FeedCore
import HTTPTypes
import NIOCore

/// Renders the pages on which visitors sign up.
struct JoinPage: Sendable {
    private static let policy = """
        default-src 'none'; img-src 'self' data:; style-src 'self'; form-action 'self'; base-uri 'none'; \
        frame-ancestors 'none'
        """

    let reader: WebReader
    let baseURL: BaseURL
    let settings: ReloadableSettings

    func form(_ entrance: Entrance, _ entries: JoinEntries, _ request: Request, seal: String) throws -> Response {
        var page = try context("Sign up – \(reader.site)", heading: "Sign up")
        page.set(.form, true)
        page.set(.seal, seal)
        page.set(.inviter, entrance.invitation?.inviter.map { "@" + $0.username })
        page.set(.host, BaseURL.host(try baseURL.text(for: request)))
        page.set(.approval, entrance.requiresApproval)
        page.set(.rules, .texts(settings.site.rules))
        page.set(.hasRules, !settings.site.rules.isEmpty)
        page.set(.agrees, entries.agrees)
        page.set(.agreementFault, entries.fault(of: .agreement).map { _ in "Please agree to the rules." })
        page.set(.message, entries.message)
        page.set(.username, entries.username)
        page.set(.email, entries.email)
        page.set(.reason, entries.reason)
        page.set(.usernameFault, entries.fault(of: .username))
        page.set(.emailFault, entries.fault(of: .email))
        page.set(.passwordFault, entries.fault(of: .password))
        page.set(.reasonFault, entries.fault(of: .reason))
        return Self.response(page)
    }

    /// The page after a sign-up, with the address to enter in an app.
    func welcome(_ registered: RegisteredAccount, _ request: Request) throws -> Response {
        let heading = registered.isPending ? "Almost there" : "Welcome"
        var page = try context(heading + " – " + reader.site, heading: heading)
        page.set(.handle, "@" + registered.account.username)
        page.set(registered.isPending ? .pending : .ready, true)
        page.set(.server, try baseURL.text(for: request))
        return Self.response(page)
    }

    /// The page where nobody can sign up.
    func closed(_ entrance: ClosedEntrance, status: HTTPResponse.Status) throws -> Response {
        var page = try context("\(entrance.heading) – \(reader.site)", heading: entrance.heading)
        page.set(.hint, entrance.hint)
        var response = Self.response(page)
        response.status = status
        return response
    }

    private func context(_ title: String, heading: String) throws -> PageContext {
        var page = try reader.page()
        page.setTitle(title, heading: heading)
        return page
    }

    private static func response(_ page: PageContext) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy],
            body: .init(byteBuffer: .init(bytes: page.html("join"))))
    }
}
