import FeedStore
import Logging
import ServiceLifecycle

/// Removes programs that registered and that nobody ever used, and tokens of programs that are not shown any more.
struct LoginSweeper: Service {
    private static let interval = Duration.seconds(3600)

    let tokens: TokenStore
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    try await tokens.sweep()
                } catch {
                    logger.error("cannot remove unused programs", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }
}
