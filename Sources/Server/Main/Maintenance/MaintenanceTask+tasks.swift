import CMemory
import FeedCore
import FeedStore
import Logging

extension MaintenanceTask {
    /// Deletes expired entries of the change log.
    static func pruneLog(_ changes: ChangeStore, days: Int, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "prune the change log", interval: .seconds(3600), logger: logger) {
            let limit = WallClock.system.now() - Int64(days) * 86_400_000
            while try await changes.prune(before: limit) > 0 {}
        }
    }

    /// Deletes expired mutes, so that the change log records their end. Queries already ignore expired mutes.
    static func endMutes(_ mutes: MuteStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "delete expired mutes", interval: .seconds(1), logger: logger) {
            while try await mutes.endExpired() > 0 {}
        }
    }

    /// Reserves disk space, so that content can still be deleted when the disk is full.
    static func fillReserve(_ database: FeedDatabase, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "reserve disk space", interval: .seconds(60), logger: logger) {
            database.fillReserve()
        }
    }

    /// Returns unused memory to the system after a burst, which the allocator does not do by itself.
    static func returnMemory(logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "return memory", interval: .seconds(10), logger: logger) {
            if cmemory_unused() > 8 << 20 { cmemory_trim() }
        }
    }

    /// Removes applications that were registered but never used, and tokens without a user that are no longer used.
    static func sweepLogins(_ tokens: TokenStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "remove unused applications", interval: .seconds(3600), logger: logger) {
            try await tokens.sweep()
        }
    }
}
