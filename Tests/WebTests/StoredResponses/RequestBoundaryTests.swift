import FeedCore
import FeedTestSupport
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestKit
import Testing

@testable import FeedWeb

/// What SwiftNIO's decoder makes of random pieces of random requests.
@Suite(.hangLimit)
struct RequestBoundaryTests {
    private final class Observer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart

        var boundary = RequestBoundary()

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): boundary.decodedHead(isLast: !head.isKeepAlive)
            case .body: boundary.decodedBody()
            case .end: boundary.decodedEnd()
            }
        }
    }

    /// What follows may not be a request, whatever it looks like.
    @Test(arguments: [
        "GET / HTTP/1.1\r\nBad Name: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func nothingIsRecognizedAfter(last: String) async throws {
        let world = try await StoredResponseWorld.make()
        let connection = ConnectionHandler(limits: ConnectionLimits())
        let handler = StoredResponseHandler(
            StoredResponses(world.test.services), connection: connection, isEncrypted: false)
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers(
            HTTPResponseEncoder(), RepeatedRequestHandler(handler), ByteToMessageHandler(HTTPRequestDecoder()), handler)
        try channel.writeInbound(ByteBuffer(string: Self.get))
        #expect(handler.boundary.isBetweenRequests)
        _ = try? channel.writeInbound(ByteBuffer(string: Self.get + last))
        #expect(!handler.boundary.isBetweenRequests)
        _ = try? channel.writeInbound(ByteBuffer(string: Self.get))
        #expect(!handler.boundary.isBetweenRequests)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    /// Bodies that look like requests, or that end like them.
    private static let requests = [
        get, get, "HEAD /b HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(get.utf8.count)\r\n\r\n" + get,
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1B\r\n" + get + "\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nTrailer: \r\n\r\n",
    ]

    @Test(arguments: 0..<20)
    func onlyWholeRequestsAreRecognized(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (observer, channel) = (Observer(), EmbeddedChannel())
        try channel.pipeline.syncOperations.addHandlers(ByteToMessageHandler(HTTPRequestDecoder()), observer)
        var (stream, ends): ([UInt8], [Int]) = ([], [0])
        for _ in 0..<200 {
            // The decoder skips empty lines (RFC 9112 §2.2).
            if Int.random(in: 0..<4, using: &random) == 0 {
                stream += "\r\n".utf8
                ends.append(stream.count)
            }
            stream += try #require(Self.requests.randomElement(using: &random)).utf8
            ends.append(stream.count)
        }
        var (position, recognized) = (0, 0)
        while position < stream.count {
            let next = ends.first { $0 > position } ?? stream.count
            let length = Bool.random(using: &random) ? next - position : .random(in: 1...90, using: &random)
            let end = min(stream.count, position + length)
            let piece = stream[position..<end]
            observer.boundary.begin()
            try channel.writeInbound(ByteBuffer(bytes: piece))
            let isRequest = observer.boundary.end(endsInEmptyLine: piece.suffix(4) == [13, 10, 13, 10])
            if isRequest {
                #expect(ends.contains(position) && ends.contains(end))
                recognized += 1
            }
            if observer.boundary.isBetweenRequests { #expect(ends.contains(end)) }
            position = end
        }
        #expect(recognized > 20)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
