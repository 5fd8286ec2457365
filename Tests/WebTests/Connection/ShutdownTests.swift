import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import NIOExtras
import Synchronization
import TestKit
import Testing

@testable import FeedWeb

/// The graceful shutdown of a server with requests in progress.
@Suite(.hangLimit)
struct ShutdownTests {
    /// Notices, behind the handler of a connection, that the shutdown has reached it.
    private final class ShutdownWatch: ChannelInboundHandler, Sendable {
        typealias InboundIn = Never

        private let seen = Atomic(false)

        var hasSeen: Bool { seen.load(ordering: .relaxed) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ChannelShouldQuiesceEvent { seen.store(true, ordering: .relaxed) }
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// The endpoints, with one at `/read` that reads the database after the gate has opened.
    private static func endpoints(_ gate: TaskGate, _ watch: ShutdownWatch, _ services: Services) -> [FeedWeb.Endpoint]
    {
        let endpoints = TestEndpoints.all()
        endpoints.post("/api/read", .open) { _, context in
            try await context.channel.pipeline.addHandler(watch).get()
            try await gate.pass()
            for _ in 0..<100 { _ = try await services.stores.changes.position() }
            gate.end()
            return TestEndpoints.text("complete")
        }
        return endpoints.all
    }

    private static let request = "POST /api/read HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"

    private static func run(
        _ gate: TaskGate, _ watch: ShutdownWatch, _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let test = try TestServices()
        let endpoints = endpoints(gate, watch, test.services)
        try await LiveServer.run(ConnectionLimits(), test, test.services, endpoints: endpoints, body)
    }

    @Test func responseInProgressIsTheLastOne() async throws {
        let (gate, watch) = (TaskGate(), ShutdownWatch())
        try await Self.run(gate, watch) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.write(Self.request + Self.request + "GET /now?1 HTTP/1.1\r\nHost: a\r\n\r\n")
            try await gate.awaitTasks(1)
            await server.shutDown()
            try await Wait.until("the connection learns of the shutdown") { watch.hasSeen }
            gate.open()
            let responses = try await connection.responses()
            #expect(responses.map(\.text) == ["complete"])
            #expect(responses.first?.headers["connection"] == "close")
            // The requests behind it are dropped.
            #expect(gate.begun == 1)
        }
    }

    @Test func idleConnectionsAreClosed() async throws {
        try await TestEndpoints.run { server in
            let (used, unused) = (try RawConnection(port: server.port), try RawConnection(port: server.port))
            try await used.write("GET /now?1 HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await used.read(until: "\r\n\r\n1")
            try await server.awaitConnections(2)
            await server.shutDown()
            #expect(try await used.readToEnd().isEmpty)
            #expect(try await unused.readToEnd().isEmpty)
        }
    }

    /// Requests that write are finished, although the client has left. The database is open until then.
    @Test func serverEndsAfterItsTasks() async throws {
        let (gate, watch) = (TaskGate(), ShutdownWatch())
        try await Self.run(gate, watch) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.write(Self.request)
            try await gate.awaitTasks(1)
            connection.reset()
            try await server.awaitConnections(0)
            await server.shutDown()
            try await Wait.until("the server accepts no connections") {
                (try? RawConnection(port: server.port)) == nil
            }
            gate.open()
        }
        #expect(gate.ended == 1)
    }
}
