import FeedCore
import FeedTestSupport
import HTTPTypes
import NIOCore
import TestKit

@testable import FeedWeb

/// Endpoints that show what a connection does, in place of those of the server.
enum TestEndpoints {
    /// - Parameter gate: Where the requests to `/held` wait.
    static func all(_ gate: TaskGate = TaskGate()) -> Endpoints {
        let endpoints = Endpoints()
        // The query, from memory.
        endpoints.immediate("/now", .open) { request, _ in text(request.uri.query ?? "") }
        // The query, after the gate has opened.
        endpoints.get("/held", .open) { request, _ in
            try await gate.pass()
            return text(request.uri.query ?? "")
        }
        // The query, once the client has left.
        endpoints.get("/left", .open) { request, context in
            let (left, notify) = AsyncStream.makeStream(of: Void.self)
            context.onDisconnect { notify.finish() }
            gate.begin()
            for await _ in left {}
            return text(request.uri.query ?? "")
        }
        endpoints.post("/api/echo", .open) { request, context in
            context.readBody()
            var body = ByteBuffer()
            for try await piece in request.body { body.writeImmutableBuffer(piece) }
            return Response(status: .ok, body: ResponseBody(byteBuffer: body))
        }
        endpoints.post("/api/ignore", .open) { _, _ in text("ignored") }
        endpoints.post("/api/refuse", .open) { _, _ in
            Response(status: .contentTooLarge, body: ResponseBody(byteBuffer: ByteBuffer(string: "too large")))
        }
        return endpoints
    }

    static func text(_ text: String) -> Response {
        Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    static func run(
        _ endpoints: Endpoints = all(), _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let test = try TestServices()
        try await LiveServer.run(ConnectionLimits(), test, test.services, endpoints: endpoints.all, body)
    }
}
