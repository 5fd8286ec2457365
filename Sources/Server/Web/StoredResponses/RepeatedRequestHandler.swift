import NIOCore

/// Recognizes requests by their bytes, so that they need not be decoded again: most clients send few different heads.
final class RepeatedRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The maximum length of a request in bytes.
    private static let limit = 2048
    private static let emptyLine: UInt32 = 0x0D0A_0D0A

    private let stored: StoredResponseHandler
    /// Whether a handler above has received anything since the last ``channelReadComplete(context:)``.
    private var hasPassed = false

    init(_ stored: StoredResponseHandler) { self.stored = stored }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard stored.boundary.isBetweenRequests, bytes.readableBytes <= Self.limit, let above = stored.context else {
            decode(data, Self.endsInEmptyLine(bytes), context)
            return
        }
        if let request = stored.responses.request(bytes) {
            if !stored.receive(request, above) { hasPassed = true }
        } else if let answered = decode(data, Self.endsInEmptyLine(bytes), context) {
            stored.responses.keep(answered, bytes)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard hasPassed else { return }
        hasPassed = false
        context.fireChannelReadComplete()
    }

    /// - Returns: The request that the bytes were, if a stored response has answered it.
    @discardableResult
    private func decode(_ data: NIOAny, _ endsInEmptyLine: Bool, _ context: ChannelHandlerContext) -> PlainRequest? {
        hasPassed = true
        stored.boundary.begin()
        context.fireChannelRead(data)
        return stored.boundary.end(endsInEmptyLine: endsInEmptyLine) ? stored.answered : nil
    }

    private static func endsInEmptyLine(_ bytes: ByteBuffer) -> Bool {
        bytes.getInteger(at: bytes.writerIndex - 4) == emptyLine
    }
}
