import FeedCore
import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FeedWeb

/// Responses from memory are logged and counted like others, on connections with the same limits.
@Suite(.hangLimit)
struct RequestRecordTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }

        /// The lines without id and duration.
        var fixed: [String] {
            lines.withLock { $0 }.map { line in
                line.split(separator: " ").filter { !$0.hasPrefix("id=") && !$0.hasPrefix("ms=") }
                    .joined(separator: " ")
            }
        }
    }

    private static func observed(_ world: TokenWorld, _ lines: Lines, _ registry: MetricRegistry) -> Services {
        var services = world.test.services
        services.monitoring.accessLog = AccessLog(format: .text, clock: world.test.store.clock.clock) {
            lines.add($0.text)
        }
        services.monitoring.metrics = MetricsExport(registry: registry, access: MetricsAccess()) {}
        return services
    }

    @Test func logAndMetricsCountEveryRequest() async throws {
        let world = try await TokenWorld.make()
        let (lines, registry) = (Lines(), MetricRegistry())
        try await LiveServer.run(ConnectionLimits(), world.test, Self.observed(world, lines, registry)) { server in
            let connection = try KeptConnection(port: server.port)
            let tag = try await connection.ask("GET", "/api/v1/timelines/public").headers["etag"] ?? ""
            let requests: [(method: String, target: String, fields: [String])] = [
                ("GET", "/api/v1/timelines/public?limit=3", ["User-Agent: an agent"]),
                ("HEAD", "/api/v1/timelines/public", []),
                ("GET", "/api/v1/timelines/public", ["If-None-Match: " + tag]),
                ("GET", "/api/v1/timelines/home?password=secret", world.authorization(.account)),
                ("GET", "/api/v1/timelines/public", world.authorization(.application)), ("GET", "/", []),
                ("GET", "/@ada", world.authorization(.account)), ("GET", "/health", []),
            ]
            for request in requests {
                _ = try await connection.ask(request.method, request.target, request.fields)
                let start = (lines.fixed.count, registry.value(of: .requests))
                for more in [["Content-Length: 0"], []] {
                    _ = try await connection.ask(request.method, request.target, request.fields + more)
                }
                try await Wait.until("both requests are logged") { lines.fixed.count == start.0 + 2 }
                let pair = lines.fixed.suffix(2)
                #expect(pair.first == pair.last, "\(request)")
                #expect(registry.value(of: .requests) == start.1 + 2)
            }
            // Each series counts both: the class of status, the route and the method are the same.
            let series = registry.families().first { $0.name == .requests }?.samples ?? []
            #expect(series.count == 7 && series.allSatisfy { $0.value >= 2 })
        }
    }

    /// The client is the one that a trusted proxy names: in the log, in the rate limit and in links.
    @Test func proxiesNameTheClient() async throws {
        var limits = Limits()
        limits.requests = RateLimit(100, perSeconds: 300)
        let world = try await TokenWorld.make(limits: limits)
        var settings = ReloadableSettings.Values()
        settings.proxies = TrustedProxies([.network(try #require(IPNetwork("127.0.0.0/8")))])
        world.test.settings.replace(with: settings)
        let (lines, registry) = (Lines(), MetricRegistry())
        var services = Self.observed(world, lines, registry)
        services.site.baseURL = BaseURL(configured: nil, fallback: "http://fallback")
        try await LiveServer.run(ConnectionLimits(), world.test, services) { server in
            let connection = try KeptConnection(port: server.port)
            func ask(_ address: String, _ scheme: String) async throws -> RawHTTP.Response {
                let fields = [
                    "X-Forwarded-For: " + address, "X-Forwarded-Proto: " + scheme, "X-Request-Id: from-proxy",
                ]
                return try await connection.ask("GET", "/api/v1/timelines/public?limit=2", fields)
            }
            for scheme in ["http", "https", "http", "https"] {
                for (round, address) in ["10.0.0.1", "10.0.0.2"].enumerated() {
                    let response = try await ask(address, scheme)
                    #expect(response.headers["link"]?.hasPrefix("<\(scheme)://feed.test/") == true, "\(round)")
                    #expect(response.headers["x-request-id"] == "from-proxy")
                    try await Wait.until("the request is logged") {
                        lines.fixed.last?.contains("from=" + address) == true
                    }
                }
            }
            #expect(try await ask("10.0.0.1", "http").headers["x-ratelimit-remaining"] == "95")
        }
    }

    @Test func connectionsServeTheirNumberOfRequests() async throws {
        var limits = ConnectionLimits()
        limits.requests = 4
        let world = try await TokenWorld.make()
        try await LiveServer.run(limits, world.test, world.test.services) { server in
            _ = try await KeptConnection(port: server.port).ask("GET", "/health")
            for _ in 0..<3 {
                let connection = try KeptConnection(port: server.port)
                var last: [Bool] = []
                for _ in 0..<4 {
                    let response = try await connection.ask("GET", "/health")
                    last.append(response.headers["connection"] == "close")
                }
                #expect(last == [false, false, false, true])
                await #expect(throws: RawFailure.self) { try await connection.ask("GET", "/health") }
            }
        }
    }

    /// A client that is idle after a response from memory, and one that does not read it.
    @Test(arguments: [1, 1000])
    func idleAndStalledClientsAreDisconnected(requests: Int) async throws {
        var limits = ConnectionLimits()
        limits.firstHead = 3_600_000
        limits.nextHead = requests == 1 ? 1000 : 3_600_000
        limits.readWindow = 2000
        limits.requests = 1_000_000
        let world = try await TokenWorld.make()
        let registry = MetricRegistry()
        try await LiveServer.run(limits, world.test, Self.observed(world, Lines(), registry)) { server in
            _ = try await KeptConnection(port: server.port).ask("GET", "/api/v1/timelines/public")
            try await server.awaitConnections(0)
            let request = "GET /api/v1/timelines/public HTTP/1.1\r\nHost: feed.test\r\n\r\n"
            let held = try HeldConnections(
                3, port: server.port, sending: Data(String(repeating: request, count: requests).utf8),
                receiveBuffer: 4096)
            try await Wait.until("responses are sent") { registry.value(of: .requests) >= 4 }
            try await server.awaitConnections(0)
            withExtendedLifetime(held) {}
        }
    }
}
