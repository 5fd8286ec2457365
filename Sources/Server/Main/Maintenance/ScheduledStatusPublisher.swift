import FeedCore
import FeedStore
import Logging
import ServiceLifecycle

/// Publishes scheduled statuses when they are due, if this server performs the maintenance. Every server wakes up then,
/// in case the other one has ended; the transaction ensures that only one publishes.
struct ScheduledStatusPublisher: Service {
    /// The time until the next attempt when the database cannot be used.
    private static let pauseAfterFailure: Int64 = 10_000

    let scheduling: @Sendable () -> ScheduledStatusPublishing
    let database: FeedDatabase
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled { try await Task.sleep(for: .milliseconds(await publish())) }
        }
    }

    /// Publishes what is due.
    /// - Returns: The time in milliseconds until something may be due again.
    private func publish() async -> Int64 {
        do {
            let scheduling = scheduling()
            if await database.isLeader() { try await scheduling.publishDue(report: report) }
            return try await scheduling.pause()
        } catch _ where Task.isCancelled {
            return Self.pauseAfterFailure
        } catch {
            logger.error("cannot publish scheduled statuses", metadata: ["error": "\(error)"])
            return Self.pauseAfterFailure
        }
    }

    @Sendable private func report(_ scheduled: ScheduledStatus, _ error: any Error) {
        logger.warning(
            "cannot publish a scheduled status now",
            metadata: [
                "scheduled_status": "\(scheduled.id)", "account": "\(scheduled.accountID)", "error": "\(error)",
            ])
    }
}
