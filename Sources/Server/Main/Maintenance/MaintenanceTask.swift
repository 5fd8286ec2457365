import FeedStore
import Logging
import ServiceLifecycle

/// A periodic task that runs until shutdown. A failure is logged, and the task runs again after the interval.
struct MaintenanceTask: Service {
    /// A description of the task that completes the log message "cannot …".
    let name: String
    let interval: Duration
    let logger: Logger
    let operation: @Sendable () async throws -> Void

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    try await operation()
                } catch _ where Task.isCancelled {
                    return
                } catch {
                    logger.error("cannot \(name)", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: interval)
            }
        }
    }
}

extension MaintenanceTask {
    /// The same task, but skipped while another server performs the maintenance.
    func onLeader(of database: FeedDatabase) -> MaintenanceTask {
        MaintenanceTask(name: name, interval: interval, logger: logger) {
            if await database.isLeader() { try await operation() }
        }
    }
}
