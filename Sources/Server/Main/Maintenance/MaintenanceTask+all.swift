import FeedCore
import FeedStore
import FeedWeb
import Logging

extension MaintenanceTask {
    /// The tasks that one of the servers of a feed performs.
    static func shared(_ services: Services, _ database: FeedDatabase, logger: Logger) -> [MaintenanceTask] {
        let stores = services.stores
        let tasks: [MaintenanceTask] = [
            .pruneLog(ChangeStore(database), days: services.limits.changeDays, logger: logger),
            .removeExpiredMutes(MuteStore(database), logger: logger),
            .logExpiredFilters(stores.filters, logger: logger),
            .completeRemovals(AccountRemoval(database, pause: .seconds(1)), logger: logger),
            .removeUnusedApplications(stores.tokens, logger: logger), .pruneKeys(stores.statuses, logger: logger),
            .pruneLoginFailures(stores.loginFailures, logger: logger), .collectBlobs(services, logger: logger),
            .removeExpiredSignUps(stores.registrations, logger: logger),
            .removeExpiredMedia(stores.media, logger: logger), .closePolls(stores.polls, logger: logger),
            .findTrends(stores.trends, stores.tags, logger: logger),
            .renewKeys(KeyRenewal(database, pause: .milliseconds(20)), logger: logger),
        ]
        let stills = services.processing.map { MaintenanceTask.makeStills(services, database, $0, logger: logger) }
        return (tasks + (stills.map { [$0] } ?? [])).map { $0.onLeader(of: database) }
    }

    /// The tasks that each server performs.
    static func own(
        _ services: Services, _ database: FeedDatabase, _ monitor: ServerMonitor, logger: Logger
    ) -> [MaintenanceTask] {
        [
            .recordTokenUse(services.stores.tokens, logger: logger),
            .checkPages(database, logger: logger), .returnMemory(logger: logger), monitor.loadTask(logger: logger),
            .processMedia(services.mediaQueue, logger: logger), .reportMissingLibraries(logger: logger),
        ]
    }
}
