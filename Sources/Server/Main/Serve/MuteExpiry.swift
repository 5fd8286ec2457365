import FeedStore
import Logging
import ServiceLifecycle

/// Ends mutes when their time is over, so that the change log says so. Whoever reads in between leaves them out already.
struct MuteExpiry: Service {
    private static let interval = Duration.seconds(1)

    let mutes: MuteStore
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    while try await mutes.endExpired() > 0 {}
                } catch _ where Task.isCancelled {
                    return
                } catch {
                    logger.error("cannot end mutes", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }
}
