import FeedWeb
import Logging
import ServiceLifecycle

/// Runs the hub of the streams. Its graceful shutdown ends them, so that their clients connect again, to another server
/// or later, and the listening sockets have no connections to wait for.
struct StreamService: Service {
    private let hub: StreamHub
    private let streams: StreamRegistry

    init(_ services: Services, logger: Logger) {
        hub = StreamHub(services, logger: logger)
        streams = services.streams
    }

    func run() async throws {
        // The streams first: a client that reads slowly would delay the end of the hub.
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await hub.run() }
        } onGracefulShutdown: { [streams] in
            streams.shutDown()
        }
        streams.shutDown()
    }
}
