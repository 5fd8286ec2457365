import FeedCore
import FeedWeb
import Logging
import NIOCore
import ServiceLifecycle

/// The plain HTTP port that redirects to https.
struct RedirectServer: Service {
    private let server: HTTPServer
    private let settings: ServeSettings
    private let port: Int

    /// - Parameters:
    ///   - port: The plain HTTP port.
    ///   - gate: Counts its connections together with the connections of the other ports.
    init(
        _ settings: ServeSettings, _ services: Services, port: Int, gate: ConnectionGate, startup: ServerStartup,
        logger: Logger
    ) {
        self.settings = settings
        self.port = port
        let redirect = RedirectToHTTPS(
            configured: settings.baseURL, challenges: settings.tls?.acmeFolder.map { ACMEChallenges(folder: $0) },
            port: { startup.port ?? settings.port })
        server = HTTPServer(
            RequestHandler(redirect, services), gate: gate, address: .tcp(host: settings.host, port: port),
            backlog: ListenQueue.maximum
        ) { channel in
            // Fails only if the server is already stopping.
            try? await AcceptPause.install(on: channel, logger: logger, onLoss: startup.listenerFailed)
            await startup.redirectIsBound(channel)
        }
    }

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            var settings = settings
            (settings.port, settings.tls) = (port, nil)
            throw ListenFailure.explain(error, settings, option: "--redirect-port")
        }
    }
}
