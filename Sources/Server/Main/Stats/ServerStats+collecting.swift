import FeedAPI
import FeedCore
import FeedStore
import FeedWeb
import Foundation

extension ServerStats {
    /// The figures of this process. The sizes are missing while the database is not available.
    static func collect(_ monitor: ServerMonitor, _ database: FeedDatabase, addresses: [String]) async -> ServerStats {
        let sizes = try? await database.sizes()
        return ServerStats(
            version: Feedserver.version, pid: getpid(), engine: database.engineName,
            startedAt: ISO8601.text(milliseconds: monitor.startedAt), uptimeSeconds: monitor.uptime / 1000,
            addresses: addresses, requestsPerSecond: (monitor.requestRate * 10).rounded() / 10,
            requests: Int64(monitor.registry.value(of: .requests)),
            connections: Int64(monitor.registry.value(of: .connections)),
            memoryBytes: ProcessStatus.anonymousMemory ?? 0, accounts: sizes?.accounts, statuses: sizes?.statuses,
            databaseBytes: sizes?.databaseBytes, fileBytes: sizes?.fileBytes)
    }
}
