import FeedAPI
import FeedCore
import HTTPTypes
import NIOCore

/// The streams of the Mastodon API, as server-sent events and over WebSocket.
///
/// A request takes the ordinary path: access, limits, access log and metrics apply before the head of the response. Then
/// a channel handler owns the connection (``StreamTakeover``), and the task of the request ends.
struct StreamingController: Sendable {
    let services: Services

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

    private static func access(to path: String) -> Access {
        switch path {
        case "user", "list", "direct": .account(.readStatuses)
        case "user/notification": .account(.readNotifications)
        default: .optional(.readStatuses)
        }
    }

    /// The stream that the query names. A WebSocket may also begin without one.
    @Sendable func any(_ request: Request, _ context: FeedContext) async throws -> Response {
        let query = try request.query
        guard query["stream"] == nil, WebSocketUpgrade.isRequested(by: request) else {
            return try await respond(try StreamSelection(query), to: request, context)
        }
        // Without a stream, any existing token is accepted.
        if case .anonymous = context.caller {} else { try Access.token(nil).check(context.caller) }
        return try await respond(nil, to: request, context)
    }

    private func respond(
        _ selection: StreamSelection?, to request: Request, _ context: FeedContext
    ) async throws -> Response {
        var selection = selection
        if let selection { try await services.checkAccess(to: selection.stream, context.caller) }
        if let last = request.headers[.lastEventID], !last.isEmpty { selection?.since = try ChangeCursor(last) }
        let isWebSocket = WebSocketUpgrade.isRequested(by: request)
        let fields =
            isWebSocket ? try await WebSocketUpgrade.fields(for: request, on: context.channel) : Self.eventFields
        guard request.method == .get else { return Response(status: .ok, headers: fields) }
        let subscriber = try services.streams.open(
            isWebSocket ? .webSocket : .serverSentEvents, caller: context.caller,
            token: Services.token(of: request).map(AccessTokens.hash),
            base: try services.site.baseURL.text(for: request),
            address: context.address, limits: services.limits.streams, on: context.channel.eventLoop)
        do {
            // The hub knows the stream by now and ends it when the token is revoked, so only earlier revocations count.
            guard try await services.isValid(subscriber) else { throw FeedError.unauthorized }
            return try await begin(subscriber, selection, fields, request, context)
        } catch {
            services.streams.close(subscriber.id, nil)
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
        _ context: FeedContext
    ) async throws -> Response {
        var fields = fields
        let isWebSocket = subscriber.transport == .webSocket
        let status: HTTPResponse.Status = isWebSocket ? .switchingProtocols : .ok
        if isWebSocket, let name = Services.subprotocol(of: request) { fields[.webSocketProtocol] = name }
        let takeover = takeover(subscriber, context.channel)
        if let selection { fields[.lastEventID] = await start(selection, subscriber)?.text }
        return Response(status: status, headers: fields, body: ResponseBody(takeover))
    }

    /// - Returns: The position after which the subscriber receives events; `nil` if it first receives what it has missed.
    private func start(_ selection: StreamSelection, _ subscriber: StreamSubscriber) async -> ChangePosition? {
        guard selection.since != nil else {
            let subscription = StreamSubscription(subscriber: subscriber, selection: selection)
            let position = services.streams.subscribe(subscription)
            await subscriber.begin(at: position)
            return position
        }
        // Access has been checked, so that nothing is left to refuse.
        services.streams.add(.init(subscriber: subscriber, selection: selection) { _ in })
        return nil
    }

    /// Gives the connection to the handler of the stream, and ends the stream with the connection, also if the client
    /// leaves before the head of the response has been written.
    private func takeover(_ subscriber: StreamSubscriber, _ channel: any Channel) -> StreamTakeover {
        let (outlet, streams) = (subscriber.outlet, services.streams)
        channel.closeFuture.whenComplete { _ in outlet.value.close() }
        guard subscriber.transport == .webSocket else {
            return StreamTakeover(replacesHTTP: false) { channel in
                try channel.pipeline.syncOperations.addHandler(EventStreamHandler(outlet.value))
            }
        }
        return StreamTakeover(replacesHTTP: true) { channel in
            try WebSocketUpgrade.install(WebSocketHandler(outlet.value, subscriber, streams), on: channel)
        }
    }
}
