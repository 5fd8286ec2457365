import FeedAPI
import Foundation

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
            return try await EventStream(stream, position: position, client: client)
        case .webSocket: return try await WebSocketStream(stream, position: position, client: client)
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

/// An event of a stream.
public struct StreamEvent: Sendable {
    /// The content of an event.
    public enum Content: Sendable {
        /// The stream has been opened, or events may have been missed. The reader must now load the content of
        /// the stream, such as the page of a timeline: only changes from now on arrive as events.
        case resync
        /// A new status.
        case update(TimelineEntry)
        /// A status has been edited.
        case statusUpdate(TimelineEntry)
        /// A status has been deleted; its id.
        case delete(String)
        case notification(NotificationEntry)
        /// A conversation has a new status; a Conversation entity as JSON.
        case conversation(json: [UInt8])
        /// The filters of this account have changed.
        case filtersChanged
        /// An event that is unknown to the library, or that could not be decoded.
        case other(type: String, payload: String)
    }

    public let content: Content
    /// The position in the stream after this event, if the server has positions.
    public let position: String?

    public init(_ content: Content, position: String? = nil) {
        (self.content, self.position) = (content, position)
    }
}

extension StreamEvent {
    /// Decodes an event.
    /// - Parameter onSkip: Called with an entity that could not be decoded.
    init(_ message: StreamMessage, onSkip: ((SkippedEntity) -> Void)?) {
        let skipped = SkippedEntities()
        let content = SkippedEntities.$current.withValue(skipped) { Self.content(message) }
        for entity in skipped.all { onSkip?(entity) }
        self.init(content ?? .other(type: message.type, payload: message.payload), position: message.position)
    }

    private static func content(_ message: StreamMessage) -> Content? {
        let json = Array(message.payload.utf8)
        switch message.type {
        case "update": return entry(json).map(Content.update)
        case "status.update": return entry(json).map(Content.statusUpdate)
        case "delete": return message.payload.isEmpty ? nil : .delete(message.payload)
        case "notification":
            return entity(Entity.Notification.self, json).map { .notification(NotificationEntry($0, json: json)) }
        case "conversation": return .conversation(json: json)
        case "filters_changed": return .filtersChanged
        case "resync": return .resync
        default: return nil
        }
    }

    private static func entry(_ json: [UInt8]) -> TimelineEntry? {
        entity(Entity.Status.self, json).map { TimelineEntry(status: $0, json: json) }
    }

    private static func entity<Value: Decodable & Sendable>(_ type: Value.Type, _ json: [UInt8]) -> Value? {
        (try? JSONDecoder().decode(Tolerant<Value>.self, from: Data(json)))?.value
    }
}
