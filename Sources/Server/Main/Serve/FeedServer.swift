import FeedCore
import FeedFiles
import FeedPublic
import FeedStore
import FeedWeb
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Puts the server together and runs it until it is told to stop.
enum FeedServer {
    static func run(_ settings: ServeSettings, folder: String) async throws {
        let logger = Logger(label: "feedserver")
        OpenFiles.raiseLimit()
        let database = try FeedDatabase(
            folder: folder, clock: .system, version: Feedserver.version,
            report: { logger.critical("cannot store anything", metadata: ["error": "\($0)"]) })
        defer { try? database.close() }
        let blobs = try BlobStore(folder: folder, threads: NIOSingletons.posixBlockingThreadPool)
        try await blobs.removeUnfinished()
        let demo = Demo(database: database, blobs: blobs)
        if settings.demo { try await demo.fillOnce() }
        let opening = Opening(settings: settings, demo: demo)
        let services = try makeServices(settings, database: database, blobs: blobs)
        let application = makeApplication(settings, services, opening: opening, logger: logger)
        let follower = ChangeFollower(
            changes: services.stores.changes, login: services.login.passwords, log: database.log, logger: logger)
        let pruning = MaintenanceTask.pruneLog(
            ChangeStore(database), days: services.limits.changeDays, logger: logger)
        let expiry = MaintenanceTask.endMutes(MuteStore(database), logger: logger)
        let sweeping = MaintenanceTask.sweepLogins(services.stores.tokens, logger: logger)
        let collecting = MaintenanceTask.collectBlobs(services, logger: logger)
        let reserving = MaintenanceTask.fillReserve(database, logger: logger)
        let trimming = MaintenanceTask.returnMemory(logger: logger)
        do {
            try await Lifecycle.run(
                [follower, pruning, expiry, sweeping, collecting, reserving, trimming, application], logger: logger)
        } catch {
            throw opening.failure ?? ListenFailure.explain(error, settings)
        }
    }

    private static func makeServices(
        _ settings: ServeSettings, database: FeedDatabase, blobs: BlobStore
    ) throws -> Services {
        var limits = Limits()
        limits.fileBytes = settings.maximumFileBytes ?? limits.fileBytes
        limits.accountBytes = settings.quotaBytes
        limits.requests.count = settings.rateLimit ?? limits.requests.count
        let stores = database.stores
        return Services(
            stores: stores, blobs: blobs,
            login: LoginServices(
                stores: stores, hashing: ScryptPool(), limits: limits, clock: .system, throttles: settings.limitsRates,
                opensRegistration: settings.opensRegistration),
            site: Site(
                baseURL: BaseURL(configured: settings.baseURL, fallback: settings.address(port: settings.port)),
                reader: try WebReader(site: "feedserver", files: EmbeddedReader.files, folder: settings.publicFolder),
                version: Feedserver.version, allowsAnonymousUploads: settings.allowsAnonymousUploads),
            limits: limits, clock: .system, log: database.log, limitsRates: settings.limitsRates)
    }

    private static func makeApplication(
        _ settings: ServeSettings, _ services: Services, opening: Opening, logger: Logger
    ) -> some Service {
        Application(
            responder: RequestTask(FeedRouter.build(services).buildResponder()), server: FeedRouter.server(),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), serverName: "feedserver",
                backlog: ListenQueue.maximum,
                availableConnectionsDelegate: .maximum(OpenFiles.connectionLimit, logger: logger)),
            onServerRunning: { await opening.run($0) }, logger: logger)
    }
}

/// Connections that wait to be accepted.
enum ListenQueue {
    /// As many as the system allows, so that a burst does not have to try again a second later.
    static var maximum: Int {
        let text = try? String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 4096
    }
}

/// File descriptors: as many as the system allows, most of them for connections.
enum OpenFiles {
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Leaves room for the database, for files being sent, and for the runtime.
    static var connectionLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
        return max(64, Int(limit.rlim_cur) / 2 - 64)
    }
}
