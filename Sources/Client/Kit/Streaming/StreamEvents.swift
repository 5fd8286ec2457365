import FeedAPI

/// The events of a stream, without gaps: lost connections are resumed where that is possible; otherwise, the reader is
/// told to read the page again (``StreamEvent/Content/resync``), which is also the first event.
///
/// Where the server offers neither server-sent events nor WebSockets, `resync` is sent every 15 seconds. The sequence
/// ends only with an error: when the server cannot be reached at first, or with `CancellationError`. It reads nothing
/// ahead, so a reader that is slow costs no memory.
public struct StreamEvents: AsyncSequence, Sendable {
    public typealias Element = StreamEvent

    let client: FeedClient
    /// `nil` for what no server has a stream for.
    let stream: StreamName?
    let onOutage: (@Sendable (FeedClientError?) -> Void)?

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let sequence: StreamEvents
        private var state: StreamReconnection
        private var connection: (any StreamConnection)?
        private var error: FeedClientError?

        fileprivate init(_ sequence: StreamEvents) {
            self.sequence = sequence
            state = StreamReconnection(offersStream: sequence.stream != nil)
        }

        public mutating func next() async throws -> StreamEvent? {
            while true {
                switch state.action {
                case .wait(let seconds):
                    try await sequence.client.connection.wait(.seconds(seconds))
                    state.waited()
                case .connect(let method, let position): try await connect(method, position)
                case .resync:
                    state.resynced(jitter: TimeSample().jitter)
                    return StreamEvent(.resync, position: connection?.position)
                case .receive: if let event = try await receive() { return event }
                case .fail: throw error ?? FeedClientError(.network, "The stream has ended")
                }
            }
        }

        /// Must be called when the page could not be read after ``StreamEvent/Content/resync``, which is then sent
        /// again after a pause.
        mutating func retryResync(after error: FeedClientError) {
            connection = nil
            state.resyncFailed(error, TimeSample())
            reportOutage(error)
        }

        private mutating func connect(_ method: StreamReconnection.Method, _ position: String?) async throws {
            do {
                connection = try await sequence.connection(method, position)
                state.opened(now: Monotonic.now)
            } catch let error as FeedClientError {
                fail(error)
            }
        }

        /// - Returns: `nil` if the connection has ended.
        private mutating func receive() async throws -> StreamEvent? {
            do {
                guard let message = try await connection?.next() else {
                    fail(nil)
                    return nil
                }
                return StreamEvent(message, onSkip: sequence.client.onSkip)
            } catch let error as FeedClientError {
                fail(error)
                return nil
            }
        }

        private mutating func fail(_ error: FeedClientError?) {
            self.error = error
            state.failed(
                error, position: connection?.position, reconnectionTime: connection?.reconnectionTime, TimeSample())
            connection = nil
            reportOutage(error)
        }

        /// A connection that is replaced at once is not worth a report.
        private func reportOutage(_ error: FeedClientError?) {
            if state.failures == 2 { sequence.onOutage?(error) }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    private func connection(
        _ method: StreamReconnection.Method, _ position: String?
    ) async throws -> (any StreamConnection)? {
        guard let stream else { return nil }
        switch method {
        case .serverSentEvents:
            return try await ServerSentEventConnection(stream, position: position, client: client)
        case .webSocket: return try await WebSocketConnection(stream, position: position, client: client)
        case .polling: return nil
        }
    }
}

extension FeedClient {
    /// The events of a stream.
    /// - Parameters:
    ///   - stream: What the events are about.
    ///   - onOutage: Called when a lost connection could not be replaced at once.
    public func events(
        of stream: StreamName, onOutage: (@Sendable (FeedClientError?) -> Void)? = nil
    ) -> StreamEvents {
        StreamEvents(client: self, stream: stream, onOutage: onOutage)
    }
}

/// A stream of events.
public enum StreamName: Hashable, Sendable {
    /// The home timeline of this account, and its notifications.
    case user
    /// The notifications of this account.
    case userNotification
    /// Public statuses of all accounts.
    case `public`
    /// Public statuses of the server's own accounts.
    case publicLocal
    /// Public statuses with a hashtag, without `#`.
    case hashtag(String)
    /// A list of this account, by its id.
    case list(String)
    /// Conversations of this account.
    case direct

    /// The path of the stream of server-sent events.
    var path: String {
        let suffix =
            switch self {
            case .user: "/user"
            case .userNotification: "/user/notification"
            case .public: "/public"
            case .publicLocal: "/public/local"
            case .hashtag: "/hashtag"
            case .list: "/list"
            case .direct: "/direct"
            }
        return Paths.streaming + suffix
    }

    var parameters: [(String, String?)] {
        switch self {
        case .hashtag(let name): [("tag", name)]
        case .list(let id): [("list", id)]
        case .user, .userNotification, .public, .publicLocal, .direct: []
        }
    }

    /// The value of `stream` on a WebSocket.
    var webSocketName: String {
        switch self {
        case .user: "user"
        case .userNotification: "user:notification"
        case .public: "public"
        case .publicLocal: "public:local"
        case .hashtag: "hashtag"
        case .list: "list"
        case .direct: "direct"
        }
    }
}

/// An event as it arrives on a connection of any kind.
struct StreamMessage: Equatable, Sendable {
    /// `update`, `delete`, `notification` and others.
    var type: String
    /// JSON, or the id of a deleted status.
    var payload: String
    /// The position after this event, if the server sent one.
    var position: String?
}

/// A connection on which events arrive. It is closed when it is released.
protocol StreamConnection {
    /// The position after the last event, from which the stream can be resumed.
    var position: String? { get }
    /// The time that clients wait before they reconnect, as requested by the server, in milliseconds.
    var reconnectionTime: Int? { get }

    /// The next event; `nil` when the server has closed the connection.
    /// - Throws: ``FeedClientError``, `CancellationError`.
    mutating func next() async throws -> StreamMessage?
}
