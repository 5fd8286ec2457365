import FeedCore
import FeedStore
import HTTPTypes

/// Begins and ends the sessions of the pages. A session is a token in a cookie: it is listed with the other logins of the
/// account, and ends with them.
struct Sessions: Sendable {
    let grants: Grants
    let tokens: AccessTokens
    let baseURL: BaseURL

    /// Begins a session, which replaces that of the browser.
    /// - Parameter proof: The stored password hash against which the password was verified, if any.
    /// - Returns: The field that sets the cookie.
    /// - Throws: ``FeedError`` `.unauthorized` if the password has changed since.
    func begin(for account: Account, proof: String? = nil, _ request: Request) async throws -> HTTPField {
        let isSecure = try baseURL.isSecure(for: request)
        let token = try await grants.token(for: account.id, proof: proof, scopes: .all, application: .pages)
        try await revoke(request, isSecure: isSecure)
        return SessionCookie(secret: token.access).field(isSecure: isSecure)
    }

    /// Ends the session of the browser, if it has one.
    /// - Returns: The field that deletes the cookie.
    func end(_ request: Request) async throws -> HTTPField {
        let isSecure = try baseURL.isSecure(for: request)
        try await revoke(request, isSecure: isSecure)
        return SessionCookie.deletion(isSecure: isSecure)
    }

    private func revoke(_ request: Request, isSecure: Bool) async throws {
        guard let cookie = SessionCookie(request, isSecure: isSecure) else { return }
        try await tokens.revoke(cookie.secret)
    }
}

/// Sends visitors of a personal page to the login page, which leads back.
enum LoginRedirect {
    /// - Returns: `nil` for anything else.
    static func response(to request: Request, _ caller: Caller, _ access: Access) -> Response? {
        guard access.isPersonal, request.isRead, !request.headers.contains(.authorization) else { return nil }
        switch caller {
        case .holder: return nil
        case .anonymous, .unknownToken:
            let path = LocalPath(request.uri.string).map { "?next=" + $0.text.percentEncodedSegment } ?? ""
            return Response(status: .found, headers: [.location: "/login" + path, .cacheControl: "no-store"])
        }
    }
}

extension Access {
    /// Whether visitors are sent to the login page.
    fileprivate var isPersonal: Bool {
        switch self {
        case .member, .administrator: true
        case .open, .unchecked, .optional, .account, .admin, .token: false
        }
    }
}

extension FeedContext {
    /// The account to which pages are shown; `nil` for visitors, and for tokens that may not read statuses.
    var reader: Account? { viewer.flatMap { $0.scopes.allows(.readStatuses) ? $0.account : nil } }
}
