import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Responses keep the order of their requests, whichever path answers them.
@Suite(.hangLimit)
struct ResponseOrderTests {
    /// Stands for Hummingbird: answers the oldest request when the test says so.
    private final class OrdinaryPath: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        typealias OutboundOut = HTTPResponsePart

        /// The version of the page, which each change increases.
        let version: Version
        private(set) var waiting: [HTTPRequest] = []
        private var context: ChannelHandlerContext?

        init(_ version: Version) { self.version = version }

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }
        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head(let head) = unwrapInboundIn(data) { waiting.append(head) }
        }

        func respond() {
            guard let context, !waiting.isEmpty else { return }
            let request = waiting.removeFirst()
            let (isPage, isLarge) = (request.path == "/page", request.path == "/large")
            let number = version.number
            let body = ByteBuffer(string: isPage ? "page \(number)" : request.path ?? "")
            if isPage || isLarge {
                let isCurrent = { @Sendable [version] in version.number == number }
                let content = ReusableContent(
                    tags: [], isRefreshable: !isLarge, isCurrent: isCurrent,
                    body: { isCurrent() && !isLarge ? body : nil })
                let response = ReusableResponse(
                    content: content, access: .open, route: request.path, path: request.path ?? "", viewer: nil)
                context.triggerUserOutboundEvent(response, promise: nil)
            }
            let fields: HTTPFields = [.contentLength: String(body.readableBytes)]
            context.write(wrapOutboundOut(.head(HTTPResponse(status: .ok, headerFields: fields))), promise: nil)
            context.write(wrapOutboundOut(.body(body)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private final class Version: Sendable {
        private let clock = TestClock()

        var number: Int64 {
            get { clock.now }
            set { clock.now = newValue }
        }
    }

    private struct Connection {
        let channel = EmbeddedChannel()
        let ordinary: OrdinaryPath
        let stored: StoredResponses
        var received = ""
        private let test: TestServices

        /// - Parameter other: A connection to the same server.
        init(beside other: Connection? = nil) throws {
            test = try other?.test ?? TestServices()
            stored = other?.stored ?? StoredResponses(test.services)
            ordinary = OrdinaryPath(other?.ordinary.version ?? Version())
            try FeedChannel.addHandlers(to: channel, limits: ConnectionLimits(), isEncrypted: false, stored)
            try channel.pipeline.syncOperations.addHandler(ordinary)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

        /// The bodies of the responses that have been sent.
        mutating func bodies() throws -> [String] {
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) { received += String(buffer: bytes) }
            return received.components(separatedBy: "HTTP/1.1 200 OK\r\n").dropFirst().map {
                $0.components(separatedBy: "\r\n\r\n").dropFirst().joined()
            }
        }

        /// Answers what is outstanding and closes the connection.
        mutating func finish() throws {
            channel.isWritable = true
            while !ordinary.waiting.isEmpty { ordinary.respond() }
            _ = try bodies()
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }

    private static let page = "GET /page HTTP/1.1\r\nHost: a\r\n\r\n"

    /// A connection that has stored the page.
    private static func warm() throws -> Connection {
        var connection = try Connection()
        try connection.send(page)
        connection.ordinary.respond()
        #expect(try connection.bodies().count == 1 && connection.stored.answered == 0)
        return connection
    }

    @Test func storedPageIsAnsweredAtOnce() throws {
        var connection = try Self.warm()
        try connection.send(Self.page + Self.page)
        #expect(connection.ordinary.waiting.isEmpty && connection.stored.answered == 2)
        let bodies = try connection.bodies()
        #expect(bodies.count == 3 && Set(bodies).count == 1)
        connection.ordinary.version.number += 1
        try connection.send(Self.page)
        #expect(connection.ordinary.waiting.count == 1 && connection.stored.answered == 2)
        try connection.finish()
    }

    static let declined: [(name: String, bytes: String)] = [
        ("body", "GET /page HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"),
        ("chunked", "GET /page HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"),
        ("range", "GET /page HTTP/1.1\r\nHost: a\r\nRange: bytes=0-0\r\n\r\n"),
        ("expect", "GET /page HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n"),
        ("method", "OPTIONS /page HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("absolute form", "GET http://a/page HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("other host", "GET /page HTTP/1.1\r\nHost: b\r\n\r\n"),
        ("other target", "GET /page? HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("HEAD, not stored yet", "HEAD /page HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("untrusted proxy", "GET /page HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n"),
        ("unknown token", "GET /page HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer 01234567890123456789\r\n\r\n"),
        ("HTTP/1.0", "GET /page HTTP/1.0\r\nHost: a\r\n\r\n"),
        ("closing", "GET /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
    ]

    @Test(arguments: declined.indices)
    func otherRequestsTakeTheOrdinaryPath(index: Int) throws {
        var connection = try Self.warm()
        try connection.send(Self.declined[index].bytes)
        #expect(connection.ordinary.waiting.count == 1, "\(Self.declined[index].name)")
        #expect(connection.stored.answered == 0, "\(Self.declined[index].name)")
        try connection.finish()
    }

    @Test func requestsBehindAnotherOneWait() throws {
        var connection = try Self.warm()
        try connection.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n" + Self.page)
        #expect(connection.ordinary.waiting.count == 2)
        connection.ordinary.respond()
        try connection.send(Self.page)
        #expect(connection.ordinary.waiting.count == 2)
        connection.ordinary.respond()
        connection.ordinary.respond()
        try connection.send(Self.page)
        #expect(connection.ordinary.waiting.isEmpty && connection.stored.answered == 1)
        #expect(try connection.bodies().dropFirst().first == "/other")
        try connection.finish()
    }

    @Test func unreadResponsesAndShutdownTakeTheOrdinaryPath() throws {
        var connection = try Self.warm()
        connection.channel.isWritable = false
        try connection.send(Self.page)
        #expect(connection.ordinary.waiting.count == 1)
        connection.channel.isWritable = true
        connection.ordinary.respond()
        try connection.send(Self.page)
        #expect(connection.stored.answered == 1)
        try connection.finish()
    }

    /// Two connections; a request of the second one waits for the one of the first, which refreshes the page.
    private static func waiting() throws -> (first: Connection, second: Connection) {
        let first = try warm()
        first.ordinary.version.number += 1
        try first.send(page)
        let second = try Connection(beside: first)
        try second.send(page)
        #expect(first.ordinary.waiting.count == 1 && second.ordinary.waiting.isEmpty)
        return (first, second)
    }

    @Test func requestWaitsForTheOneThatRefreshesItsPage() throws {
        var (first, second) = try Self.waiting()
        first.ordinary.respond()
        second.channel.embeddedEventLoop.run()
        #expect(second.ordinary.waiting.isEmpty && second.stored.answered == 1)
        #expect(try second.bodies() == ["page \(second.ordinary.version.number)"])
        try first.finish()
        try second.finish()
    }

    /// A client that sends no more, or a server that shuts down, does not take back a request.
    @Test(arguments: [false, true])
    func waitingRequestTakesTheOrdinaryPathAtTheEnd(isShutdown: Bool) throws {
        var (first, second) = try Self.waiting()
        let end: any Sendable = isShutdown ? ChannelShouldQuiesceEvent() : ChannelEvent.inputClosed
        second.channel.pipeline.fireUserInboundEventTriggered(end)
        #expect(second.ordinary.waiting.count == 1)
        second.ordinary.respond()
        #expect(try second.bodies().count == 1 && second.stored.answered == 0)
        try first.finish()
        try second.finish()
    }

    /// What is too large to be kept in memory cannot be answered here, so that nobody waits for it.
    @Test func contentThatIsNotInMemoryTakesTheOrdinaryPath() throws {
        let large = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n"
        var first = try Connection()
        try first.send(large)
        first.ordinary.respond()
        var second = try Connection(beside: first)
        try first.send(large)
        try second.send(large)
        #expect(first.ordinary.waiting.count == 1 && second.ordinary.waiting.count == 1)
        try first.finish()
        try second.finish()
    }

    @Test func lastRequestTakesTheOrdinaryPath() throws {
        var connection = try Connection()
        var limit = ConnectionLimits().requests
        try connection.send(Self.page)
        connection.ordinary.respond()
        while limit > 2 {
            try connection.send(Self.page)
            limit -= 1
        }
        #expect(connection.ordinary.waiting.isEmpty && connection.stored.answered == ConnectionLimits().requests - 2)
        try connection.send(Self.page)
        #expect(connection.ordinary.waiting.count == 1)
        try connection.finish()
        #expect(connection.received.contains("connection: close") || connection.received.contains("Connection: close"))
    }

    @Test func orderIsThatOfTheRequests() throws {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        var answered = 0
        for _ in 0..<Soak.rounds(20, soaking: 1000) { answered += try Self.walk(&random, seed: seed) }
        #expect(answered > 200, "seed \(seed)")
    }

    /// Sends random requests and answers them in random portions.
    /// - Returns: The number of requests that stored responses have answered.
    private static func walk(_ random: inout SplitMix64, seed: UInt64) throws -> Int {
        var connection = try warm()
        let version = connection.ordinary.version
        // The version that a response must at least have, or the body of another target.
        var expected: [(version: Int64, other: String?)] = [(0, nil)]
        for step in 0..<300 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3:
                try connection.send(page)
                expected.append((version.number, nil))
            case 4:
                let target = "/\(step)"
                let body = Bool.random(using: &random) ? "\r\n" : "Content-Length: 2\r\n\r\nxy"
                let text = "POST \(target) HTTP/1.1\r\nHost: a\r\n" + body + page
                let cut = text.index(text.startIndex, offsetBy: Int.random(in: 0..<text.count, using: &random))
                try connection.send(String(text[..<cut]))
                if Bool.random(using: &random) { connection.ordinary.respond() }
                try connection.send(String(text[cut...]))
                expected += [(0, target), (version.number, nil)]
            case 5: version.number += 1
            case 6: connection.channel.isWritable.toggle()
            case 7...9: connection.ordinary.respond()
            default: while !connection.ordinary.waiting.isEmpty { connection.ordinary.respond() }
            }
        }
        try connection.finish()
        let bodies = try connection.bodies()
        #expect(bodies.count == expected.count, "seed \(seed)")
        for (body, expected) in zip(bodies, expected) {
            if let other = expected.other {
                #expect(body == other, "seed \(seed)")
            } else {
                let number = try #require(
                    body.split(separator: " ").last.flatMap { Int64($0) }, "\(body), seed \(seed)")
                #expect(body.hasPrefix("page ") && number >= expected.version, "seed \(seed)")
            }
        }
        return connection.stored.answered
    }
}
