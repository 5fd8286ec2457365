/// An error with a stable ``Code`` for programs, a message and a hint for people, and a cause for the log.
public struct FeedClientError: Error, Sendable {
    /// The kind of error. Compare with the static members; later versions may add others.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The caller's input is invalid; no request was sent.
        public static let usage = Code("usage")
        /// The request was invalid, or the response could not be understood.
        public static let failed = Code("failed")
        /// The object does not exist, or is not visible to this account.
        public static let notFound = Code("not_found")
        /// The client is not logged in, or the server refused the request.
        public static let unauthorized = Code("unauthorized")
        /// The server failed, or the connection was lost.
        public static let network = Code("network")
        /// No connection could be established. No request was sent, and an immediate retry is pointless.
        public static let unreachable = Code("unreachable")
        /// The server asked to try again later.
        public static let tryLater = Code("try_later")
        /// Something has changed on the server, or the received data is not the expected data.
        public static let integrity = Code("integrity")
        /// The disk of the server or the quota of the account is full (507).
        public static let insufficientStorage = Code("insufficient_storage")
        /// The local disk failed.
        public static let disk = Code("disk")
    }

    public let code: Code
    /// A description of the error, for people.
    public let message: String
    /// A suggestion for resolving the error, for people.
    public let hint: String?
    public let cause: (any Error)?
    /// The HTTP status, if a server responded.
    public let status: Int?
    /// The time in seconds to wait before a retry, if the server stated it.
    public let retryAfter: Int?

    /// Whether the same request may succeed later, because the server could not be asked.
    package var isTemporary: Bool { [.network, .unreachable, .tryLater].contains(code) }

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
