import FeedCore
import NIOCore

/// A connection that receives streams, as the publisher knows it.
struct StreamSubscriber: Sendable {
    enum Transport: Sendable { case serverSentEvents, webSocket }

    let id: UInt64
    let caller: Caller
    /// The SHA-256 hash of the token; `nil` for an anonymous visitor.
    let token: [UInt8]?
    /// This server's address as the client sees it, without a trailing slash.
    let base: String
    let transport: Transport
    let owner: StreamLimiter.Owner
    let eventLoop: any EventLoop
    let output: NIOLoopBoundBox<StreamBuffer>

    var viewer: Viewer? { caller.viewer }
    var account: Int64? { owner.account }

    /// Sends encoded events, in order.
    func send(_ events: [ByteBuffer]) {
        eventLoop.execute { [output] in
            for event in events { output.value.receive(event) }
            output.value.flush()
        }
    }

    /// Everything up to a position has been sent.
    /// - Parameter sent: The sequence number of the last event; `nil` if there was none.
    func begin(at position: ChangePosition, sent: Int64? = nil) async {
        // Fails only if the event loop has been shut down.
        try? await eventLoop.submit { [output] in output.value.begin(at: position, sent: sent) }.get()
    }

    /// Ends the stream.
    func finish(_ end: StreamEnd) { eventLoop.execute { [output] in output.value.finish(end) } }

    /// Returns once the client has read what was sent.
    /// - Throws: If the stream has ended.
    func awaitReader(atMost time: TimeAmount) async throws {
        try await eventLoop.flatSubmit { [output] in output.value.awaitReader(atMost: time) }.get()
    }

    func encoding(for selection: StreamSelection) -> EventEncoder {
        switch transport {
        case .serverSentEvents: .serverSentEvents
        case .webSocket: .webSocket(stream: selection.array)
        }
    }

    /// Whether the token allows an event of a stream that it allows. As in Mastodon, `user` contains notifications only
    /// for tokens that may read them.
    func mayReceive(_ event: StreamEventType) -> Bool {
        event != .notification || viewer?.scopes.allows(.readNotifications) ?? false
    }
}

extension Sequence<StreamSubscriber> {
    /// Ends the streams, and returns once no further event can reach the clients.
    func finishAndWait(_ end: StreamEnd) async {
        let unique = Dictionary(map { ($0.id, $0) }) { first, _ in first }.values
        let finished = unique.map { subscriber in
            subscriber.eventLoop.submit { [output = subscriber.output] in output.value.finish(end) }
        }
        // Fails only if the event loop has been shut down.
        for future in finished { try? await future.get() }
    }
}

/// A stream that a subscriber receives.
struct StreamSubscription: Sendable {
    let subscriber: StreamSubscriber
    let selection: StreamSelection

    var stream: StreamName { selection.stream }
    var encoding: EventEncoder { subscriber.encoding(for: selection) }
}

extension SubscribedAccounts {
    /// The readers of some subscriptions.
    init(_ subscriptions: [StreamSubscription]) {
        self.init()
        for subscription in subscriptions {
            guard let account = subscription.subscriber.account else { continue }
            switch subscription.stream.group {
            case .home: home.insert(account)
            case .public, .hashtag: listed.insert(account)
            case .direct: direct.insert(account)
            case .list: if case .list(let id) = subscription.stream { lists[id] = account }
            case .notifications: break
            }
        }
    }
}

/// A stream that a client has asked for, and where it continues.
struct StreamSelection: Sendable, Equatable {
    var stream: StreamName
    /// The hashtag as the client has written it.
    var tag: String?
    /// The position of the last event that the client has received; `nil` for new events only.
    var since: ChangeCursor?

    /// From the query of a request, or from a message of a WebSocket.
    /// - Throws: ``FeedError`` `.malformed` for an unknown stream, or a missing or malformed parameter.
    init(_ values: RequestParameters) throws(FeedError) {
        try self.init(StreamName(values["stream"] ?? "", Self.parameters(values)), values)
    }

    /// - Parameter path: The part of the path that names the stream.
    init(path: String, _ values: RequestParameters) throws(FeedError) {
        try self.init(StreamName(path: path, Self.parameters(values)), values)
    }

    private init(_ stream: StreamName, _ values: RequestParameters) throws(FeedError) {
        self.stream = stream
        tag = values["tag"].map { $0.unicodeScalars.first == "#" ? String($0.unicodeScalars.dropFirst()) : $0 }
        if let text = values["since"], !text.isEmpty { since = try ChangeCursor(text) }
    }

    private static func parameters(_ values: RequestParameters) -> StreamName.Parameters {
        .init(tag: values["tag"], list: values["list"], onlyMedia: values.flag("only_media") ?? false)
    }

    /// The member `stream` of WebSocket messages.
    var array: [String] { stream.array(tag: tag) }
}
