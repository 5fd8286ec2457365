import FeedCore
import Logging
import ServiceLifecycle

/// Reads the change log, also what other processes write to it, and tells those who keep something in memory.
struct ChangeFollower: Service {
    private static let interval = Duration.milliseconds(100)
    /// The log is read at least every this many intervals, whatever the stamp says.
    private static let mostSkipped = 8
    private static let batch = 500

    let changes: any ChangeLog
    let login: Login
    let log: LogPosition
    let logger: Logger

    func run() async throws {
        // Not what the database says now: what another process wrote since it was opened must be read, too.
        let start = log.sequence
        try? await cancelWhenGracefulShutdown {
            var (last, skipped) = (start, 0)
            var stamp: ChangeStamp?
            while true {
                try await Task.sleep(for: Self.interval)
                let newStamp = changes.stamp()
                guard newStamp != stamp || skipped == Self.mostSkipped else {
                    skipped += 1
                    continue
                }
                (stamp, skipped) = (newStamp, 0)
                last = await follow(from: last)
            }
        }
    }

    /// - Returns: The position after what was read.
    private func follow(from last: Int64) async -> Int64 {
        do {
            let rows = try await changes.changes(after: last, limit: Self.batch)
            for row in rows { await react(to: row) }
            if let last = rows.last { log.advance(to: last.sequence) }
            return rows.last?.sequence ?? last
        } catch _ where Task.isCancelled {
            // The server stops; nothing is wrong.
            return last
        } catch {
            logger.error("cannot read the change log", metadata: ["error": "\(error)"])
            return last
        }
    }

    private func react(to change: Change) async {
        switch change.kind {
        case .passwordChanged: if let account = change.account { await login.forget(account) }
        case .imported: await login.forgetAll()
        default: break
        }
    }
}
