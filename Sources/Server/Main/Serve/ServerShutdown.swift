import FeedAPI
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// Runs services until SIGTERM or SIGINT. The first signal starts a graceful shutdown; a second one exits immediately.
/// SIGHUP reloads what can change while the server runs (``Hangups``, ``ReloadAction``).
enum ServerShutdown {
    /// The time for running requests to finish before they are cancelled.
    private static let grace = Duration.seconds(Timeout.seconds(7))
    /// The seconds until the process exits unconditionally. Less than the documented ten, to leave a margin on a busy
    /// machine.
    private static let deadline = TimeInterval(Timeout.seconds(8))

    /// - Parameters:
    ///   - actions: The settings and files that SIGHUP reloads, in this order.
    ///   - hangups: Trapped since the start.
    static func run(
        _ services: [any Service], reload actions: [ReloadAction], on hangups: Hangups, logger: Logger
    ) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                // Otherwise, its name is everything in it: megabytes of text, which take longer than the rest of the start.
                .init(
                    service: $0, failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: "\(type(of: $0))")
            },
            logger: logger)
        configuration.maximumGracefulShutdownDuration = grace
        let group = ServiceGroup(configuration: configuration)
        // Installed before the services start: a signal may arrive as soon as the server announces its address.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await watch(signals, group, logger) }
            tasks.addTask { await reload(actions, on: hangups) }
            tasks.addTask { try await group.run() }
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    private static func stop(_ code: Int32) -> Never {
        LogWriter.shared.flush(atMost: 1, idle: 1)
        exit(code)
    }

    private static func reload(_ actions: [ReloadAction], on hangups: Hangups) async {
        var terminals = hangups.terminals
        for await _ in hangups.signals {
            if terminals.contains(where: { isatty($0) == 0 }) {
                // Once, because a second signal would end the process at once.
                terminals.removeAll()
                kill(getpid(), SIGTERM)
            } else {
                for action in actions { await action.run() }
            }
        }
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
