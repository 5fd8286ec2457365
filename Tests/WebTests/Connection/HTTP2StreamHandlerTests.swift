import FeedCore
import FeedTestSupport
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import TestKit
import Testing

@testable import FeedWeb

/// The frames with which a stream of HTTP/2 is answered.
@Suite(.hangLimit)
struct HTTP2StreamHandlerTests {
    /// A stream whose only endpoint, `/`, answers from memory.
    private static func channel(answering response: Response) throws -> EmbeddedChannel {
        let endpoints = Endpoints()
        endpoints.get("/", .open, fromMemory: { _, _ in response }, otherwise: { _, _ in response })
        let handler = RequestHandler(try TestServices().services, endpoints.all)
        let channel = EmbeddedChannel()
        let connection = ClientConnection(channel: channel, isEncrypted: true)
        try channel.pipeline.syncOperations.addHandler(
            HTTP2StreamHandler(handler, connection, limits: ConnectionLimits(), tasks: OpenTasks()))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
        return channel
    }

    private static func send(_ method: String = "GET", endsStream: Bool = true, to channel: EmbeddedChannel) throws {
        let head: HPACKHeaders = [":method": method, ":scheme": "https", ":authority": "feed.test", ":path": "/"]
        try channel.writeInbound(HTTP2Frame.FramePayload.headers(.init(headers: head, endStream: endsStream)))
    }

    /// A summary of the frames that have been sent.
    private static func sent(by channel: EmbeddedChannel) throws -> [String] {
        var frames: [String] = []
        while let frame = try channel.readOutbound(as: HTTP2Frame.FramePayload.self) {
            switch frame {
            case .headers(let head):
                frames.append("\(head.headers.first(name: ":status") ?? "")\(head.endStream ? " end" : "")")
            case .data(let data):
                guard case .byteBuffer(let bytes) = data.data else { continue }
                frames.append("\(String(buffer: bytes))\(data.endStream ? " end" : "")")
            case .rstStream(let code): frames.append("reset \(code.networkCode)")
            default: frames.append("other")
            }
        }
        return frames
    }

    private static let text = Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "text")))

    @Test(arguments: [("GET", ["200", "text end"]), ("HEAD", ["200 end"])])
    func answerFromMemoryNeedsNoTask(method: String, frames: [String]) throws {
        let channel = try Self.channel(answering: Self.text)
        try Self.send(method, to: channel)
        #expect(try Self.sent(by: channel) == frames)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    /// The client need not send a body that nobody reads (RFC 9113 §8.1).
    @Test func unreadBodyIsNotWanted() throws {
        let channel = try Self.channel(answering: Self.text)
        try Self.send(endsStream: false, to: channel)
        #expect(try Self.sent(by: channel) == ["200", "text end", "reset 0"])
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func incompleteBodyResetsTheStream() throws {
        let written = Response(status: .ok, body: ResponseBody(contentLength: nil) { _ in })
        let channel = try Self.channel(answering: written)
        try Self.send(to: channel)
        channel.writeAndFlush(ResponsePart.body(ByteBuffer(string: "part")), promise: nil)
        channel.writeAndFlush(ResponsePart.abort, promise: nil)
        #expect(try Self.sent(by: channel) == ["200", "part", "reset 2"])
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    /// The request has no host.
    @Test(arguments: ["GET", "HEAD"]) func refusedHeadGetsTheCommonFields(method: String) throws {
        let channel = try Self.channel(answering: Self.text)
        let head: HPACKHeaders = [":method": method, ":scheme": "https", ":path": "/"]
        try channel.writeInbound(HTTP2Frame.FramePayload.headers(.init(headers: head, endStream: true)))
        guard case .headers(let sent)? = try channel.readOutbound(as: HTTP2Frame.FramePayload.self) else {
            Issue.record("no head")
            return
        }
        let names = sent.headers.map { $0.name }
        #expect(sent.headers[":status"] == ["400"] && sent.endStream == (method == "HEAD"))
        #expect(Set(names).count == names.count, "\(names)")
        #expect(Set(["date", "server", "strict-transport-security", "x-request-id"]).isSubset(of: names))
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func fieldsOfConnectionsAreLeftOut() throws {
        let headers: HTTPFields = [.connection: "close", .eTag: "\"a\""]
        let frame = HTTP2ResponseEncoder.head(Response(status: .ok, headers: headers), endsStream: true)
        guard case .headers(let head) = frame else {
            Issue.record("no head")
            return
        }
        #expect(head.headers == [":status": "200", "etag": "\"a\""])
    }
}
