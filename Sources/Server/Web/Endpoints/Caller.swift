import FeedCore
import Hummingbird

/// The sender of a request.
enum Caller: Sendable {
    case anonymous
    /// The request carries an unknown, expired or revoked token.
    case unknownToken
    case holder(TokenHolder)
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
