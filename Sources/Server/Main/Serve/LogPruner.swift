import FeedCore
import FeedStore
import Logging
import ServiceLifecycle

/// Drops rows of the change log that are older than they have to be kept.
struct LogPruner: Service {
    private static let interval = Duration.seconds(3600)

    let changes: ChangeStore
    let days: Int
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    let limit = Surroundings.system.now() - Int64(days) * 86_400_000
                    while try await changes.prune(before: limit) > 0 {}
                } catch _ where Task.isCancelled {
                    return
                } catch {
                    logger.error("cannot prune the change log", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }
}
