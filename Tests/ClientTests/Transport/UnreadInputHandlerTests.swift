import AsyncHTTPClient
import FeedTestSupport
import Foundation
import NIOCore
import NIOPosix
import TestKit
import Testing

@testable import FeedClientKit

/// Connections that end before all bytes have been read.
@Suite(.hangLimit)
struct UnreadInputHandlerTests {
    private static let size = 200_000

    /// The number of bytes of the body that a slow reader gets, and the error at its end.
    private static func readBody(from response: ClosingServer.Response) async throws -> (
        bytes: Int, error: (any Error)?
    ) {
        try await ClosingServer.serving(response) { port, hasClosed in
            let transport = Transport(for: .downloads)
            var received = (bytes: 0, error: (any Error)?.none)
            do {
                let response = try await transport.execute(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"))
                await hasClosed()
                for try await chunk in response.body {
                    received.bytes += chunk.readableBytes
                    try await Task.sleep(for: .milliseconds(1))
                }
            } catch {
                received.error = error
            }
            await transport.shutdown()
            return received
        }
    }

    /// With some sizes, the head and the body fill NIO's receive buffers exactly, and the end arrives with the last byte.
    @Test(arguments: [1, 2005, 2048, 6101, 14_293, 65_536, 100_000, 199_999])
    func everyByteBeforeTheEndIsDelivered(_ count: Int) async throws {
        for _ in 0..<10 {
            let read = try await Self.readBody(from: .init(size: Self.size, sent: count))
            #expect(read.bytes == count && read.error != nil, "\(String(describing: read.error))")
        }
    }

    @Test(arguments: [2007, 6103, 14_294, 2029, 6125, 14_317, size], [true, false])
    func completeBodyEndsWithoutAnError(_ size: Int, isDelimitedByTheEnd: Bool) async throws {
        for _ in 0..<10 {
            let read = try await Self.readBody(from: .init(size: isDelimitedByTheEnd ? nil : size, sent: size))
            #expect(read.bytes == size && read.error == nil, "\(String(describing: read.error))")
        }
    }

    /// Otherwise, it would be used for the next request.
    @Test(arguments: [10, 2029, 6125, 14_317]) func unusedConnectionIsClosedWhenItEnds(_ size: Int) async throws {
        for _ in 0..<10 {
            try await ClosingServer.serving(.init(size: nil, sent: size)) { port, _ in
                let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .channelInitializer { UnreadInputHandler.add(to: $0) }
                    .connect(host: "127.0.0.1", port: port).get()
                channel.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"), promise: nil)
                try await channel.closeFuture.get()
            }
        }
    }
}

/// A server that responds to one request and closes the connection, whether or not the body is complete.
private enum ClosingServer {
    struct Response: Sendable {
        /// The announced number of bytes of the body; `nil` for one that the end of the connection delimits.
        let size: Int?
        /// The number of bytes of the body that are sent.
        let sent: Int
    }

    /// - Parameter test: Receives the port, and a function that returns when the connection has been closed.
    static func serving<Value>(
        _ response: Response, _ test: (_ port: Int, _ hasClosed: () async -> Void) async throws -> Value
    ) async throws -> Value {
        let listener = Sockets.make()
        defer { close(listener) }
        try Sockets.bind(listener)
        guard listen(listener, 1) == 0 else { throw SocketFailure(code: errno) }
        let (closed, end) = AsyncStream.makeStream(of: Never.self)
        Thread.detachNewThread {
            send(response, on: accept(listener, nil, nil))
            end.finish()
        }
        return try await test(try Sockets.port(of: listener)) { for await _ in closed {} }
    }

    private static func send(_ response: Response, on connection: Int32) {
        var request = [UInt8](repeating: 0, count: 4096)
        guard recv(connection, &request, request.count, 0) > 0 else { return }
        let length = response.size.map { "Content-Length: \($0)\r\n" } ?? ""
        let head = Data("HTTP/1.1 200 OK\r\n\(length)\r\n".utf8)
        (head + Data(count: response.sent)).withUnsafeBytes { bytes in
            // With `MSG_MORE`, the end comes with the last bytes.
            _ = Glibc.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_MORE))
        }
        close(connection)
    }
}
