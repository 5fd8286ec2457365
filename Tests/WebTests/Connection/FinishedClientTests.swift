import FeedTestSupport
import Foundation
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
