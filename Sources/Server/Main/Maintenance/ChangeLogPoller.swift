import FeedCore
import FeedStore
import Logging
import ServiceLifecycle

/// Polls the change log, which also contains the changes of other processes, and invalidates in-memory state.
struct ChangeLogPoller: Service {
    private static let interval = Duration.milliseconds(50)
    /// The maximum number of consecutive intervals in which the log is not read because the stamp is unchanged.
    private static let maximumSkipped = 16
    private static let batch = 500

    let changes: ChangeLogStore
    let login: Login
    let log: RecentChanges
    let monitor: ServerMetrics
    let logger: Logger

    func run() async throws {
        // Starts at the position at which the database was opened, so that no change since then is missed.
        let start = log.sequence
        try? await cancelWhenGracefulShutdown {
            var (last, skipped) = (start, 0)
            var stamp: ChangeStamp?
            while true {
                try await Task.sleep(for: Self.interval)
                let newStamp = changes.stamp()
                guard newStamp != stamp || skipped == Self.maximumSkipped else {
                    skipped += 1
                    continue
                }
                (stamp, skipped) = (newStamp, 0)
                // The log may have been restarted at an earlier position.
                last = await follow(from: min(last, log.sequence))
                monitor.followed(to: last)
            }
        }
    }

    /// Applies all further changes.
    /// - Returns: The sequence number of the last applied change.
    private func follow(from last: Int64) async -> Int64 {
        var last = last
        do {
            while true {
                let rows = try await changes.changes(after: last, limit: Self.batch)
                for row in rows { await react(to: row) }
                if let newest = rows.last {
                    last = newest.sequence
                    log.append(rows, upTo: last)
                }
                if rows.count < Self.batch { return last }
            }
        } catch _ where Task.isCancelled {
            // The server is shutting down.
            return last
        } catch {
            logger.error("cannot read the change log", metadata: ["error": "\(error)"])
            return last
        }
    }

    private func react(to change: Change) async {
        switch change.kind {
        case .passwordChanged: if let account = change.account { await login.invalidate(account) }
        case .imported: await login.invalidateAll()
        default: break
        }
    }
}
