/// An error with a stable kind, a message that is safe to send to a client, a cause for the log, and a hint about what
/// to do next.
package struct FeedError: Error, Sendable {
    /// The kind of an error. HTTP responses map it to a status code, the command line to an exit code.
    package enum Kind: String, Sendable {
        case malformed, unauthorized, forbidden, notFound, conflict, tooLarge, unsupported, invalid, rateLimited,
            unavailable, quota, diskFull, storage
    }

    package let kind: Kind
    /// The message for the client. In HTTP responses it must not contain secrets, file paths or SQL.
    package let message: String
    /// A suggestion for resolving the error, if any.
    package let hint: String?
    /// The underlying error, for the log only.
    package let cause: (any Error)?
    /// The time in seconds after which the request may be repeated.
    package let retryAfter: Int?

    package init(
        _ kind: Kind, _ message: String, hint: String? = nil, cause: (any Error)? = nil, retryAfter: Int? = nil
    ) {
        self.kind = kind
        self.message = message
        self.hint = hint
        self.cause = cause
        self.retryAfter = retryAfter
    }

    package static func malformed(_ message: String, hint: String? = nil) -> FeedError {
        FeedError(.malformed, message, hint: hint)
    }

    /// A validation error; the message is prefixed with "Validation failed: ", as in the Mastodon API.
    package static func invalid(_ message: String) -> FeedError {
        FeedError(.invalid, validation + message)
    }

    /// The message without the prefix that clients of the Mastodon API expect.
    package var plainMessage: String {
        message.hasPrefix(Self.validation) ? String(message.dropFirst(Self.validation.count)) : message
    }

    private static let validation = "Validation failed: "

    package static func rateLimited(_ message: String, retryAfter seconds: Int) -> FeedError {
        let hint = seconds == 1 ? "Wait 1 second." : "Wait \(seconds) seconds."
        return FeedError(.rateLimited, message, hint: hint, retryAfter: seconds)
    }

    package static func diskFull(_ cause: any Error) -> FeedError {
        FeedError(.diskFull, "The disk is full", hint: "Free some space; nothing was lost.", cause: cause)
    }

    /// The error as clients are told it: the advice on a full disk is for the operator.
    package var forClients: FeedError {
        guard kind == .diskFull else { return self }
        return FeedError(
            .diskFull, "The server's disk is full", hint: "Tell the operator of this server, and try again later.",
            cause: cause, retryAfter: 60)
    }

    package static let notAllowed = FeedError(.forbidden, "This action is not allowed")
    /// Somebody follows, mutes or reports themselves, for example.
    package static let ownAccount = FeedError(.forbidden, "You cannot do this to your own account")
    package static let notFound = FeedError(.notFound, "Record not found")
    package static let suspended = FeedError(
        .forbidden, "Your login is currently disabled", hint: "The operator of this server has suspended the account.",
        cause: LoginFailure.Reason.suspended)
    package static let pending = FeedError(
        .forbidden, "Your login is currently pending approval",
        hint: "The operator of this server has to approve the account first.", cause: LoginFailure.Reason.pending)
    package static let unauthorized = FeedError(.unauthorized, "The access token is invalid")
    /// Has the message of Mastodon, too.
    package static let missingToken = FeedError(
        .unauthorized, unauthorized.message, hint: "The request has none: send Authorization: Bearer TOKEN.")
}

extension FeedError: CustomStringConvertible {
    package var description: String {
        [message, cause.map { "cause: \($0)" }, hint].compactMap(\.self).joined(separator: "; ")
    }
}
