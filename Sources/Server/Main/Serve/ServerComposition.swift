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
enum ServerComposition {
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
        let demo = Demo(database: database, blobs: blobs, folder: data.folder)
        if settings.demo { try await demo.fillOnce() }
        database.keepReserve()
        let startup = ServerStartup(settings: settings, demo: demo, logger: logger)
        let monitor = ServerMonitor(registry: registry, database: database, folder: data.folder)
        let inForce = SettingsInForce()
        let services = try makeServices(
            settings, inForce, database: database, blobs: blobs, monitor: monitor, startup: startup, logger: logger)
        let emoji = EmojiReload(
            services.emoji, folder: data.folder, changes: ChangeLogStore(database), logger: logger)
        try await emoji.load()
        let wellKnown = settings.wellKnownFolder.map { WellKnownReload(services.wellKnown, path: $0, logger: logger) }
        try await wellKnown?.load()
        try settings.socket?.removeStale()
        defer { settings.socket?.remove() }
        let listeners = makeListeners(settings, services, certificates, startup: startup, logger: logger)
        let watchers = certificates.map { [CertificateReload(certificates: $0, logger: logger)] } ?? []
        let follower = ChangeLogFollower(
            changes: services.stores.changes, login: services.login.passwords, log: database.log, monitor: monitor,
            logger: logger)
        let maintenance =
            MaintenanceTask.shared(services, database, logger: logger)
            + MaintenanceTask.own(services, database, monitor, logger: logger)
        let publisher = ScheduledPublisher(
            scheduling: { services.scheduling }, database: database, logger: logger)
        let stats = StatsServer.make(
            database, folder: data.folder, monitor: monitor, startup: startup, logger: logger)
        do {
            // Services are stopped in reverse order.
            try await ServerLifecycle.run(
                [follower, publisher] + maintenance + watchers + stats
                    + [
                        listeners,
                        StreamService(publisher: services.publisher(logger: logger), streams: services.streams),
                        ShutdownNotice(readiness: monitor.readiness, log: database.log),
                    ],
                reload: [reload(services, inForce, logger, resolve), emoji.action]
                    + (wellKnown.map { [$0.action] } ?? [])
                    + watchers.map(\.reload), on: hangups, logger: logger)
        } catch {
            throw startup.failure ?? ListenFailure.explain(error, settings)
        }
        if let failure = startup.failure { throw failure }
    }

    private static func reload(
        _ services: Services, _ inForce: SettingsInForce, _ logger: Logger,
        _ resolve: @escaping @Sendable () throws -> ServeSettings
    ) -> ReloadAction {
        SettingsReload(inForce, logger: logger, resolve: resolve) { settings in
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
        monitor: ServerMonitor, startup: ServerStartup, logger: Logger
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
                reader: try WebReader(
                    settings: reloadable, files: EmbeddedReader.files, folder: settings.publicFolder),
                version: FeedserverCommand.version, formKey: database.formKey, feedID: database.feedID,
                settings: reloadable),
            clock: .system, log: database.log, enforcesRateLimits: settings.enforcesRateLimits)
        services.monitoring = monitor.monitoring(settings.monitoring)
        services.monitoring.settings = {
            inForce.shown(registration: reloadable.registration, monitoring: settings.monitoring)
        }
        services.monitoring.load = {
            await ServerStats.collect(monitor, database, startup).page
        }
        services.processing = MediaPool.serving(blobs, logger: logger)
        return services
    }

    /// The servers of the TCP port, of the Unix socket, which has no TLS, and of the port that redirects to https.
    private static func makeListeners(
        _ settings: ServeSettings, _ services: Services, _ certificates: TLSCertificates?, startup: ServerStartup,
        logger: Logger
    ) -> Listeners {
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
                try? await AcceptBackoff.install(on: channel, logger: logger, onLoss: startup.listenerFailed)
                await startup.run(channel)
            }
        }
        if let port = settings.tls?.redirectPort {
            servers.append(
                RedirectServer(settings, services, port: port, limiter: limiter, startup: startup, logger: logger))
        }
        return Listeners(servers: servers)
    }
}

/// The servers of all listening sockets. As one service, they stop accepting connections at the same time, and have the
/// same time to finish their requests.
struct Listeners: Service {
    let servers: [any Service]

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for server in servers { group.addTask { try await server.run() } }
        }
    }
}

/// The queue of connections waiting to be accepted.
enum ListenQueue {
    /// The maximum allowed by the system. In a burst, clients whose connection does not fit retry only after a second.
    static var maximum: Int {
        let text = try? String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 4096
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

/// The plain HTTP port that redirects to https.
struct RedirectServer: Service {
    private let server: HTTPServer
    private let settings: ServeSettings
    private let port: Int

    /// - Parameters:
    ///   - port: The plain HTTP port.
    ///   - limiter: Counts its connections together with the connections of the other ports.
    init(
        _ settings: ServeSettings, _ services: Services, port: Int, limiter: ConnectionLimiter, startup: ServerStartup,
        logger: Logger
    ) {
        self.settings = settings
        self.port = port
        let redirect = HTTPSRedirect(
            configured: settings.baseURL, challenges: settings.tls?.acmeFolder.map { ACMEChallenges(folder: $0) },
            port: { startup.port ?? settings.port })
        server = HTTPServer(
            RequestHandler(redirect, services), limiter: limiter, address: .tcp(host: settings.host, port: port),
            backlog: ListenQueue.maximum
        ) { channel in
            // Fails only if the server is already stopping.
            try? await AcceptBackoff.install(on: channel, logger: logger, onLoss: startup.listenerFailed)
            await startup.redirectIsBound(channel)
        }
    }

    func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            var settings = settings
            (settings.port, settings.tls) = (port, nil)
            throw ListenFailure.explain(error, settings, option: "--redirect-port")
        }
    }
}
