import Logging
import ServiceLifecycle

/// A chore that is done again and again until the server stops; one that fails is logged and tried again next time.
struct MaintenanceTask: Service {
    /// What is done, as it stands in the log after "cannot".
    let name: String
    let interval: Duration
    let logger: Logger
    let chore: @Sendable () async throws -> Void

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    try await chore()
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
