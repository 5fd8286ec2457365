import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import FeedWeb

/// Bodies that a task writes after the head, over HTTP/1.1.
@Suite(.hangLimit)
struct AbortedResponseTests {
    private struct Failure: Error {}

    private static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n" }

    /// The client must not take a part of the body for all of it.
    @Test(arguments: [nil, 1000])
    func errorAfterTheHeadClosesWithoutTheEndOfTheBody(length: Int?) async throws {
        let endpoints = TestEndpoints.all()
        endpoints.get("/broken", .open) { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(contentLength: length) { writer in
                    try await writer.write(ByteBuffer(string: "part"))
                    throw Failure()
                })
        }
        try await TestEndpoints.run(endpoints) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.write(Self.get("/broken") + Self.get("/now?1"))
            let response = try RawHTTP.parse(try await connection.readToEnd())
            #expect(response.status == 200)
            #expect(response.headers["transfer-encoding"] == (length == nil ? "chunked" : nil))
            #expect(response.text == (length == nil ? "4\r\npart\r\n" : "part"))
            try await server.awaitConnections(0)
        }
    }

    /// The kernel reports success for a region of a file that has become shorter, and sends nothing.
    @Test func fileThatBecomesShorterClosesTheConnection() async throws {
        let size = 32 << 20
        let test = try TestServices()
        let (_, token) = try await test.account("ada")
        try await LiveServer.run(ConnectionLimits(), test, test.services) { server in
            let stored = try await RawHTTP.send(
                port: server.port, "PUT", "/files/large.bin", headers: ["Authorization: Bearer \(token)"],
                body: Data(repeating: 7, count: size))
            #expect(stored.status == 201)
            let connection = try RawConnection(port: server.port, receiveBuffer: 4096)
            try await connection.write(Self.get("/files/large.bin"))
            _ = try await connection.read(until: "\u{7}")
            try #require(BlobFile.shorten(in: test.store.folder.path, size: size))
            #expect(try await connection.readToEnd().count < size - 65_536)
            try await server.awaitConnections(0)
        }
    }

    /// A body is not asked for more than the connection accepts, which continues when the client reads.
    @Test func clientThatDoesNotReadHoldsTheBodyBack() async throws {
        let (chunk, count) = (ByteBuffer(repeating: 0x78, count: 64 * 1024), 1024)
        let written = TaskGate()
        let endpoints = TestEndpoints.all()
        endpoints.get("/large", .open) { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(contentLength: count * chunk.readableBytes) { writer in
                    for _ in 0..<count {
                        written.begin()
                        try await writer.write(chunk)
                        written.end()
                    }
                })
        }
        try await TestEndpoints.run(endpoints) { server in
            let connection = try RawConnection(port: server.port, receiveBuffer: 65_536)
            try await connection.write(
                Self.get("/large") + "GET /now?1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            try await written.awaitTasks(1)
            // The other requests give the body more turns than it needs to fill the buffers.
            var before = -1
            while before < written.begun {
                before = written.begun
                for _ in 0..<(16 * System.coreCount) { _ = try await server.send("/now?1") }
            }
            #expect(written.begun < count && written.ended == written.begun - 1)
            let bytes = try await connection.readToEnd()
            #expect(written.begun == count && written.ended == count)
            #expect(bytes.count > count * chunk.readableBytes && bytes.suffix(5) == Data("\r\n\r\n1".utf8))
        }
    }
}
