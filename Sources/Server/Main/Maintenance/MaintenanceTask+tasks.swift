import CMemory
import FeedCore
import FeedFiles
import FeedStore
import FeedWeb
import Logging

extension MaintenanceTask {
    /// Drops rows of the change log that are older than they have to be kept.
    static func pruneLog(_ changes: ChangeStore, days: Int, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "prune the change log", interval: .seconds(3600), logger: logger) {
            let limit = WallClock.system.now() - Int64(days) * 86_400_000
            while try await changes.prune(before: limit) > 0 {}
        }
    }

    /// Ends mutes when their time is over, so that the change log says so. Whoever reads in between leaves them out
    /// already.
    static func endMutes(_ mutes: MuteStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "end mutes", interval: .seconds(1), logger: logger) {
            while try await mutes.endExpired() > 0 {}
        }
    }

    /// Removes the blobs of replaced and deleted files, as far as the requests have not done so.
    static func collectBlobs(_ services: Services, logger: Logger) -> MaintenanceTask {
        let collector = BlobCollector(blobs: services.blobs, files: services.stores.files)
        return MaintenanceTask(name: "remove replaced files", interval: .seconds(10), logger: logger) {
            try await collector.collectReplaced()
        }
    }

    /// Keeps space on the disk, so that things can be deleted when it is full.
    static func fillReserve(_ database: FeedDatabase, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "keep space for deleting", interval: .seconds(60), logger: logger) {
            database.fillReserve()
        }
    }

    /// Gives memory back after a burst: the allocator keeps what was freed between things that are still there.
    static func returnMemory(logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "return memory", interval: .seconds(10), logger: logger) {
            if cmemory_unused() > 8 << 20 { cmemory_trim() }
        }
    }

    /// Removes programs that registered and that nobody ever used, and tokens of programs that are not shown any more.
    static func sweepLogins(_ tokens: any TokenStoring, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "remove unused programs", interval: .seconds(3600), logger: logger) {
            try await tokens.sweep()
        }
    }
}
