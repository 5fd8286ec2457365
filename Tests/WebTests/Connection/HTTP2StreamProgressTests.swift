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

/// The rate of a reader of HTTP/2.
@Suite(.hangLimit)
struct HTTP2StreamProgressTests {
    /// The writes between two measurements, and the bytes taken after each.
    static let rows: [([(written: Int, acknowledged: Int64?)], [Int64])] = [
        // Nothing waits for the socket: completed writes count.
        ([(100, nil), (0, nil), (50, nil)], [100, 100, 150]),
        // The first figure of the connection is only a beginning.
        ([(0, 1_000_000), (0, 1_000_000), (0, 1_000_700)], [0, 0, 700]),
        // A write that the client has acknowledged counts once.
        ([(0, 0), (64, 60), (64, 130)], [0, 64, 134]),
        // What the client acknowledges while nothing waits does not count.
        ([(0, 500), (10, nil), (0, 9000), (0, 9001)], [0, 10, 10, 11]),
    ]

    @Test(arguments: rows)
    func progressGrowsWithWhatTheClientTakes(steps: [(written: Int, acknowledged: Int64?)], taken: [Int64]) {
        var progress = HTTP2StreamProgress()
        let measured = steps.map { step in
            progress.wrote(step.written)
            return progress.measure(acknowledged: step.acknowledged)
        }
        #expect(measured == taken)
    }

    /// Each chunk is written as soon as the one before it has left, so at each check as many bytes are waiting.
    @Test func aReaderThatTakesEachChunkIsNotSlow() throws {
        var limits = ConnectionLimits()
        limits.readWindow = 0
        let endpoints = Endpoints()
        // The test itself writes the body.
        let response = Response(status: .ok, body: ResponseBody(contentLength: nil) { _ in })
        endpoints.get("/file", .open, fromMemory: { _, _ in response }, otherwise: { _, _ in response })
        let channel = EmbeddedChannel()
        let handler = RequestHandler(try TestServices().services, endpoints.all)
        try channel.pipeline.syncOperations.addHandler(
            HTTP2StreamHandler(
                handler, ClientConnection(channel: channel, isEncrypted: true), limits: limits, tasks: OpenTasks()))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
        let head: HPACKHeaders = [
            ":method": "GET", ":scheme": "https", ":authority": "feed.test", ":path": "/file",
        ]
        try channel.writeInbound(HTTP2Frame.FramePayload.headers(.init(headers: head, endStream: true)))
        for _ in 0..<5 {
            channel.write(ResponsePart.body(ByteBuffer(repeating: 0, count: 64 * 1024)), promise: nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(channel.isActive)
            channel.flush()
        }
        _ = try channel.finish()
    }
}
