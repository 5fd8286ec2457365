import Foundation
import NIOCore
import NIOHTTP1

/// Sits below the decoder, and gives it no more than one request at a time: otherwise, one read could decode hundreds of
/// heads. It reads from the socket only when it has passed on everything.
final class HTTP1PipeliningHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = Never

    /// The pieces after which other connections of the event loop get their turn.
    private static let turn = 32
    private static let pause = TimeAmount.microseconds(100)
    /// The bytes that may wait. Only after its end, SwiftNIO delivers more of a connection than is read.
    private static let maximumPending = 512 * 1024

    private var pending = ByteBuffer()
    private var lines = EmptyLineScanner()
    private var chunks = ChunkScanner()
    private var context: ChannelHandlerContext?
    private var demand: () -> InputDemand = { .none }
    private var discarded: (Int) -> Void = { _ in }
    private var isScheduled = false
    private var hasEnded = false
    private var wantsRead = false
    /// Whether bytes are being passed on, after which the handler flushes.
    private(set) var isPassing = false
    /// Whether bytes of the client are awaited.
    private(set) var isReading = false

    /// Whether bytes have arrived that have not been decoded.
    var hasPending: Bool { pending.readableBytes > 0 }

    /// - Parameters:
    ///   - demand: Decides what to do with the next bytes.
    ///   - discarded: Called with the number of dropped bytes.
    func connect(demand: @escaping () -> InputDemand, discarded: @escaping (Int) -> Void) {
        (self.demand, self.discarded) = (demand, discarded)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { disconnect() }

    func channelInactive(context: ChannelHandlerContext) {
        disconnect()
        context.fireChannelInactive()
    }

    private func disconnect() {
        context = nil
        hold()
    }

    /// Buffers all input until the handler is removed.
    func hold() { (demand, discarded) = ({ .none }, { _ in }) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = false
        var bytes = unwrapInboundIn(data)
        if hasPending { pending.writeBuffer(&bytes) } else { pending = bytes }
        guard pending.readableBytes <= Self.maximumPending else {
            pending = ByteBuffer()
            return context.fireUserInboundEventTriggered(InputOverflow())
        }
        pass(context)
    }

    func read(context: ChannelHandlerContext) {
        wantsRead = true
        readIfEmpty(context)
    }

    private func readIfEmpty(_ context: ChannelHandlerContext) {
        guard wantsRead, !hasPending, !hasEnded else { return }
        (wantsRead, isReading) = (false, true)
        context.read()
    }

    /// Passes on the buffered bytes that the handler accepts now.
    func resume() {
        guard let context, !isPassing, hasPending || hasEnded else { return }
        pass(context)
        context.fireChannelReadComplete()
    }

    private func pass(_ context: ChannelHandlerContext) {
        guard !isPassing else { return }
        isPassing = true
        var pieces = 0
        while hasPending, pieces < Self.turn {
            let demand = demand()
            guard let length = length(for: demand), let piece = pending.readSlice(length: length) else { break }
            pieces += 1
            if demand == .discard { discarded(length) } else { context.fireChannelRead(wrapInboundOut(piece)) }
        }
        isPassing = false
        if hasPending, pieces == Self.turn { return yield(context) }
        if !hasPending { drained(context) }
    }

    /// The number of pending bytes to pass on; `nil` to wait.
    private func length(for demand: InputDemand) -> Int? {
        switch demand {
        case .none: return nil
        case .discard: return pending.readableBytes
        case .body(let left?) where left > 0: return min(left, pending.readableBytes)
        case .body: return chunks.next(in: pending.readableBytesView)
        case .head:
            chunks = ChunkScanner()
            return lines.next(in: pending.readableBytesView)
        }
    }

    private func drained(_ context: ChannelHandlerContext) {
        pending = ByteBuffer()
        if hasEnded {
            hasEnded = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            readIfEmpty(context)
        }
    }

    /// Continues in a later tick of the event loop, which reads its other connections first.
    private func yield(_ context: ChannelHandlerContext) {
        guard !isScheduled else { return }
        isScheduled = true
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            bound.value.isScheduled = false
            bound.value.resume()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The decoder must receive all earlier bytes before the end of the input.
        if case .inputClosed? = event as? ChannelEvent, hasPending {
            hasEnded = true
            context.fireUserInboundEventTriggered(ClientFinished())
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Removes the handlers of HTTP: that of the connection, the decoder, and finally this one, which passes the buffered
    /// bytes to the handlers that replace them.
    /// - Parameter handler: The context of the connection's handler.
    func removeHTTP(_ handler: ChannelHandlerContext) {
        hold()
        let pipeline = handler.pipeline.syncOperations
        let bound = NIOLoopBound((self, pipeline), eventLoop: handler.eventLoop)
        let removed = handler.eventLoop.makePromise(of: Void.self)
        removed.futureResult.whenComplete { _ in
            let (splitter, pipeline) = bound.value
            pipeline.removeHandler(splitter, promise: nil)
        }
        pipeline.removeHandler(context: handler, promise: nil)
        if let decoder = try? pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self) {
            pipeline.removeHandler(context: decoder, promise: removed)
        } else {
            removed.succeed()
        }
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        if hasPending {
            context.fireChannelRead(wrapInboundOut(pending))
            pending = ByteBuffer()
            context.fireChannelReadComplete()
        }
        if hasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        if wantsRead { context.read() }
        context.leavePipeline(removalToken: removalToken)
    }
}

/// The bytes that the handler of a connection wants next.
enum InputDemand: Equatable {
    /// Nothing, until a response has been sent.
    case none
    /// The next head, or more of the current one.
    case head
    /// The body of the request in progress.
    /// - Parameter left: The bytes that are left of it; `nil` for a chunked body.
    case body(left: Int?)
    /// All input is discarded.
    case discard
}

/// An inbound event: the client has finished sending, but not all of its bytes have been decoded.
struct ClientFinished: Sendable {}

/// An inbound event: the client has sent more than may wait, which has been dropped.
struct InputOverflow: Sendable {}

/// Finds the end of a chunked body (RFC 9112 §7.1) in bytes that arrive in pieces.
struct ChunkScanner {
    private enum State {
        /// The line with the size of a chunk; `inSize` while reading its digits.
        case size(Int, inSize: Bool)
        case data(left: Int)
        /// The line break after the data.
        case dataEnd
        case trailer(EmptyLineScanner)
        /// Malformed input, which the decoder rejects.
        case other
    }

    /// Above it, the decoder refuses a size.
    private static let maximumSize = 1 << 56

    private var state = State.size(0, inSize: true)

    /// The length up to and including the end of the body, or of all bytes if it does not end in them.
    mutating func next(in bytes: ByteBufferView) -> Int {
        var position = bytes.startIndex
        while position < bytes.endIndex {
            switch state {
            case .data(let left):
                let length = min(left, bytes.endIndex - position)
                position += length
                state = left > length ? .data(left: left - length) : .dataEnd
            case .trailer(var lines):
                let length = lines.next(in: bytes[position...])
                state = .trailer(lines)
                return position + length - bytes.startIndex
            case .other: return bytes.count
            case .size, .dataEnd:
                read(bytes[position])
                position += 1
            }
        }
        return bytes.count
    }

    private mutating func read(_ byte: UInt8) {
        let isLineEnd = byte == UInt8(ascii: "\n")
        switch state {
        case .size(let size, _) where isLineEnd: state = size > 0 ? .data(left: size) : .trailer(EmptyLineScanner())
        case .size(let size, true):
            guard let digit = Self.digit(byte) else { return state = .size(size, inSize: false) }
            state = size < Self.maximumSize ? .size(size * 16 + digit, inSize: true) : .other
        case .dataEnd where isLineEnd: state = .size(0, inSize: true)
        case .dataEnd where byte != UInt8(ascii: "\r"): state = .other
        default: break
        }
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 48...57: Int(byte) - 48
        case 65...70: Int(byte) - 55
        case 97...102: Int(byte) - 87
        default: nil
        }
    }
}

/// Finds empty lines, which end the head of a request, in bytes that arrive in pieces.
struct EmptyLineScanner {
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Whether the line so far contains at most carriage returns.
    private var isLineEmpty = true

    /// The length up to and including the first empty line, or of all bytes if there is none. Several line breaks at the
    /// beginning, which the decoder ignores between requests, count as one.
    mutating func next(in bytes: ByteBufferView) -> Int { bytes.withUnsafeBytes { next(in: $0) } }

    private mutating func next(in bytes: UnsafeRawBufferPointer) -> Int {
        if isLineEmpty {
            let text = bytes.firstIndex { $0 != Self.lineFeed && $0 != Self.carriageReturn } ?? bytes.count
            if let last = bytes[..<text].lastIndex(of: Self.lineFeed) { return last + 1 }
        }
        var start = 0
        while let end = Self.nextLineFeed(in: bytes, from: start) {
            let isEnd = isEmpty(bytes[start..<end])
            (start, isLineEmpty) = (end + 1, true)
            if isEnd { return start }
        }
        isLineEmpty = isEmpty(bytes[start...])
        return bytes.count
    }

    /// Whether the line is empty up to the end of `part`.
    private func isEmpty(_ part: Slice<UnsafeRawBufferPointer>) -> Bool {
        isLineEmpty && part.allSatisfy { $0 == Self.carriageReturn }
    }

    private static func nextLineFeed(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let found = memchr(base + start, Int32(lineFeed), bytes.count - start)
        return found.map { base.distance(to: UnsafeRawPointer($0)) }
    }
}
