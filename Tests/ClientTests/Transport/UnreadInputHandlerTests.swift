import AsyncHTTPClient
import FeedTestSupport
import Foundation
import NIOCore
import Testing

@testable import FeedClientKit

/// Connections that end before all bytes have been read.
@Suite(.timeLimit(.minutes(15)))
struct UnreadInputHandlerTests {
    private static let size = 200_000

    /// The number of bytes that a slow reader gets from a body of ``size`` bytes, and the error at its end.
    private static func read(ofWhichSent count: Int) async throws -> (bytes: Int, error: (any Error)?) {
        try await ClosingServer.serving(size: size, sent: count) { port, hasClosed in
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

    @Test(arguments: [1, 2048, 65_536, 100_000, 199_999])
    func everyByteBeforeTheEndIsDelivered(_ count: Int) async throws {
        for _ in 0..<10 {
            let read = try await Self.read(ofWhichSent: count)
            #expect(read.bytes == count && read.error != nil, "\(String(describing: read.error))")
        }
    }

    @Test func completeBodyEndsWithoutAnError() async throws {
        for _ in 0..<10 {
            let read = try await Self.read(ofWhichSent: Self.size)
            #expect(read.bytes == Self.size && read.error == nil, "\(String(describing: read.error))")
        }
    }
}

/// A server that responds to one request and closes the connection, whether or not the body is complete.
private enum ClosingServer {
    /// - Parameters:
    ///   - size: The announced number of bytes of the body.
    ///   - sent: The number of bytes of the body that are sent.
    ///   - test: Receives the port, and a function that returns when the connection has been closed.
    static func serving<Value>(
        size: Int, sent: Int, _ test: (_ port: Int, _ hasClosed: () async -> Void) async throws -> Value
    ) async throws -> Value {
        let listener = Sockets.make()
        defer { close(listener) }
        try Sockets.bind(listener)
        guard listen(listener, 1) == 0 else { throw SocketFailure(code: errno) }
        let (closed, end) = AsyncStream.makeStream(of: Never.self)
        Thread.detachNewThread {
            respond(on: accept(listener, nil, nil), size: size, sent: sent)
            end.finish()
        }
        return try await test(try Sockets.port(of: listener)) { for await _ in closed {} }
    }

    private static func respond(on connection: Int32, size: Int, sent: Int) {
        var request = [UInt8](repeating: 0, count: 4096)
        guard recv(connection, &request, request.count, 0) > 0 else { return }
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8)
        (head + Data(count: sent)).withUnsafeBytes { bytes in
            _ = send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        close(connection)
    }
}
