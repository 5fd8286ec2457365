import FeedAPI
import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// The streams of the Mastodon API, as server-sent events and over WebSocket.
///
/// A request takes the ordinary path: access, limits, access log and metrics apply before the head of the response. Then
/// a channel handler owns the connection (``ChannelTakeover``), and the task of the request ends.
struct StreamController: Sendable {
    let streams: StreamRegistry
    let access: StreamAccess
    let baseURL: BaseURL
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.streaming + "/health", .open) { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
                body: .init(byteBuffer: .init(string: "OK")))
        }
        // The streams decide which scope the token needs.
        endpoints.get(Paths.streaming, .unchecked, use: any)
        for path in StreamName.paths {
            endpoints.get(Paths.streaming + "/" + path, Self.access(to: path)) { request, context in
                try await respond(try StreamSelection(path: path, try request.query), to: request, context)
            }
        }
    }

    private static func access(to path: String) -> AccessRule {
        switch path {
        case "user", "list", "direct": .account(.readStatuses)
        case "user/notification": .account(.readNotifications)
        default: .optional(.readStatuses)
        }
    }

    /// The stream that the query names. A WebSocket may also begin without one.
    @Sendable func any(_ request: Request, _ context: RequestContext) async throws -> Response {
        let query = try request.query
        guard query["stream"] == nil, WebSocketHandshake.isRequested(by: request) else {
            return try await respond(try StreamSelection(query), to: request, context)
        }
        // Without a stream, any existing token is accepted.
        if case .anonymous = context.caller {} else { try AccessRule.token(nil).check(context.caller) }
        return try await respond(nil, to: request, context)
    }

    private func respond(
        _ selection: StreamSelection?, to request: Request, _ context: RequestContext
    ) async throws -> Response {
        var selection = selection
        if let selection { try await access.check(to: selection.stream, context.caller) }
        if let last = request.headers[.lastEventID], !last.isEmpty { selection?.since = try ChangeCursor(last) }
        let isWebSocket = WebSocketHandshake.isRequested(by: request)
        let fields =
            isWebSocket ? try await WebSocketHandshake.fields(for: request, on: context.channel) : Self.eventFields
        guard request.method == .get else { return Response(status: .ok, headers: fields) }
        let subscriber = try streams.open(
            isWebSocket ? .webSocket : .serverSentEvents, caller: context.caller,
            token: context.token.map(Secret.hash),
            base: try baseURL.text(for: request),
            address: context.address, limits: settings.limits.streams, on: context.channel.eventLoop)
        do {
            // The publisher ends the stream from now on when the token is revoked, so only earlier revocations count.
            guard try await access.isValid(subscriber) else { throw FeedError.unauthorized }
            return try await begin(subscriber, selection, fields, request, context)
        } catch {
            streams.close(subscriber.id, nil)
            throw error
        }
    }

    private static let eventFields: HTTPFields = [
        .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
        // nginx would otherwise keep events until a buffer is full.
        .accelBuffering: "no",
    ]

    private func begin(
        _ subscriber: StreamSubscriber, _ selection: StreamSelection?, _ fields: HTTPFields, _ request: Request,
        _ context: RequestContext
    ) async throws -> Response {
        var fields = fields
        let isWebSocket = subscriber.transport == .webSocket
        let status: HTTPResponse.Status = isWebSocket ? .switchingProtocols : .ok
        if isWebSocket, let name = request.webSocketSubprotocol { fields[.webSocketProtocol] = name }
        let takeover = takeover(subscriber, context.channel)
        if let selection { fields[.lastEventID] = await start(selection, subscriber)?.formatted }
        return Response(status: status, headers: fields, body: ResponseBody(takeover))
    }

    /// - Returns: The position after which the subscriber receives events; `nil` if it first receives what it has missed.
    private func start(_ selection: StreamSelection, _ subscriber: StreamSubscriber) async -> ChangePosition? {
        guard selection.since != nil else {
            let subscription = StreamSubscription(subscriber: subscriber, selection: selection)
            let position = streams.subscribe(subscription)
            await subscriber.begin(at: position)
            return position
        }
        // Access has been checked, so that nothing is left to refuse.
        streams.add(.init(subscriber: subscriber, selection: selection) { _ in })
        return nil
    }

    /// Gives the connection to the handler of the stream, and ends the stream with the connection, even if the client
    /// leaves before the head of the response has been written.
    private func takeover(_ subscriber: StreamSubscriber, _ channel: any Channel) -> ChannelTakeover {
        let (output, streams) = (subscriber.output, streams)
        channel.closeFuture.whenComplete { _ in output.value.close() }
        guard subscriber.transport == .webSocket else {
            return ChannelTakeover(replacesHTTP: false) { channel in
                try channel.pipeline.syncOperations.addHandler(EventStreamHandler(output.value))
            }
        }
        return ChannelTakeover(replacesHTTP: true) { channel in
            try WebSocketHandshake.install(WebSocketHandler(output.value, subscriber, streams), on: channel)
        }
    }
}

extension Request {
    /// The subprotocol that a client of a WebSocket asks for, which the response must repeat.
    var webSocketSubprotocol: String? {
        guard WebSocketHandshake.isRequested(by: self) else { return nil }
        let first = headers[.webSocketProtocol]?.utf8.split(separator: UInt8(ascii: ",")).first
        return first.map { String(Substring($0.drop { $0 == UInt8(ascii: " ") })) }
    }
}

/// Decides who may read a stream.
struct StreamAccess: Sendable {
    let tokens: TokenStore
    let lists: ListStore

    /// Whether a subscriber's token is still valid and belongs to the same account as before. Looks it up like that of a
    /// request, which usually needs no query, because each new stream asks; ``invalid(_:)`` decides the same for many
    /// tokens, few of which are cached.
    func isValid(_ subscriber: StreamSubscriber) async throws -> Bool {
        guard let token = subscriber.token else { return true }
        switch try await tokens.holder(hash: token) {
        case .account(let viewer): return viewer.account.id == subscriber.account
        case .application: return subscriber.account == nil
        case .suspended, .pending, nil: return false
        }
    }

    /// The subscribers whose tokens are invalid or now belong to another account. One query checks many tokens.
    func invalid(_ subscribers: [StreamSubscriber]) async throws -> [StreamSubscriber] {
        let hashes = Set(subscribers.compactMap(\.token))
        guard !hashes.isEmpty else { return [] }
        let valid = try await tokens.valid(among: hashes)
        return subscribers.filter { subscriber in
            guard let token = subscriber.token else { return false }
            return valid[token] != .some(subscriber.account)
        }
    }

    /// - Throws: ``FeedError`` if a caller may not read a stream: as ``AccessRule``, and `.notFound` for a list of another
    ///   account.
    func check(to stream: StreamName, _ caller: Caller) async throws {
        if let scope = stream.scope {
            try AccessRule.account(scope).check(caller)
        } else {
            try AccessRule.optional(.readStatuses).check(caller)
        }
        guard case .list(let id) = stream, let viewer = caller.viewer else { return }
        guard try await lists.list(id, of: viewer.account.id) != nil else { throw FeedError.notFound }
    }
}
