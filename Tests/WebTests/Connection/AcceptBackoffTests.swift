import Foundation
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import TestKit
import Testing

@testable import FeedWeb

/// Failures of the listening socket.
@Suite(.hangLimit)
struct AcceptBackoffTests {
    /// Counts the reads that reach the socket.
    private final class Reads: ChannelOutboundHandler {
        typealias OutboundIn = Never
        private(set) var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    private final class Losses: Sendable {
        private let codes = Mutex<[Int32]>([])
        var all: [Int32] { codes.withLock { $0 } }

        func add(_ error: IOError) { codes.withLock { $0.append(error.errnoCode) } }
    }

    private static func channel(_ reads: Reads, _ losses: Losses) -> EmbeddedChannel {
        EmbeddedChannel(handlers: [reads, AcceptBackoff(logger: Logger(label: "test"), onLoss: losses.add)])
    }

    private static func fail(_ channel: EmbeddedChannel, _ code: Int32) {
        channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
    }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func nothingIsReadDuringAPause(code: Int32) throws {
        let (reads, losses) = (Reads(), Losses())
        let channel = Self.channel(reads, losses)
        channel.read()
        #expect(reads.count == 1)
        Self.fail(channel, code)
        channel.read()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(100))
        channel.read()
        #expect(reads.count == 1)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(100))
        channel.read()
        #expect(reads.count == 2 && losses.all.isEmpty)
        _ = try channel.finish()
    }

    /// SwiftNIO closes the listening socket after these errors.
    @Test(arguments: [EPERM, EPROTO, EINVAL])
    func lossOfTheSocketIsReported(code: Int32) throws {
        let losses = Losses()
        let channel = Self.channel(Reads(), losses)
        Self.fail(channel, code)
        #expect(losses.all == [code])
        #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
        _ = try channel.finish()
    }

    @Test func aConnectionThatFailsAloneIsIgnored() throws {
        let (reads, losses) = (Reads(), Losses())
        let channel = Self.channel(reads, losses)
        Self.fail(channel, ECONNABORTED)
        channel.read()
        #expect(reads.count == 1 && losses.all.isEmpty)
        try channel.throwIfErrorCaught()
        _ = try channel.finish()
    }
}
