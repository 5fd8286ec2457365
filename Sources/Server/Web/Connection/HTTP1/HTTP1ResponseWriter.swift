import Foundation
import HTTPTypes
import NIOCore

/// Writes the responses of a connection of HTTP/1 (RFC 9112). A class, because a write may call the handler.
final class HTTP1ResponseWriter {
    private static let continueHead = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
    private static let lastChunk = ByteBuffer(string: "0\r\n\r\n")
    private static let lineEnd = ByteBuffer(string: "\r\n")

    /// The size in bytes up to which a body is copied behind the head: two buffers would cost more to write.
    private static let shortBody = 512
    /// The size in bytes of most heads.
    private static let headBytes = 1024

    /// The framing of the current response.
    private var framing = HTTP1ResponseFraming.length
    /// The region of a file that the kernel is sending.
    private var file: FileRegion?
    private var writers = WriterQueue()

    func sendContinue(_ context: ChannelHandlerContext) {
        Self.write(Self.continueHead, context)
        context.flush()
    }

    /// Writes the head of a response, and its body if that is in memory.
    func begin(
        _ response: Response, _ framing: HTTP1ResponseFraming, isOld: Bool, closes: Bool,
        _ context: ChannelHandlerContext
    ) {
        self.framing = framing
        var head = Self.head(response, isOld: isOld, isChunked: framing == .chunked, closes: closes)
        guard case .bytes(let bytes) = response.body.content, bytes.readableBytes > Self.shortBody else {
            if case .bytes(let bytes) = response.body.content { head.writeImmutableBuffer(bytes) }
            return Self.write(head, context)
        }
        Self.write(head, context)
        Self.write(bytes, context)
    }

    /// - Parameter promise: Completed when the connection accepts more.
    func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        guard bytes.readableBytes > 0 else {
            promise?.succeed()
            return
        }
        if framing == .chunked { Self.write(Self.chunkHead(bytes.readableBytes), context) }
        Self.write(bytes, context)
        if framing == .chunked { Self.write(Self.lineEnd, context) }
        if context.channel.isWritable { promise?.succeed() } else { writers.add(promise) }
    }

    /// - Parameter promise: Completed when the kernel has sent the region.
    func write(_ region: FileRegion, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        file = region
        let sent = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        // Its descriptor may be closed from then on.
        sent.futureResult.whenComplete { _ in bound.value.file = nil }
        context.write(HTTP1Handler.wrapOutboundOut(.fileRegion(region)), promise: sent)
    }

    func end(_ context: ChannelHandlerContext) {
        if framing == .chunked { Self.write(Self.lastChunk, context) }
    }

    /// - Parameter promise: Completed when everything before has been written.
    func flush(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        context.writeAndFlush(HTTP1Handler.wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: promise)
    }

    /// The connection accepts more.
    func resume() { writers.succeedAll() }

    func fail(_ error: any Error) { writers.failAll(error) }

    /// Whether the file being sent became shorter: `sendfile` then reports success with 0 bytes and would be retried
    /// forever.
    var isTruncated: Bool {
        guard let file else { return false }
        var status = stat()
        let code = try? file.fileHandle.withUnsafeFileDescriptor { fstat($0, &status) }
        return code != 0 || Int(status.st_size) < file.endIndex
    }

    private static func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        context.write(HTTP1Handler.wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
    }

    /// The line before the bytes of a chunk.
    private static func chunkHead(_ length: Int) -> ByteBuffer {
        ByteBuffer(string: String(length, radix: 16) + "\r\n")
    }

    /// The head of a response, up to and including the empty line.
    /// - Parameter closes: Whether the connection ends after the response.
    static func head(_ response: Response, isOld: Bool, isChunked: Bool, closes: Bool) -> ByteBuffer {
        var head = ByteBufferAllocator().buffer(capacity: headBytes + shortBody)
        head.writeStaticString(isOld ? "HTTP/1.0 " : "HTTP/1.1 ")
        head.writeString(String(response.status.code))
        head.writeStaticString(" ")
        head.writeString(response.status.reasonPhrase)
        head.writeStaticString("\r\n")
        for field in response.headers { head.writeLine(of: field) }
        if let common = response.common { head.writeImmutableBuffer(common.lines) }
        if isChunked { head.writeStaticString("Transfer-Encoding: chunked\r\n") }
        if closes { head.writeStaticString("Connection: close\r\n") }
        head.writeStaticString("\r\n")
        return head
    }
}
