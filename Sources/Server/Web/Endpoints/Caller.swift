import FeedCore
import Hummingbird

/// Who sends a request.
enum Caller: Sendable {
    case anonymous
    /// Sent a token that is unknown, expired or revoked.
    case unknownToken
    case holder(TokenHolder)
}

extension FeedContext {
    /// The account whose token was sent; `nil` without a token and for an application's own.
    var viewer: Viewer? {
        if case .holder(.account(let viewer)) = caller { viewer } else { nil }
    }

    /// The account whose token was sent, for endpoints with ``Access`` `.account`.
    /// - Throws: ``FeedError`` `.unauthorized`.
    func require() throws(FeedError) -> Viewer {
        guard let viewer else { throw .unauthorized }
        return viewer
    }
}

extension TokenHolder {
    var scopes: Scopes {
        switch self {
        case .account(let viewer): viewer.scopes
        case .application(let scopes): scopes
        }
    }
}
