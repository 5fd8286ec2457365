/// What went wrong, for three readers: a stable kind for programs, a safe message for the other side,
/// a cause for the log, and a hint with the next step.
package struct FeedError: Error, Sendable {
    /// The closed list of things that go wrong; the web gives each a status code, the command line an exit code.
    package enum Kind: String, Sendable {
        case malformed, unauthorized, forbidden, notFound, conflict, tooLarge, unsupported, invalid, rateLimited,
            unavailable, quota, diskFull, storage
    }

    package let kind: Kind
    /// Text for the other side; never holds a secret, a path or SQL.
    package let message: String
    /// The next thing to try, if there is one.
    package let hint: String?
    /// For the log only.
    package let cause: (any Error)?
    /// Seconds to wait before trying again.
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

    package static func invalid(_ message: String) -> FeedError {
        FeedError(.invalid, validation + message)
    }

    /// The message outside of the API, whose programs expect these words first.
    package var plainMessage: String {
        message.hasPrefix(Self.validation) ? String(message.dropFirst(Self.validation.count)) : message
    }

    private static let validation = "Validation failed: "

    package static func diskFull(_ cause: any Error) -> FeedError {
        FeedError(.diskFull, "The disk is full", hint: "Free some space; nothing was lost.", cause: cause)
    }

    package static let notAllowed = FeedError(.forbidden, "This action is not allowed")
    package static let notFound = FeedError(.notFound, "Record not found")
    package static let unauthorized = FeedError(.unauthorized, "The access token is invalid")
}

extension FeedError: CustomStringConvertible {
    package var description: String {
        [message, cause.map { "cause: \($0)" }, hint].compactMap(\.self).joined(separator: "; ")
    }
}
