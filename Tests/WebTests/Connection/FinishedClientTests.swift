import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import FeedWeb

/// Clients that send no more, but still read.
@Suite(.hangLimit)
struct FinishedClientTests {
    private static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test func allRequestsBeforeTheEndAreAnswered() async throws {
        try await TestEndpoints.run { server in
            let connection = try RawConnection(port: server.port)
            try await connection.write((0..<3).map { Self.get("/now?\($0)") }.joined())
            connection.finishSending()
            #expect(try await connection.responses().map(\.text) == ["0", "1", "2"])
        }
    }

    /// A request that waits counts the client as gone. It is answered anyway, and so are the requests after it.
    @Test func waitingRequestEndsWhenItsClientHasFinished() async throws {
        let gate = TaskGate()
        try await TestEndpoints.run(TestEndpoints.all(gate)) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.write(Self.get("/left?0") + Self.get("/now?1") + Self.get("/now?2"))
            try await gate.awaitTasks(1)
            connection.finishSending()
            #expect(try await connection.responses().map(\.text) == ["0", "1", "2"])
        }
    }

    /// Endpoints with a body that does not fit in the buffers of the kernel: from memory, and once the client has finished.
    private static func largeEndpoints(_ size: Int) -> Endpoints {
        let endpoints = TestEndpoints.all()
        let body = ResponseBody(byteBuffer: ByteBuffer(repeating: 0x78, count: size))
        endpoints.immediate("/large", .open) { _, _ in Response(status: .ok, body: body) }
        endpoints.get("/large/left", .open) { _, context in
            let (left, notify) = AsyncStream.makeStream(of: Void.self)
            context.onDisconnect { notify.finish() }
            for await _ in left {}
            return Response(status: .ok, body: body)
        }
        return endpoints
    }

    /// The input ends while the response waits for its reader.
    /// - Parameter rest: What follows the last request.
    @Test(arguments: ["/large", "/large/left"], ["", get("/now?1"), "rubbish"])
    func lastResponseIsSentToItsEnd(target: String, rest: String) async throws {
        let size = 16 << 20
        try await TestEndpoints.run(Self.largeEndpoints(size)) { server in
            for head in ["HTTP/1.0", "HTTP/1.1\r\nHost: a\r\nConnection: close"] {
                let connection = try RawConnection(port: server.port, receiveBuffer: 65_536)
                try await connection.write("GET \(target) \(head)\r\n\r\n\(rest)")
                connection.finishSending()
                #expect(try await connection.responses().map(\.body.count) == [size])
            }
            try await server.awaitConnections(0)
        }
    }

    @Test func waitingRequestEndsWhenItsClientHasLeft() async throws {
        let gate = TaskGate()
        let endpoints = TestEndpoints.all(gate)
        endpoints.get("/ending", .open) { _, context in
            let (left, notify) = AsyncStream.makeStream(of: Void.self)
            context.onDisconnect { notify.finish() }
            gate.begin()
            for await _ in left {}
            gate.end()
            return TestEndpoints.text("")
        }
        try await TestEndpoints.run(endpoints) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.write(Self.get("/ending"))
            try await gate.awaitTasks(1)
            connection.reset()
            try await Wait.until("the request has ended") { gate.ended == 1 }
            try await server.awaitConnections(0)
        }
    }
}
