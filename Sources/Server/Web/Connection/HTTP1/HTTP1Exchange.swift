import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The rules for a request head, checked before any other handler reads it (RFC 9112).
enum RequestHeadRules {
    /// Whether optional whitespace surrounds a value (RFC 9110 §5.5), which the parser leaves in some cases.
    private static func hasOuterBlanks(_ value: String) -> Bool {
        isBlank(value.utf8.first) || isBlank(value.utf8.last)
    }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func removeBlanks(_ headers: inout HTTPHeaders) {
        guard headers.contains(where: { hasOuterBlanks($0.value) }) else { return }
        headers = HTTPHeaders(
            headers.map { name, value in
                let bytes = value.utf8.drop { isBlank($0) }
                let end = bytes.lastIndex { !isBlank($0) }
                return (name, end.map { String(value[bytes.startIndex...$0]) } ?? "")
            })
    }

    /// Validates a head and rewrites its target in origin form.
    static func check(_ head: inout HTTPRequestHead) throws(HeadRefusal) {
        // RFC 9110 §7.8.
        if head.version.isOld { head.headers.remove(name: "Upgrade") }
        removeBlanks(&head.headers)
        try useTargetHost(&head)
        try checkHost(head)
        try checkFraming(head.headers)
    }

    /// Replaces the Host header with the host of an absolute-form target (§3.2.2).
    private static func useTargetHost(_ head: inout HTTPRequestHead) throws(HeadRefusal) {
        guard !head.uri.hasPrefix("/"), head.uri != "*" else { return }
        let scalars = head.uri.unicodeScalars
        let scheme = ["http://", "https://"].first { Substring(scalars.prefix($0.utf8.count)).lowercased() == $0 }
        guard let scheme else { throw malformedTarget }
        let rest = head.uri.utf8.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let target = Substring(rest[authority.endIndex...])
        head.headers.replaceOrAdd(name: "Host", value: String(Substring(authority)))
        head.uri = target.utf8.first == UInt8(ascii: "/") ? String(target) : "/" + target
        // A combining mark after the slash would form one character with it.
        guard head.uri.hasPrefix("/") else { throw malformedTarget }
    }

    private static let malformedTarget = HeadRefusal(status: .badRequest, message: "The request target is malformed")

    /// Requires exactly one valid Host in HTTP/1.1 (§3.2), at most one in older versions.
    private static func checkHost(_ head: HTTPRequestHead) throws(HeadRefusal) {
        let hosts = head.headers["Host"]
        let isOptional = head.version.isOld && hosts.isEmpty
        guard isOptional || hosts.count == 1 && BaseURL.isValid(hosts[0]) else {
            throw HeadRefusal(status: .badRequest, message: "The Host header is missing or malformed")
        }
    }

    private static func checkFraming(_ headers: HTTPHeaders) throws(HeadRefusal) {
        let codings = headers[canonicalForm: "Transfer-Encoding"]
        guard codings.allSatisfy({ $0.lowercased() == "chunked" }), codings.count <= 1 else {
            throw HeadRefusal(status: .notImplemented, message: "The only supported Transfer-Encoding is chunked")
        }
        // The parser rejects anything that is not a number, so a value that fails here overflows.
        guard headers["Content-Length"].allSatisfy({ Int64($0) != nil }) else {
            throw HeadRefusal(status: .contentTooLarge, message: "The body is too large")
        }
    }
}

/// The framing of a response's body, which marks its end (RFC 9112 §6.3).
enum HTTP1Framing: Equatable {
    /// By its length, which may be zero.
    case length
    case chunked
    /// By the end of the connection, for HTTP/1.0.
    case close
}

/// A request in progress on a connection of HTTP/1, with what its head demands of the response.
struct HTTP1Exchange {
    let version: HTTPVersion
    let method: HTTPMethod
    /// Whether the connection ends with the response: as the client asks, or because the decoder reads no further request
    /// after one that asks for another protocol.
    let isLast: Bool
    let isUpgrade: Bool
    /// Whether the client waits for `100 Continue`.
    var expectsContinue: Bool
    let hasBody: Bool
    /// Bytes; `nil` for a chunked body.
    let bodyLength: Int?

    init(_ head: HTTPRequestHead) {
        version = head.version
        method = head.method
        isUpgrade = !head.version.isOld && head.headers.contains(name: "upgrade") || head.method == .CONNECT
        isLast = isUpgrade || head.version.isOld || !head.isKeepAlive
        expectsContinue = !head.version.isOld && head.headers.first(name: "expect")?.lowercased() == "100-continue"
        let isChunked = head.headers.contains(name: "transfer-encoding")
        let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        hasBody = isChunked || length > 0
        bodyLength = isChunked ? nil : length
    }

    /// The framing to use for a response.
    func framing(of response: Response) -> HTTP1Framing {
        if response.isBodiless || method == .HEAD || response.headers.contains(.contentLength) { return .length }
        return version.isOld ? .close : .chunked
    }
}

extension Request {
    /// - Returns: `nil` if the method is malformed.
    init?(_ head: HTTPRequestHead, _ body: RequestBody, isSecure: Bool) {
        guard let method = HTTPRequest.Method(head.method.rawValue) else { return nil }
        self.init(
            method: method, target: head.uri, host: head.headers.first(name: "host"), isSecure: isSecure,
            headers: .http1(head.headers), body: body)
    }
}

extension HTTPRequestHead {
    /// Stands for a head that the decoder rejects. A hyphen marks what is unknown, as in the log.
    static var unreadable: HTTPRequestHead { HTTPRequestHead(version: .http1_1, method: .RAW(value: "-"), uri: "-") }
}

extension HTTPVersion {
    /// HTTP/1.0 or 0.9, which lack chunked coding and do not require Host.
    var isOld: Bool { self == .http1_0 || self == .http0_9 }
}

/// Writes the responses of a connection of HTTP/1 (RFC 9112). A class, because a write may call the handler.
final class HTTP1Output {
    private static let continueHead = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
    private static let lastChunk = ByteBuffer(string: "0\r\n\r\n")
    private static let lineEnd = ByteBuffer(string: "\r\n")

    /// The size in bytes up to which a body is copied behind the head: two buffers would cost more to write.
    private static let shortBody = 512
    /// The size in bytes of most heads.
    private static let headBytes = 1024

    /// The framing of the current response.
    private var framing = HTTP1Framing.length
    /// The region of a file that the kernel is sending.
    private var file: FileRegion?
    private var writers = WriterQueue()

    func sendContinue(_ context: ChannelHandlerContext) {
        Self.write(Self.continueHead, context)
        context.flush()
    }

    /// Writes the head of a response, and its body if that is in memory.
    func begin(
        _ response: Response, _ framing: HTTP1Framing, isOld: Bool, closes: Bool, _ context: ChannelHandlerContext
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
