import FeedCore
import FeedTestSupport
import Foundation
import NIOCore
import NIOHTTP2
import NIOPosix
import TestKit
import Testing

@testable import FeedWeb

/// The socket of a connection that carries a stream.
@Suite(.hangLimit)
struct StreamSocketOptionsTests {
    /// A preface, empty settings, and `GET /` as stream 1 (RFC 9113 §3.4).
    private static let request =
        Data("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Data([0, 0, 0, 4, 0, 0, 0, 0, 0])
        + Data([0, 0, 6, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84, 0x41, 1, 0x61])

    /// Otherwise, the kernel would keep the connection of a client that has vanished for a quarter of an hour.
    @Test(arguments: [false, true]) func vanishedClientIsNoticed(isHTTP2: Bool) async throws {
        let (timeouts, found) = AsyncStream.makeStream(of: Int?.self)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { connection in
                connection.eventLoop.makeCompletedFuture {
                    guard isHTTP2 else {
                        _ = found.yield(Self.prepared(connection, of: connection))
                        return
                    }
                    _ = try connection.pipeline.syncOperations.configureAsyncHTTP2Pipeline(
                        mode: .server, streamDelegate: nil, frameDelegate: nil,
                        configuration: HTTP2Limits.configuration(ConnectionLimits())
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            _ = found.yield(Self.prepared(stream, of: connection))
                        }
                    }
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        let client = try CollectingConnection(port: try #require(server.localAddress?.port), sending: Self.request)
        var timeout: Int??
        for await value in timeouts {
            timeout = value
            break
        }
        #expect(timeout == StreamSocketOptions.timeout)
        client.disconnect()
        try await server.close()
    }

    /// Prepares a channel for a stream.
    /// - Returns: The timeout of the connection, in milliseconds.
    private static func prepared(_ channel: any Channel, of connection: any Channel) -> Int? {
        StreamSocketOptions.prepare(channel)
        return try? connection.syncOptions?.getOption(ChannelOptions.tcpOption(StreamSocketOptions.userTimeout))
    }
}
