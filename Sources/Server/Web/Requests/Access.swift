import FeedAPI
import FeedCore
import FeedStore
import Foundation
import HTTPTypes

/// The callers that may use an endpoint, and the scope that their token requires.
enum Access: Sendable, Equatable {
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
        case (_, .anonymous), (_, .unknownToken): throw FeedError.unauthorized
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

    private func check(_ scopes: Scopes) throws(FeedError) {
        guard let scope, !scopes.allows(scope) else { return }
        throw FeedError(
            .forbidden, "This action is outside the authorized scopes",
            hint: "It requires the scope \(scope.rawValue).")
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

/// The sender of a request.
enum Caller: Sendable {
    case anonymous
    /// The request carries an unknown, expired or revoked token.
    case unknownToken
    /// Indirect, because the rules copy it often, and an account consists of many strings.
    indirect case holder(TokenHolder)
}

extension Caller {
    /// The account of the token; `nil` without a token and for an application's own token.
    var viewer: Viewer? {
        if case .holder(.account(let viewer)) = self { viewer } else { nil }
    }
}

extension RequestContext {
    /// The account of the token; `nil` without a token and for an application's own token.
    var viewer: Viewer? { caller.viewer }

    /// The account of the token, for endpoints with ``Access`` `.account`.
    /// - Throws: ``FeedError`` `.unauthorized` if the caller is not an account.
    func require() throws(FeedError) -> Viewer {
        guard let viewer else { throw .unauthorized }
        return viewer
    }
}

extension TokenHolder {
    var scopes: Scopes {
        switch self {
        case .account(let viewer): viewer.scopes
        case .application(let scopes), .suspended(let scopes), .pending(let scopes): scopes
        }
    }
}

/// Finds out who sends a request, by its bearer token (``Request/token``) or the token in its session cookie. It never
/// rejects a token; ``Access`` does that.
struct Callers: Sendable {
    let tokens: AccessTokens
    let changes: ChangeStore
    let baseURL: BaseURL
    let rates: RateLimits

    /// The secret of the token of a request. The cookie does not count beside an Authorization header.
    /// - Parameter endpoint: `nil` if there is none at the address.
    /// - Throws: ``ErrorResponse`` 403 if another site makes the request: with the cookie, or by a form for a page.
    func token(of request: Request, for endpoint: Endpoint?) throws -> String? {
        if let secret = request.token { return secret }
        let hasCookie = request.headers.contains(.cookie) && !request.headers.contains(.authorization)
        let cookie = hasCookie ? SessionCookie(request, isSecure: try baseURL.isSecure(for: request)) : nil
        guard cookie != nil || endpoint?.isForm ?? false else { return nil }
        switch SessionRule(request, server: try baseURL.text(for: request)).verdict {
        case .counts: return cookie?.secret
        case .ignored: return nil
        case .foreign: throw SessionRule.foreign
        }
    }

    /// - Parameter secret: The token of the request; `nil` if it has none.
    /// - Returns: `nil` if a token must be looked up in the database, or might have been revoked by another server.
    func known(_ secret: String?) -> Caller? {
        guard let secret else { return .anonymous }
        guard !changes.isShared else { return nil }
        return tokens.cachedHolder(secret).map(Caller.holder)
    }

    /// Looks up the token of a request (``RequestContext/token``).
    /// - Throws: ``ErrorResponse`` 429 if too many unknown tokens have come from the network of the client.
    func lookUp(_ context: RequestContext) async throws -> Caller {
        guard let secret = context.token else { return .anonymous }
        try await changes.catchUp()
        if let holder = tokens.cachedHolder(secret) { return .holder(holder) }
        // An unknown token costs a query, so it counts before.
        do { try rates.consumeRefusal(context) } catch {
            guard context.endpoint?.access == .open else { throw error }
            return .anonymous
        }
        do {
            guard let holder = try await tokens.holder(secret) else { return .unknownToken }
            rates.giveBackRefusal(context)
            return .holder(holder)
        } catch {
            rates.giveBackRefusal(context)
            throw error
        }
    }
}

extension Request {
    /// The token of the request. For a stream, it may also be part of the query or, for a WebSocket, the name of the
    /// subprotocol, because browsers cannot set the Authorization header of either.
    var token: String? {
        if let bearerToken { return bearerToken }
        guard uri.path.utf8.starts(with: Paths.streaming.utf8) else { return nil }
        let query = (try? self.query)?["access_token"]
        return [query, webSocketSubprotocol].compactMap(\.self).first { !$0.isEmpty }
    }

    /// The bearer token of the Authorization header (RFC 6750).
    var bearerToken: String? { credentials(scheme: "bearer") }

    /// The username and password of HTTP Basic authentication (RFC 7617).
    var basicCredentials: (username: String, password: String)? {
        guard let encoded = credentials(scheme: "basic"), let bytes = Data(base64Encoded: encoded), !bytes.contains(0),
            let text = String(data: bytes, encoding: .utf8),
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return (String(text[..<colon]), String(text[text.utf8.index(after: colon)...]))
    }

    /// The rest of the Authorization header after its scheme.
    private func credentials(scheme: String) -> String? {
        guard let header = headers[.authorization] else { return nil }
        let parts = header.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map(Substring.init)
        guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
        // Trimming costs more than the rest of the lookup of a token, and is hardly ever needed.
        let visible = UInt8(0x21)...0x7E
        if let first = parts[1].utf8.first, let last = parts[1].utf8.last, visible.contains(first),
            visible.contains(last)
        {
            return String(parts[1])
        }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }
}

/// Lets web applications of other origins use the API (CORS, Fetch Standard §3.2). The authorization page and the
/// files are not shared. ``CommonHeaders`` contains the fields of the responses.
enum CrossOrigin {
    private static let paths: Set<Substring> = ["api", "nodeinfo", ".well-known"]
    private static let oauth: Set<Substring> = ["token", "revoke"]
    private static let allowed: HTTPFields = [
        .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        .accessControlAllowHeaders: "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID",
        .accessControlMaxAge: "86400",
    ]

    /// The response to a preflight request; `nil` for any other.
    static func preflight(_ request: Request) -> Response? {
        guard request.method == .options, isShared(request.uri.path),
            request.headers.contains(.accessControlRequestMethod)
        else { return nil }
        return Response(status: .noContent, headers: allowed)
    }

    /// Whether applications of other origins may read what is at a path.
    static func isShared(_ path: String) -> Bool {
        let (first, rest) = RequestPath.segment(path.utf8[...])
        guard first == "oauth" else { return paths.contains(first) }
        let (second, end) = RequestPath.segment(rest)
        return oauth.contains(second) && RequestPath.segment(end).first.isEmpty
    }
}
