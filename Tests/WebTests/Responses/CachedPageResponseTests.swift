import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import FeedWeb

/// Pages that several requests need at the same time.
@Suite(.hangLimit)
struct CachedPageResponseTests {
    /// A server with a page at `/page`.
    /// - Parameters:
    ///   - keys: Counts the lookups: one when a request arrives, and another one when it gets its place.
    ///   - builds: Counts and holds the builds.
    ///   - held: Holds the requests to `/held`.
    private static func run(
        _ keys: TaskGate, _ builds: TaskGate, _ held: TaskGate = TaskGate(),
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let test = try TestServices()
        let endpoints = TestEndpoints.all(held)
        let key: @Sendable (Request, RequestContext) -> PageKey = { request, _ in
            keys.begin()
            return PageKey(base: "", address: request.uri.string)
        }
        let page = CachedPageResponse(cache: test.services.html, type: "text/plain", headers: [:], key: key) { _, _ in
            try await builds.pass()
            builds.end()
            return (CachedPage(body: ByteBuffer(string: "the page"), link: nil), CacheInvalidation())
        }
        endpoints.page("/page", .open, page)
        try await LiveServer.run(ConnectionLimits(), test, test.services, endpoints: endpoints.all, body)
    }

    private static func get(_ target: String) -> String {
        "GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    }

    private static func connections(_ count: Int, _ server: LiveServer) async throws -> [RawConnection] {
        let connections = try (0..<count).map { _ in try RawConnection(port: server.port) }
        for connection in connections { try await connection.write(get("/page")) }
        return connections
    }

    @Test func simultaneousRequestsBuildThePageOnce() async throws {
        let (keys, builds) = (TaskGate(), TaskGate())
        try await Self.run(keys, builds) { server in
            let connections = try await Self.connections(16, server)
            // A client has four places.
            try await keys.awaitTasks(16 + 4)
            try await builds.awaitTasks(1)
            // Other pages are answered meanwhile.
            #expect(try await server.send("/now?1").text == "1")
            builds.open()
            for connection in connections { #expect(try await connection.responses().map(\.text) == ["the page"]) }
            #expect(builds.begun == 1)
            #expect(try await server.send("/page").text == "the page")
            #expect(builds.begun == 1)
        }
    }

    /// The build belongs to the cache.
    @Test func buildContinuesWithoutItsFirstClient() async throws {
        let (keys, builds) = (TaskGate(), TaskGate())
        try await Self.run(keys, builds) { server in
            let first = try await Self.connections(1, server)
            try await builds.awaitTasks(1)
            for connection in first { connection.reset() }
            try await server.awaitConnections(0)
            let others = try await Self.connections(3, server)
            try await keys.awaitTasks(4 + 4)
            builds.open()
            for connection in others { #expect(try await connection.responses().map(\.text) == ["the page"]) }
            #expect(builds.begun == 1 && builds.ended == 1)
        }
    }

    @Test func abandonedBuildFillsTheCache() async throws {
        let (keys, builds) = (TaskGate(), TaskGate())
        try await Self.run(keys, builds) { server in
            let first = try await Self.connections(1, server)
            try await builds.awaitTasks(1)
            for connection in first { connection.reset() }
            try await server.awaitConnections(0)
            builds.open()
            try await Wait.until("the build has ended") { builds.ended == 1 }
            #expect(try await server.send("/page").text == "the page")
            #expect(builds.begun == 1)
        }
    }

    /// Requests that wait take all places of the client. A page in memory needs none.
    @Test func pageInMemoryTakesNoPlace() async throws {
        let (keys, builds, held) = (TaskGate(), TaskGate(), TaskGate())
        builds.open()
        try await Self.run(keys, builds, held) { server in
            #expect(try await server.send("/page").text == "the page")
            let waiting = try (0..<6).map { _ in try RawConnection(port: server.port) }
            for connection in waiting { try await connection.write(Self.get("/held?1")) }
            try await held.awaitTasks(4)
            #expect(try await server.send("/page").text == "the page")
            #expect(held.begun == 4 && builds.begun == 1)
            held.open()
            for connection in waiting { #expect(try await connection.responses().map(\.text) == ["1"]) }
            #expect(held.begun == 6)
        }
    }
}
