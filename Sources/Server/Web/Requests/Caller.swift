import FeedCore
import FeedStore

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

extension FeedContext {
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

/// Finds out who sends a request, by its bearer token (``Request/token``). It never rejects a token; ``Access`` does
/// that.
struct Callers: Sendable {
    let tokens: AccessTokens
    let changes: ChangeStore
    let rates: RateLimits

    /// - Returns: `nil` if a token must be looked up in the database, or might have been revoked by another server.
    func known(_ request: Request) -> Caller? {
        guard let secret = request.token else { return .anonymous }
        guard !changes.isShared else { return nil }
        return tokens.cachedHolder(hash: Secret.hash(secret)).map(Caller.holder)
    }

    /// Looks up the token of a request.
    /// - Throws: ``Problem`` 429 if too many unknown tokens have come from the network of the client.
    func lookUp(_ request: Request, _ context: FeedContext, _ access: Access?) async throws -> Caller {
        guard let secret = request.token else { return .anonymous }
        try await changes.catchUp()
        if let holder = tokens.cachedHolder(hash: Secret.hash(secret)) { return .holder(holder) }
        // An unknown token costs a query, so it counts before.
        do { try rates.consumeRefusal(context) } catch {
            guard access == .open else { throw error }
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
