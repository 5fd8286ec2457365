import CMemory
import CSandbox
import CoreMetrics
import FeedAPI
import FeedCore
import FeedFiles
import FeedPublic
import FeedStore
import FeedWeb
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Assembles the server and runs it until shutdown.
enum ServerStartup {
    /// - Parameter resolve: The settings after the configuration file has changed.
    static func run(
        _ settings: ServeSettings, data: DataOptions, resolve: @escaping @Sendable () throws -> ServeSettings
    ) async throws {
        let logger = Logger(label: "feedserver")
        let hangups = await Hangups()
        FileDescriptorLimit.raiseLimit()
        FileDescriptorLimit.reserveTimers()
        cmemory_keep(1 << 20)
        cmemory_uncount_sqlite()
        EventLoopPriority.raise()
        let certificates = try settings.tls.map { try TLSCertificates(certificate: $0.certificate, key: $0.key) }
        let registry = MetricRegistry()
        MetricsSystem.bootstrap(registry)
        let database = try data.open(creating: true, isServing: true, caches: settings.reloadable.limits.caches) {
            logger.critical("cannot store anything", metadata: ["error": "\($0)"])
        }
        defer { try? database.close() }
        logger.notice(
            "starting",
            metadata: [
                "version": "\(FeedserverCommand.version)", "data": "\(data.folder)",
                "database": "\(database.engineName)",
            ])
        let blobs = try BlobStore(
            folder: data.folder, threads: NIOSingletons.posixBlockingThreadPool, requireSpace: database.requireReserve)
        try await blobs.removeUnfinished()
        let demo = DemoFeed(database: database, blobs: blobs, folder: data.folder)
        if settings.demo { try await demo.fillOnce() }
        database.keepReserve()
        let listeners = ServerListeners(settings: settings, demo: demo, logger: logger)
        let monitor = ServerMetrics(registry: registry, database: database, folder: data.folder)
        let inForce = SettingsInForce()
        let services = try makeServices(
            settings, inForce, database: database, blobs: blobs, monitor: monitor, listeners: listeners, logger: logger)
        let emoji = EmojiReload(
            services.emoji, folder: data.folder, changes: ChangeLogStore(database), logger: logger)
        try await emoji.load()
        let wellKnown = settings.wellKnownFolder.map { WellKnownReload(services.wellKnown, path: $0, logger: logger) }
        try await wellKnown?.load()
        try settings.socket?.removeStale()
        defer { settings.socket?.remove() }
        let servers = makeServers(settings, services, certificates, listeners: listeners, logger: logger)
        let watchers = certificates.map { [CertificateReload(certificates: $0, logger: logger)] } ?? []
        let poller = ChangeLogPoller(
            changes: services.stores.changes, login: services.login.passwords, log: database.log, monitor: monitor,
            logger: logger)
        let maintenance =
            MaintenanceTask.shared(services, database, logger: logger)
            + MaintenanceTask.own(services, database, monitor, logger: logger)
        let publisher = ScheduledStatusPublisher(
            scheduling: { services.scheduling }, database: database, logger: logger)
        let stats = StatsServer.make(
            database, folder: data.folder, monitor: monitor, listeners: listeners, logger: logger)
        do {
            // Services are stopped in reverse order.
            try await ServerShutdown.run(
                [poller, publisher] + maintenance + watchers + stats
                    + [
                        servers,
                        StreamService(publisher: services.publisher(logger: logger), streams: services.streams),
                        ShutdownNotice(readiness: monitor.readiness, log: database.log),
                    ],
                reload: [reload(services, inForce, logger, resolve), emoji.action]
                    + (wellKnown.map { [$0.action] } ?? [])
                    + watchers.map(\.reload), on: hangups, logger: logger)
        } catch {
            throw listeners.failure ?? ListenError.explain(error, settings)
        }
        if let failure = listeners.failure { throw failure }
    }

    private static func reload(
        _ services: Services, _ inForce: SettingsInForce, _ logger: Logger,
        _ resolve: @escaping @Sendable () throws -> ServeSettings
    ) -> ReloadAction {
        ConfigurationReload(inForce, logger: logger, resolve: resolve) { settings in
            services.site.settings.replace(with: values(of: settings))
            services.rates?.update(services.limits)
            LogLevel.shared.current = settings.logLevel
        }.action
    }

    private static func values(of settings: ServeSettings) -> ReloadableSettings.Values {
        var values = settings.reloadable
        values.limits.connections.total = FileDescriptorLimit.connectionLimit
        values.limits.connections.extend(to: Int64(Timeout.seconds(0)) * 1000)
        return values
    }

    private static func makeServices(
        _ settings: ServeSettings, _ inForce: SettingsInForce, database: FeedDatabase, blobs: BlobStore,
        monitor: ServerMetrics, listeners: ServerListeners, logger: Logger
    ) throws -> Services {
        let reloadable = ReloadableSettings(values(of: settings))
        let stores = database.stores
        var services = Services(
            stores: stores, blobs: blobs,
            login: LoginServices(
                stores: stores, hashing: monitor.hashing, settings: reloadable, clock: .system,
                throttles: settings.enforcesRateLimits, report: { monitor.report($0, logger: logger) }),
            site: Site(
                baseURL: BaseURL(configured: settings.baseURL, fallback: settings.address(port: settings.port)),
                assets: try PageAssets(
                    settings: reloadable, files: EmbeddedReader.files, folder: settings.publicFolder),
                version: FeedserverCommand.version, formKey: database.formKey, feedID: database.feedID,
                settings: reloadable),
            clock: .system, log: database.log, enforcesRateLimits: settings.enforcesRateLimits)
        services.monitoring = monitor.monitoring(settings.monitoring)
        services.monitoring.settings = {
            inForce.shown(registration: reloadable.registration, monitoring: settings.monitoring)
        }
        services.monitoring.load = {
            await ServerStats.collect(monitor, database, listeners).page
        }
        services.processing = MediaPool.serving(blobs, logger: logger)
        return services
    }

    /// The servers of the TCP port, of the Unix socket, which has no TLS, and of the port that redirects to https.
    private static func makeServers(
        _ settings: ServeSettings, _ services: Services, _ certificates: TLSCertificates?, listeners: ServerListeners,
        logger: Logger
    ) -> ListenerGroup {
        let handler = RequestHandler(services)
        var addresses: [(ListenAddress, TLSCertificates?)] = []
        if settings.listensOnTCP { addresses.append((.tcp(host: settings.host, port: settings.port), certificates)) }
        if let socket = settings.socket { addresses.append((.unix(path: socket.path), nil)) }
        let limiter = ConnectionLimiter(
            limits: services.limits.connections, settings: services.site.settings, logger: logger)
        var servers: [any Service] = addresses.map { address, certificates in
            HTTPServer(
                handler, limiter: limiter, certificates: certificates, address: address, backlog: ListenQueue.maximum
            ) { channel in
                // Fails only if the server is already stopping.
                try? await AcceptBackoff.install(on: channel, logger: logger, onLoss: listeners.listenerFailed)
                await listeners.run(channel)
            }
        }
        if let port = settings.tls?.redirectPort {
            servers.append(
                RedirectServer(settings, services, port: port, limiter: limiter, listeners: listeners, logger: logger))
        }
        return ListenerGroup(servers: servers)
    }
}

/// Runs the publisher of the streams. Its graceful shutdown ends them, so that their clients connect again, to another server
/// or later, and the listening sockets have no connections to wait for.
private struct StreamService: Service {
    let publisher: StreamPublisher
    let streams: StreamRegistry

    func run() async throws {
        // The streams first: a client that reads slowly would delay the end of the publisher.
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await publisher.run() }
        } onGracefulShutdown: { [streams] in
            streams.shutDown()
        }
        streams.shutDown()
    }
}

/// The priority of the threads that answer requests.
private enum EventLoopPriority {
    /// Lets the event loops interrupt threads that compute, such as those that process images. A kernel that refuses it
    /// only answers later.
    static func raise() {
        for loop in NIOSingletons.posixEventLoopGroup.makeIterator() {
            loop.execute { _ = csandbox_shorten_slices() }
        }
    }
}

/// The limit on open file descriptors.
enum FileDescriptorLimit {
    /// Raises the soft limit to the hard limit, at most 65,536.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The soft limit after ``raiseLimit()``.
    static var attainable: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Self.limit }
        return Int(clamping: min(limit.rlim_max, 65_536))
    }

    /// The soft limit.
    static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1152 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Creates libdispatch's timer descriptors now. Later, without a free descriptor, creating one would end the process.
    static func reserveTimers() {
        let soon = DispatchTimeInterval.milliseconds(1)
        DispatchQueue.global().asyncAfter(deadline: .now() + soon) {}
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + soon) {}
    }

    /// The maximum number of connections; the other descriptors are for the database, files being sent and the runtime.
    static var connectionLimit: Int { max(64, limit / 2 - 64) }
}
