import CMemory
import FeedAPI
import FeedCore
import FeedFiles
import FeedStore
import FeedWeb
import Logging
import ServiceLifecycle

/// A periodic task that runs until shutdown. A failure is logged, and the task runs again after the interval.
struct MaintenanceTask: Service {
    /// A description of the task that completes the log message "cannot …".
    let name: String
    let interval: Duration
    let logger: Logger
    let operation: @Sendable () async throws -> Void

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    try await operation()
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

extension MaintenanceTask {
    /// The same task, but skipped while another server performs the maintenance.
    func onLeader(of database: FeedDatabase) -> MaintenanceTask {
        MaintenanceTask(name: name, interval: interval, logger: logger) {
            if await database.isLeader() { try await operation() }
        }
    }
}

extension MaintenanceTask {
    /// The tasks that one of the servers of a feed performs.
    static func shared(_ services: Services, _ database: FeedDatabase, logger: Logger) -> [MaintenanceTask] {
        let stores = services.stores
        let tasks: [MaintenanceTask] = [
            .pruneLog(ChangeLogStore(database), days: services.limits.changeDays, logger: logger),
            .removeExpiredMutes(MuteStore(database), logger: logger),
            .logExpiredFilters(stores.filters, logger: logger),
            .completeRemovals(AccountDeletion(database, pause: .seconds(1)), logger: logger),
            .removeUnusedApplications(stores.tokens, logger: logger), .pruneKeys(stores.statuses, logger: logger),
            .pruneLoginFailures(stores.loginFailures, logger: logger),
            .collectBlobs(GarbageCollector(blobs: services.blobs, files: stores.files), logger: logger),
            .removeExpiredSignUps(stores.registrations, logger: logger),
            .removeExpiredMedia(stores.media, logger: logger), .closePolls(stores.polls, logger: logger),
            .findTrends(stores.trends, stores.tags, logger: logger),
            .renewKeys(KeyNormalization(database, pause: .milliseconds(20)), logger: logger),
            .buildSearch(SearchIndexing(database, pause: .milliseconds(10)), logger: logger),
            .mergeSearch(SearchIndexing(database, pause: .milliseconds(50)), logger: logger),
        ]
        let stills = services.processing.map { MaintenanceTask.makeStills(services, database, $0, logger: logger) }
        return (tasks + (stills.map { [$0] } ?? [])).map { $0.onLeader(of: database) }
    }

    /// The tasks that each server performs.
    static func own(
        _ services: Services, _ database: FeedDatabase, _ monitor: ServerMetrics, logger: Logger
    ) -> [MaintenanceTask] {
        [
            .recordTokenUse(services.stores.tokens, logger: logger),
            .checkPages(database, logger: logger), .returnMemory(logger: logger), monitor.loadTask(logger: logger),
            .processMedia(services.mediaQueue, logger: logger), .reportMissingLibraries(logger: logger),
        ]
    }
}

extension MaintenanceTask {
    /// Deletes expired entries of the change log.
    static func pruneLog(
        _ changes: ChangeLogStore, days: @autoclosure @escaping @Sendable () -> Int, logger: Logger
    ) -> MaintenanceTask {
        MaintenanceTask(name: "prune the change log", interval: .seconds(3600), logger: logger) {
            let limit = WallClock.system.now() - Int64(days()) * 86_400_000
            while try await changes.prune(before: limit) > 0 {}
        }
    }

    /// Deletes expired mutes, so that the change log records their end. Queries already ignore expired mutes.
    static func removeExpiredMutes(_ mutes: MuteStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "delete expired mutes", interval: .seconds(1), logger: logger) {
            while try await mutes.removeExpired() > 0 {}
        }
    }

    /// Closes polls that have ended, also while no server was running. Votes are refused before that already.
    static func closePolls(_ polls: PollStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "close polls", interval: .seconds(1), logger: logger) {
            while try await polls.closeNext() {}
        }
    }

    /// Logs the expiry of filters in the change log. Statuses already ignore expired filters.
    static func logExpiredFilters(_ filters: FilterStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "log expired filters", interval: .seconds(1), logger: logger) {
            while try await filters.logExpired() > 0 {}
        }
    }

    /// Removes idempotency keys that have expired.
    static func pruneKeys(_ statuses: StatusStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "remove expired idempotency keys", interval: .seconds(3600), logger: logger) {
            try await statuses.pruneIdempotencyKeys()
        }
    }

    /// Deletes expired counters of failed logins.
    static func pruneLoginFailures(_ failures: LoginFailureStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "delete expired login failures", interval: .seconds(300), logger: logger) {
            try await failures.prune(now: WallClock.system.now())
        }
    }

    /// Removes sign-ups that have awaited approval for too long, and old invitations.
    static func removeExpiredSignUps(_ registrations: RegistrationStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "remove expired sign-ups", interval: .seconds(3600), logger: logger) {
            try await registrations.removeExpired()
        }
    }

    /// Records the use of applications' own tokens. Every server does this for the requests that it received.
    static func recordTokenUse(_ tokens: TokenStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "record the use of tokens", interval: .seconds(3600), logger: logger) {
            try await tokens.recordUse()
        }
    }

    /// Removes the blobs of replaced and deleted files that the requests themselves have not removed.
    static func collectBlobs(_ collector: GarbageCollector, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "remove replaced files", interval: .seconds(10), logger: logger) {
            try await collector.collectReplaced()
        }
    }

    /// Deletes attachments that were never attached to a status.
    static func removeExpiredMedia(_ media: MediaStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "delete expired attachments", interval: .seconds(60), logger: logger) {
            while try await media.removeExpired() > 0 {}
        }
    }

    /// Computes the trends, and forgets the use of hashtags that no history shows any more.
    static func findTrends(_ trends: TrendStore, _ tags: TagStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "find trends", interval: .seconds(3600), logger: logger) {
            // The first visitors need the disk themselves.
            try await Task.sleep(for: .seconds(Timeout.seconds(30)))
            try await trends.refresh()
            while try await tags.pruneUses() > 0 {}
        }
    }

    /// Renews the keys that an older version has stored, once.
    static func renewKeys(_ normalization: KeyNormalization, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "renew the keys of hashtags", interval: .seconds(600), logger: logger) {
            try await normalization.run()
        }
    }

    /// Indexes statuses that searches do not find yet, for example those of an import.
    static func buildSearch(_ build: SearchIndexing, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "build the search index", interval: .seconds(2), logger: logger) {
            try await build.run()
        }
    }

    /// Removes what is left of deleted words in the search index, once a day.
    static func mergeSearch(_ build: SearchIndexing, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "merge the search index", interval: .seconds(3600), logger: logger) {
            try await build.mergeIfDue()
        }
    }

    /// Processes media after the responses to their uploads. Every server does this for the uploads that it received.
    static func processMedia(_ queue: MediaQueue, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "process media", interval: .seconds(1), logger: logger) { await queue.run() }
    }

    /// Makes still images of animated avatars and headers that older versions have stored.
    static func makeStills(
        _ services: Services, _ database: FeedDatabase, _ processing: any MediaProcessing, logger: Logger
    ) -> MaintenanceTask {
        MaintenanceTask(name: "make still images of pictures", interval: .seconds(3600), logger: logger) {
            let stills = StillPictures(
                accounts: AccountStore(database), files: FileStore(database), blobs: services.blobs,
                processing: processing, limits: services.limits.media)
            try await stills.complete()
        }
    }

    /// Completes the deletion of accounts that a moderator started, or that was interrupted.
    static func completeRemovals(_ removal: AccountDeletion, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "complete the removal of accounts", interval: .seconds(2), logger: logger) {
            for account in try await removal.pending() {
                do {
                    _ = try await removal.complete(account)
                } catch  where !Task.isCancelled {
                    // The others must not wait for one that fails.
                    logger.error(
                        "cannot complete the removal of an account",
                        metadata: ["account": "\(account)", "error": "\(error)"])
                }
            }
        }
    }

    /// Checks all pages of the database, because only small ones are checked before the server starts.
    static func checkPages(_ database: FeedDatabase, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "check the database", interval: .seconds(86_400), logger: logger) {
            // The first visitors need the disk themselves.
            try await Task.sleep(for: .seconds(Timeout.seconds(30)))
            try await database.checkPages()
        }
    }

    /// Returns unused memory to the system, which the allocator does not do on its own after a burst.
    static func returnMemory(logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "return memory", interval: .seconds(10), logger: logger) {
            if cmemory_unused() > 8 << 20 { cmemory_trim() }
        }
    }

    /// Removes registered applications that were never used, and applications' own tokens that have not been used for a
    /// long time.
    static func removeUnusedApplications(_ tokens: TokenStore, logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "remove unused applications", interval: .seconds(3600), logger: logger) {
            try await tokens.sweep()
        }
    }
}
