/// What went wrong, for programs (a stable ``Code``), for people (a message and a hint) and for the log (a cause).
public struct FeedClientError: Error, Sendable {
    /// The kind of error. New ones may come; compare with the static members.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        private init(_ description: String) { self.description = description }

        /// What the caller gave makes no sense; nothing was asked.
        public static let usage = Code("usage")
        /// The request or its answer makes no sense.
        public static let failed = Code("failed")
        /// There is no such thing, or it may not be seen.
        public static let notFound = Code("not_found")
        /// Not logged in, or refused.
        public static let unauthorized = Code("unauthorized")
        /// The server does not work, or the way to it broke.
        public static let network = Code("network")
        /// There is no connection to be had: nothing was asked, and asking again at once is no use.
        public static let unreachable = Code("unreachable")
        /// The server asks to come back later.
        public static let tryLater = Code("try_later")
        /// Something changed on the server, or what came is not what was promised.
        public static let integrity = Code("integrity")
        /// The local disk failed.
        public static let disk = Code("disk")
    }

    public let code: Code
    /// What happened, for people.
    public let message: String
    /// The next thing to try.
    public let hint: String?
    /// What lies behind it.
    public let cause: (any Error)?
    /// The HTTP status, when a server answered.
    public let status: Int?
    /// Seconds the server asked to wait.
    public let retryAfter: Int?

    public init(
        _ code: Code, _ message: String, hint: String? = nil, cause: (any Error)? = nil, status: Int? = nil,
        retryAfter: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.cause = cause
        self.status = status
        self.retryAfter = retryAfter
    }
}

extension FeedClientError: CustomStringConvertible {
    public var description: String { hint.map { "\(message) (\($0))" } ?? message }
}
