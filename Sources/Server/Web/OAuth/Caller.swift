import FeedCore
import Hummingbird

/// Who sends a request to the API.
enum Caller: Sendable {
    case anonymous
    /// Shows a token that is none.
    case unknownToken
    case holder(TokenHolder)
}

extension FeedContext {
    /// The account that asks; `nil` for nobody, and for a program that speaks for nobody.
    var viewer: Viewer? {
        if case .holder(.account(let viewer)) = caller { viewer } else { nil }
    }

    /// The account that asks, where the scope table lets nobody else through.
    /// - Throws: ``FeedError`` `.unauthorized`.
    func require() throws(FeedError) -> Viewer {
        guard let viewer else { throw .unauthorized }
        return viewer
    }

    /// Whether this is a request to the API, to be held against the scope table.
    var isAPI: Bool { coreContext.endpointPath.value?.hasPrefix("/api/") ?? false }
}

extension TokenHolder {
    var scopes: Scopes {
        switch self {
        case .account(let viewer): viewer.scopes
        case .application(let scopes): scopes
        }
    }
}
