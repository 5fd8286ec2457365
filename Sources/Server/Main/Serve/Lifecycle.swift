import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// Runs services until a signal: the first one lets what is running finish within the deadline, the second ends at
/// once.
enum Lifecycle {
    /// Running requests get this long; then they are cancelled, and soon after the program ends in any case.
    private static let grace = Duration.seconds(7)
    /// Ten seconds are promised; a busy machine gets to this late.
    private static let deadline: TimeInterval = 8

    static func run(_ services: [any Service], logger: Logger) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup) },
            logger: logger)
        configuration.maximumGracefulShutdownDuration = grace
        let group = ServiceGroup(configuration: configuration)
        // Before anything runs: whoever reads that the server listens may send a signal at once.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await watch(signals, group, logger) }
            tasks.addTask { try await group.run() }
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    private static func watch(_ signals: UnixSignalsSequence, _ group: ServiceGroup, _ logger: Logger) async {
        var isStopping = false
        for await signal in signals {
            if isStopping { exit(130) }
            isStopping = true
            logger.notice("stopping", metadata: ["signal": "\(signal)"])
            await group.triggerGracefulShutdown()
            // Everything acknowledged is on the disk already, so nothing is lost by ending here.
            DispatchQueue.global().asyncAfter(deadline: .now() + deadline) { exit(0) }
        }
        // Cancelled: the services have ended. Otherwise the sequence never ends.
    }
}
