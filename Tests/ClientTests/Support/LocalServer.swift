import Hummingbird
import Logging
import NIOCore

/// A real HTTP server for the duration of a test.
enum LocalServer {
    private struct Stopped: Error {}

    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - respond: Responds to every GET request.
    ///   - test: Receives the port.
    static func serving<Value: Sendable>(
        port: Int = 0, _ respond: @escaping @Sendable (Request, BasicRequestContext) async throws -> Response,
        _ test: @escaping @Sendable (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let router = Router()
        router.get("**", use: respond)
        let (ports, running) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in running.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                defer { running.finish() }
                try await application.run()
                return nil
            }
            group.addTask {
                for await port in ports { return try await test(port) }
                throw Stopped()
            }
            for try await value in group {
                guard let value else { continue }
                group.cancelAll()
                return value
            }
            throw Stopped()
        }
    }
}
