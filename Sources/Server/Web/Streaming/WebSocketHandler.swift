import DequeModule
import FeedCore
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOWebSocket

/// Owns a connection that receives streams over a WebSocket (RFC 6455) and subscribes to them by messages.
final class WebSocketHandler: ChannelDuplexHandler, RemovableChannelHandler, EventChannelHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = Never
    typealias OutboundOut = WebSocketFrame

    /// The maximum number of frames that a client may send between two pings.
    private static let maximumFrames = 2000
    /// The pings that a client may leave unanswered.
    private static let maximumSilence = 2

    private let output: StreamBuffer
    private let subscriber: StreamSubscriber
    private let streams: StreamRegistry
    private var context: ChannelHandlerContext?
    private var input = WebSocketInput()
    /// Messages that wait for the previous one.
    private var commands = Deque<Result<WebSocketCommand, FeedError>>()
    private var isBusy = false
    private var isFinishing = false
    /// Frames since the latest ping.
    private var frames = 0
    /// The pings since the latest frame.
    private var silence = 0

    init(_ output: StreamBuffer, _ subscriber: StreamSubscriber, _ streams: StreamRegistry) {
        self.output = output
        self.subscriber = subscriber
        self.streams = streams
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        StreamSocketOptions.prepare(context.channel)
        // The handlers of HTTP, which do not know the frames, leave the pipeline first.
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { bound.value.begin() }
    }

    private func begin() {
        output.open(self)
        readMore()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    var isWritable: Bool { context?.channel.isWritable ?? false }

    func write(_ event: ByteBuffer) { if !isFinishing { write(.text, event) } }

    func flush() { context?.flush() }

    private func send(_ message: ByteBuffer) {
        write(message)
        flush()
    }

    func finish(_ end: StreamEnd) {
        send(StreamNotice.lastMessage(end, retryAfter: end.retryDelay))
        close(end.closeCode, end.rawValue)
    }

    func heartbeat() {
        silence += 1
        frames = 0
        // While a message is being processed, nothing is read, not even the response to a ping.
        if isFinishing || (silence > Self.maximumSilence && !isBusy) {
            context?.close(promise: nil)
        } else if isWritable {
            write(.ping, ByteBuffer())
            flush()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        (silence, frames) = (0, frames + 1)
        if isFinishing {
            // The response to our close frame.
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        guard frames <= Self.maximumFrames else { return close(.policyViolation, "too many messages") }
        switch input.receive(frame) {
        case .none: break
        case .message(let text): receive(text)
        case .pong(let bytes):
            guard isWritable else { return }
            write(.pong, bytes)
            flush()
        case .closed(let code):
            close(WebSocketErrorCode(codeNumber: Int(code)), "", then: .all)
        case .fail(let code, let reason): close(code, reason)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { readMore() }

    func read(context: ChannelHandlerContext) { readMore() }

    private func readMore() {
        // Nothing is read while a message is being processed, or while the client does not read the responses.
        if (!isBusy && isWritable) || isFinishing { context?.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        output.resume()
        readMore()
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
        if event is ChannelShouldQuiesceEvent { output.finish(.shutdown) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? NIOWebSocketError {
        // The decoder reads no further frame, not even a close frame.
        case .invalidFrameLength: close(.messageTooLarge, "the frame is too large", then: .output)
        case .fragmentedControlFrame, .multiByteControlFrameLength:
            close(.protocolError, "malformed control frame", then: .output)
        case nil: context.close(promise: nil)
        }
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        context?.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
    }

    /// Sends a close frame. The connection is closed when the client answers it, or after a while.
    /// - Parameter mode: The part that is closed as soon as the frame has been sent, because no answer will come.
    private func close(_ code: WebSocketErrorCode, _ reason: String, then mode: CloseMode? = nil) {
        guard !isFinishing, let context else { return }
        isFinishing = true
        commands = []
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        data.writeString(reason)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
        let written = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(frame), promise: written)
        streams.close(output.id, nil)
        readMore()
        guard let mode else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in bound.value.close(mode: mode, promise: nil) }
    }
}

extension WebSocketHandler {
    private func receive(_ text: String) {
        commands.append(Result { () throws(FeedError) in try WebSocketCommand(text) })
        proceed()
    }

    /// Performs the next messages, in order and one at a time.
    private func proceed() {
        while !isBusy, !isFinishing, let command = commands.popFirst() {
            switch command {
            case .success(.unsubscribe(let stream)): streams.unsubscribe(subscriber.id, from: stream)
            case .success(.subscribe(let selection)): subscribe(selection)
            case .failure(let error): send(StreamNotice.refusal(ErrorResponse(error)))
            }
        }
    }

    private func subscribe(_ selection: StreamSelection) {
        guard let context else { return }
        isBusy = true
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        streams.add(
            .init(subscriber: subscriber, selection: selection, isCommand: true) { bound.value.finished($0) })
    }

    private func finished(_ problem: ErrorResponse?) {
        isBusy = false
        if let problem, !isFinishing { send(StreamNotice.refusal(problem)) }
        proceed()
        readMore()
    }
}

extension StreamEnd {
    /// RFC 6455 §7.4.1, and 1012 of the registry: the client should connect again after a random delay.
    fileprivate var closeCode: WebSocketErrorCode {
        switch self {
        case .shutdown: .unknown(1012)
        case .slow, .unauthorized: .policyViolation
        case .unavailable: .unexpectedServerError
        }
    }
}
