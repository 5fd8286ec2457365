import FeedCore
import Foundation
import HTTPTypes
import NIOCore

/// Renders the pages on which users authorize an application.
struct AuthorizationPage: Sendable {
    /// The content security policy. It allows no scripts, and omits `form-action`, which Chrome would also apply to the
    /// redirect to the application.
    private static let policy = """
        default-src 'none'; img-src 'self' data:; style-src 'self'; manifest-src 'self'; base-uri 'none'; \
        frame-ancestors 'none'
        """

    /// The page without its content.
    let frame: PageContext

    /// The login and consent form.
    func form(
        _ authorization: AuthorizationForm, csrfToken: String, username: String = "", message: String? = nil
    ) -> Response {
        var page = context(frame.text.logIn(for: Self.name(authorization)), heading: frame.text.words.logIn)
        Self.describe(authorization, with: [("csrf_token", csrfToken)], on: &page)
        page.set(.username, username)
        page.set(.message, message)
        return Self.response(page)
    }

    /// The form in a session, which asks only for consent. It has no `csrf_token`.
    func consent(_ authorization: AuthorizationForm, as account: Account) -> Response {
        var page = context(frame.text.consent(for: Self.name(authorization)), heading: frame.text.allowAccess)
        Self.describe(authorization, on: &page)
        page.set(.consenter, "@" + account.username)
        let query = (authorization.fields + [("force_login", "true")])
            .map { $0.name + "=" + $0.value.percentEncodedSegment }
        page.set(.next, "/oauth/authorize?" + query.joined(separator: "&"))
        return Self.response(page)
    }

    /// Shows what the application asks for.
    /// - Parameter more: Fields of the form besides the parameters of the request.
    private static func describe(
        _ authorization: AuthorizationForm, with more: [(name: String, value: String)] = [],
        on page: inout PageContext
    ) {
        page.set(.form, true)
        page.set(.program, name(authorization))
        page.set(.website, authorization.application.website.flatMap { ClientApplication.isWebAddress($0) ? $0 : nil })
        page.set(.scopes, .texts(ScopeDescription.lines(authorization.scopes).map(page.text.translated)))
        page.set(.target, target(authorization))
        page.set(.fields, .list((authorization.fields + more).map { field($0.name, $0.value) }))
    }

    private static func name(_ authorization: AuthorizationForm) -> String {
        ClientApplication.shownName(authorization.application.name)
    }

    /// The page that shows the code of an out-of-band request.
    func code(_ code: String, for application: ClientApplication) -> Response {
        var page = context(code, heading: frame.text.yourCode)
        page.set(.code, code)
        page.set(.program, ClientApplication.shownName(application.name))
        return Self.response(page)
    }

    /// The page for a denied out-of-band request.
    func denied(_ application: ClientApplication) -> Response {
        var page = context(frame.text.notAllowed, heading: frame.text.notAllowed)
        page.set(.denied, true)
        page.set(.program, ClientApplication.shownName(application.name))
        return Self.response(page)
    }

    private static func field(_ name: String, _ value: String) -> TemplateValues {
        var values = TemplateValues()
        values.set(.name, name)
        values.set(.value, value)
        return values
    }

    private func context(_ title: String, heading: String) -> PageContext {
        var page = frame
        page.setTitle(title, heading: heading)
        return page
    }

    private static func response(_ page: PageContext) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy],
            body: .init(byteBuffer: .init(bytes: page.html("authorize"))))
    }

    /// The destination of the redirect, for display: an application can claim any name, but not any host.
    private static func target(_ authorization: AuthorizationForm) -> String? {
        guard authorization.redirectURI != RedirectURI.outOfBand else { return nil }
        let address = Substring(authorization.redirectURI.utf8.prefix { $0 != UInt8(ascii: "?") })
        let isWeb = ClientApplication.isWebAddress(String(address))
        let parts = address.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
        return String(isWeb && parts.count > 1 ? parts[1] : address)
    }
}

/// Descriptions of scopes for users.
enum ScopeDescription {
    /// Describes the scopes. Those that the server does not offer yet are omitted.
    static func lines(_ scopes: ScopeSet) -> [String] { scopes.names.filter { $0 != "push" }.map(line) }

    private static let known = [
        "profile": "See your profile and its settings, and nothing else",
        "read": "Read everything your account can see, including direct messages",
        "write": "Post, delete, follow and change your profile on your behalf",
        "follow": "See and change whom you follow, block and mute",
        "offline_access": "Stay logged in",
        "read:search": "Search on your behalf",
        "write:favourites": "Favourite posts on your behalf",
        "write:media": "Upload pictures on your behalf",
        "write:statuses": "Post and delete on your behalf",
        "write:accounts": "Change your profile",
        "write:reports": "Report accounts on your behalf",
        "admin:read": "See all accounts with their email addresses, and all reports, if you are an administrator",
        "admin:write": "Silence, suspend and remove accounts and resolve reports, if you are an administrator",
        "admin:read:accounts": "See all accounts with their email addresses, if you are an administrator",
        "admin:write:accounts": "Silence, suspend and remove accounts, if you are an administrator",
        "admin:read:reports": "See all reports, if you are an administrator",
        "admin:write:reports": "Resolve reports, if you are an administrator",
    ]

    private static func line(_ scope: String) -> String {
        if let text = known[scope] { return text }
        let parts = scope.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1).map(Substring.init)
        guard parts.count == 2 else { return scope }
        switch parts[0] {
        case "read": return "See your \(parts[1])"
        case "write": return "Change your \(parts[1])"
        default: return scope
        }
    }
}
