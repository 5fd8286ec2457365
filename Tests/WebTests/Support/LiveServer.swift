import FeedCore
import FeedTestSupport
import Logging
import NIOCore
import ServiceLifecycle
import TestKit

@testable import FeedWeb

/// The server with real sockets in this process, with limits that suit a test.
struct LiveServer: Sendable {
    let test: TestServices
    let limiter: ConnectionLimiter
    let port: Int
    /// Begins the graceful shutdown, which also follows the test.
    let shutDown: @Sendable () async -> Void

    static func run(
        _ limits: ConnectionLimits, proxies: TrustedProxies = TrustedProxies(),
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let test = try TestServices()
        var settings = ReloadableSettings.Values()
        settings.proxies = proxies
        test.settings.replace(with: settings)
        try await run(limits, test, test.services, body)
    }

    /// - Parameters:
    ///   - services: Those of `test`, possibly with changes.
    ///   - endpoints: `nil` for those of the server.
    static func run(
        _ limits: ConnectionLimits = ConnectionLimits(), _ test: TestServices, _ services: Services,
        endpoints: [FeedWeb.Endpoint]? = nil, _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let limits = patient(limits)
        let limiter = ConnectionLimiter(limits: limits, settings: test.settings, logger: logger)
        let (ports, started) = AsyncStream.makeStream(of: Int.self)
        let handler = RequestHandler(services, endpoints ?? services.endpoints())
        let server = HTTPServer(handler, limiter: limiter, address: .tcp(host: "127.0.0.1", port: 0)) { channel in
            if let port = channel.localAddress?.port { started.yield(port) }
            started.finish()
        }
        let publisher = PublisherService(publisher: services.publisher(logger: logger), streams: services.streams)
        let group = ServiceGroup(configuration: .init(services: [server, publisher], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                // A server that cannot start never reports its port.
                defer { started.finish() }
                try await group.run()
            }
            var found: Int?
            for await port in ports { found = port }
            guard let found else {
                try await tasks.waitForAll()
                throw StartFailure()
            }
            do {
                let shutDown: @Sendable () async -> Void = { await group.triggerGracefulShutdown() }
                try await body(LiveServer(test: test, limiter: limiter, port: found, shutDown: shutDown))
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Limits of time that a test does not set are generous: on a busy machine, a client may not run for ten seconds.
    private static func patient(_ limits: ConnectionLimits) -> ConnectionLimits {
        let standard = ConnectionLimits()
        var limits = limits
        for limit in ConnectionLimits.timeouts where limits[keyPath: limit] == standard[keyPath: limit] {
            limits[keyPath: limit] = max(limits[keyPath: limit], 60_000)
        }
        return limits
    }

    /// Sends a request on a connection of its own.
    func send(_ path: String, from source: String? = nil) async throws -> RawHTTP.Response {
        try await RawHTTP.send(port: port, "GET", path, from: source)
    }

    /// Waits until the server has `count` connections.
    func awaitConnections(_ count: Int) async throws {
        try await Wait.until("\(count) connections instead of \(limiter.count)") { limiter.count == count }
    }

    private struct StartFailure: Error {}

    /// The publisher of the streams, which ends them before the sockets are closed.
    private struct PublisherService: Service {
        let publisher: StreamPublisher
        let streams: StreamRegistry

        func run() async throws {
            await withGracefulShutdownHandler {
                await cancelWhenGracefulShutdown { await publisher.run() }
            } onGracefulShutdown: { [streams] in
                streams.shutDown()
            }
            streams.shutDown()
        }
    }
}
