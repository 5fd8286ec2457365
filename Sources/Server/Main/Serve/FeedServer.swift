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

/// Assembles the server and runs it until shutdown.
enum FeedServer {
    static func run(_ settings: ServeSettings, folder: String) async throws {
        let logger = Logger(label: "feedserver")
        OpenFiles.raiseLimit()
        let database = try FeedDatabase(
            folder: folder, clock: .system, version: Feedserver.version,
            report: { logger.critical("cannot write to the database", metadata: ["error": "\($0)"]) })
        defer { try? database.close() }
        let blobs = try BlobStore(folder: folder, threads: NIOSingletons.posixBlockingThreadPool)
        try BlobCollector(blobs, grace: 0).sweep()
        let demo = Demo(database: database, blobs: blobs)
        if settings.demo { try await demo.fillOnce() }
        let opening = Opening(settings: settings, demo: demo)
        let tokens = TokenStore(database)
        let services = try makeServices(settings, database: database, blobs: blobs, tokens: tokens)
        let application = makeApplication(settings, services, opening: opening, logger: logger)
        let follower = ChangeFollower(
            changes: services.changes, login: services.login, log: database.log, logger: logger)
        let pruning = MaintenanceTask.pruneLog(
            ChangeStore(database), days: services.limits.changeDays, logger: logger)
        let expiry = MaintenanceTask.endMutes(MuteStore(database), logger: logger)
        let sweeping = MaintenanceTask.sweepLogins(tokens, logger: logger)
        let reserving = MaintenanceTask.fillReserve(database, logger: logger)
        let trimming = MaintenanceTask.returnMemory(logger: logger)
        do {
            try await Lifecycle.run(
                [follower, pruning, expiry, sweeping, reserving, trimming, application], logger: logger)
        } catch {
            throw opening.failure ?? ListenFailure.explain(error, settings)
        }
    }

    private static func makeServices(
        _ settings: ServeSettings, database: FeedDatabase, blobs: BlobStore, tokens: TokenStore
    ) throws -> Services {
        var limits = Limits()
        limits.fileBytes = settings.maximumFileBytes ?? limits.fileBytes
        limits.accountBytes = settings.quotaBytes
        limits.requests.count = settings.rateLimit ?? limits.requests.count
        let hashing = ScryptPool()
        let accounts = AccountStore(database)
        let statuses = StatusStore(database)
        return Services(
            accounts: accounts, statuses: statuses, follows: FollowStore(database),
            relationships: RelationshipStore(database), blocks: BlockStore(database), mutes: MuteStore(database),
            notifications: NotificationStore(database), markers: MarkerStore(database), search: SearchStore(database),
            applications: ApplicationStore(database), files: FileStore(database), blobs: blobs,
            changes: ChangeStore(database), log: database.log,
            login: Login(
                accounts: accounts, hashing: hashing, clock: .system, throttles: settings.limitsRates),
            tokens: AccessTokens(store: tokens),
            grants: Grants(store: GrantStore(database), clock: .system),
            posting: Posting(accounts: accounts, statuses: statuses, limits: limits), limits: limits,
            clock: .system,
            baseURL: BaseURL(configured: settings.baseURL, fallback: settings.address(port: settings.port)),
            reader: try WebReader(site: "feedserver", files: EmbeddedReader.files, folder: settings.publicFolder),
            allowsAnonymousUploads: settings.allowsAnonymousUploads, version: Feedserver.version,
            registration: settings.opensRegistration
                ? Registration(accounts: accounts, hashing: hashing, limits: limits) : nil,
            rates: settings.limitsRates ? RateLimiter(limits: limits, clock: .system) : nil)
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

/// The queue of connections that wait to be accepted.
enum ListenQueue {
    /// The maximum allowed by the system. In a burst, clients whose connection does not fit retry only after a second.
    static var maximum: Int {
        let text = try? String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 4096
    }
}

/// The limit on open file descriptors.
enum OpenFiles {
    /// Raises the soft limit to the hard limit, at most 65,536.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The maximum number of connections; the other descriptors are for the database, files being sent and the runtime.
    static var connectionLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
        return max(64, Int(limit.rlim_cur) / 2 - 64)
    }
}
