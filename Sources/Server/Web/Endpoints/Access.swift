import FeedCore

/// Who may call an endpoint, and the scope their token needs.
enum Access: Sendable, Equatable {
    /// Anybody; a token is not checked.
    case open
    /// Anybody; a token must be valid and allow the scope.
    case optional(Scope)
    /// The token of an account; any scope will do for `nil`.
    case account(Scope?)
    /// Any token, also one that an application holds for itself; any scope will do for `nil`.
    case token(Scope?)

    var scope: Scope? {
        switch self {
        case .open: nil
        case .optional(let scope): scope
        case .account(let scope), .token(let scope): scope
        }
    }

    /// - Throws: ``FeedError`` `.unauthorized` without a valid token, `.forbidden` when the scope is missing,
    ///   `.invalid` for an application's own token where an account's is needed.
    func check(_ caller: Caller) throws(FeedError) {
        switch (self, caller) {
        case (.open, _), (.optional, .anonymous): return
        case (_, .anonymous), (_, .unknownToken): throw FeedError.unauthorized
        case (.account, .holder(.application)):
            throw FeedError(.invalid, "This method requires an authenticated user")
        case (_, .holder(let holder)):
            guard let scope, !holder.scopes.allows(scope) else { return }
            throw FeedError(
                .forbidden, "This action is outside the authorized scopes",
                hint: "It needs the scope \(scope.rawValue).")
        }
    }
}
