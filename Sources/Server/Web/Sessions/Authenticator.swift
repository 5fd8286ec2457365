import FeedAPI
import FeedCore
import FeedStore
import Foundation
import HTTPTypes

/// Finds out who sends a request, by its bearer token (``Request/token``) or the token in its session cookie. It never
/// rejects a token; ``AccessRule`` does that.
struct Authenticator: Sendable {
    let tokens: Authentication
    let changes: ChangeLogStore
    let baseURL: BaseURL
    let rates: RateLimitRule

    /// The secret of the token of a request. The cookie does not count beside an Authorization header.
    /// - Parameter endpoint: `nil` if the address has no endpoint.
    /// - Throws: ``ErrorResponse`` 403 if another site makes the request: with the cookie, or by a form for a page.
    func token(of request: Request, for endpoint: Endpoint?) throws -> String? {
        if let secret = request.token { return secret }
        let hasCookie = request.headers.contains(.cookie) && !request.headers.contains(.authorization)
        let cookie = hasCookie ? SessionCookie(request, isSecure: try baseURL.isSecure(for: request)) : nil
        guard cookie != nil || endpoint?.isForm ?? false else { return nil }
        switch CrossSiteRule(request, server: try baseURL.text(for: request)).verdict {
        case .counts: return cookie?.secret
        case .ignored: return nil
        case .foreign: throw CrossSiteRule.foreign
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

    /// The account of the token, for endpoints with ``AccessRule`` `.account`.
    /// - Throws: ``FeedError`` `.unauthorized` if the caller is not an account.
    func require() throws(FeedError) -> Viewer {
        guard let viewer else { throw .unauthorized }
        return viewer
    }
}

extension TokenHolder {
    var scopes: ScopeSet {
        switch self {
        case .account(let viewer): viewer.scopes
        case .application(let scopes), .suspended(let scopes), .pending(let scopes): scopes
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
