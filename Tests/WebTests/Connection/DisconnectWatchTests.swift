import FeedCore
import FeedTestSupport
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import FeedWeb

/// A request that waits learns that its client has left.
struct DisconnectWatchTests {
    /// Counts calls.
    private final class Calls: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func event() -> WatchDisconnect { WatchDisconnect { [self] in number.withLock { $0 += 1 } } }
    }

    private static func channel(isHTTP2: Bool) throws -> EmbeddedChannel {
        let limits = ConnectionLimits()
        let channel = EmbeddedChannel()
        let pipeline = channel.pipeline.syncOperations
        let handler = RequestHandler(try TestServices().services, [])
        let (connection, tasks) = (ClientConnection(channel: channel, isEncrypted: isHTTP2), OpenTasks())
        if isHTTP2 {
            try pipeline.addHandler(HTTP2StreamHandler(handler, connection, limits: limits, tasks: tasks))
        } else {
            let splitter = HTTP1PipeliningHandler()
            try pipeline.addHandler(splitter)
            try pipeline.addHandler(HTTP1Handler(handler, connection, splitter, limits: limits, tasks: tasks))
        }
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        return channel
    }

    @Test(arguments: [false, true]) func closedChannelEndsTheLastWaitOnce(isHTTP2: Bool) throws {
        let channel = try Self.channel(isHTTP2: isHTTP2)
        let (first, second) = (Calls(), Calls())
        channel.pipeline.triggerUserOutboundEvent(first.event(), promise: nil)
        channel.pipeline.triggerUserOutboundEvent(second.event(), promise: nil)
        #expect(first.count == 0 && second.count == 0)
        channel.pipeline.fireChannelInactive()
        #expect(first.count == 0 && second.count == 1)
        channel.pipeline.fireChannelInactive()
        #expect(second.count == 1)
        _ = try? channel.finish()
    }

    /// A client that is killed first closes its side. The wait may begin after that.
    @Test func closedInputEndsTheWait() throws {
        let channel = try Self.channel(isHTTP2: false)
        let (early, late) = (Calls(), Calls())
        channel.pipeline.triggerUserOutboundEvent(early.event(), promise: nil)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(early.count == 1)
        channel.pipeline.triggerUserOutboundEvent(late.event(), promise: nil)
        #expect(late.count == 1)
        _ = try? channel.finish()
    }
}
