import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// Runs services until SIGTERM or SIGINT. The first signal starts a graceful shutdown; a second one exits immediately.
enum Lifecycle {
    /// The time for running requests to finish before they are cancelled.
    private static let grace = Duration.seconds(7)
    /// The seconds until the process exits unconditionally. Less than the documented ten, to leave a margin on a busy
    /// machine.
    private static let deadline: TimeInterval = 8

    static func run(_ services: [any Service], logger: Logger) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup) },
            logger: logger)
        configuration.maximumGracefulShutdownDuration = grace
        let group = ServiceGroup(configuration: configuration)
        // Installed before the services start: a signal may arrive as soon as the server announces its address.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await watch(signals, group, logger) }
            tasks.addTask { try await group.run() }
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    private static func stop(_ code: Int32) -> Never {
        LogOutput.shared.flush()
        exit(code)
    }

    private static func watch(_ signals: UnixSignalsSequence, _ group: ServiceGroup, _ logger: Logger) async {
        var isStopping = false
        for await signal in signals {
            if isStopping { stop(130) }
            isStopping = true
            logger.notice("stopping", metadata: ["signal": "\(signal)"])
            await group.triggerGracefulShutdown()
            // All acknowledged writes are durable, so exiting here loses nothing.
            DispatchQueue.global().asyncAfter(deadline: .now() + deadline) { stop(0) }
        }
        // The sequence only ends when the task is cancelled because the services have ended.
    }
}
