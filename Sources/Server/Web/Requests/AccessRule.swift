import FeedCore
import HTTPTypes

/// The callers that may use an endpoint, and the scope that their token requires.
enum AccessRule: Sendable, Equatable {
    /// Everyone; a token is not checked.
    case open
    /// Any caller that the endpoint admits.
    case unchecked
    /// Everyone; a token, if sent, must be valid and allow the scope.
    case optional(Scope)
    /// An account's token; `nil` accepts any scope.
    case account(Scope?)
    /// The session of an account, for a personal page; visitors are sent to the login page.
    case member(Scope)
    /// The session of an administrator, or a token with the scope, for the operator's pages: visitors are sent to the login
    /// page, and for all others the page does not exist.
    case administrator(Scope)
    /// The token of an administrator's account.
    case admin(Scope)
    /// Any token, including an application's own; `nil` accepts any scope.
    case token(Scope?)

    var scope: Scope? {
        switch self {
        case .open, .unchecked: nil
        case .optional(let scope), .member(let scope), .administrator(let scope), .admin(let scope): scope
        case .account(let scope), .token(let scope): scope
        }
    }

    /// - Throws: ``FeedError`` `.unauthorized` without a valid token, `.forbidden` when the scope is missing,
    ///   the account is suspended or awaits approval, or an administrator is required, `.notFound` for the operator's
    ///   pages, `.invalid` for an application's own token where an account's is required.
    func check(_ caller: Caller) throws(FeedError) {
        switch (self, caller) {
        case (.open, _), (.unchecked, _), (.optional, .anonymous): return
        case (_, .holder(.suspended)): throw FeedError.suspended
        case (_, .holder(.pending)): throw FeedError.pending
        case (_, .anonymous): throw FeedError.missingToken
        case (_, .unknownToken): throw FeedError.unauthorized
        case (.account, .holder(.application)), (.member, .holder(.application)), (.admin, .holder(.application)):
            throw FeedError(.invalid, "This method requires an authenticated user")
        case (.administrator, .holder(let holder)):
            guard case .account(let viewer) = holder, viewer.account.role == .admin else { throw FeedError.notFound }
            if !viewer.isSession { try check(holder.scopes) }
        case (.admin, .holder(let holder)):
            try check(holder.scopes)
            guard case .account(let viewer) = holder, viewer.account.role == .admin else { throw FeedError.notAllowed }
        case (_, .holder(let holder)): try check(holder.scopes)
        }
    }

    private func check(_ scopes: ScopeSet) throws(FeedError) {
        guard let scope, !scopes.allows(scope) else { return }
        throw FeedError(
            .forbidden, "This action is outside the authorized scopes",
            hint: "It requires the scope \(scope.rawValue).")
    }
}

/// Sends visitors of a personal page to the login page, which leads back.
enum LoginRedirect {
    /// - Returns: `nil` for anything else.
    static func response(to request: Request, _ caller: Caller, _ access: AccessRule) -> Response? {
        guard request.isRead, isNeeded(by: request, caller, access) else { return nil }
        let path = LocalPath(request.uri.string).map { "?next=" + $0.text.percentEncodedSegment } ?? ""
        return Response(status: .found, headers: [.location: "/login" + path, .cacheControl: "no-store"])
    }

    /// Whether a browser requests a personal page, or sends a form of one, without a session.
    static func isNeeded(by request: Request, _ caller: Caller, _ access: AccessRule) -> Bool {
        guard access.isPersonal, !request.headers.contains(.authorization) else { return false }
        switch caller {
        case .holder: return false
        case .anonymous, .unknownToken: return true
        }
    }
}

extension AccessRule {
    /// Whether visitors are sent to the login page.
    fileprivate var isPersonal: Bool {
        switch self {
        case .member, .administrator: true
        case .open, .unchecked, .optional, .account, .admin, .token: false
        }
    }
}
