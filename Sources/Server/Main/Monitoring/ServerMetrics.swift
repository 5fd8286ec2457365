import CoreMetrics
import FeedCore
import FeedStore
import FeedWeb
import Logging
import ServiceLifecycle
import Synchronization

/// Measures the running server, for `/metrics`, `/ready` and `feedserver stats`.
final class ServerMetrics: Sendable {
    let registry: MetricRegistry
    /// The start time of the server, in milliseconds since 1970.
    let startedAt = WallClock.system.now()
    let hashing = ScryptPool()
    let readiness: Readiness
    private let failedLogins = FailedLogins()
    private let database: FeedDatabase
    private let start = ContinuousClock.now
    private let applied = Atomic<Int64>(0)
    private let droppedLines: Counter
    /// The number of dropped log lines that ``droppedLines`` has counted.
    private let countedLines = Atomic(0)
    private let load = Mutex(EventRate(now: 0))
    private let gauges: [MetricName: Gauge]

    /// - Parameters:
    ///   - registry: The backend of swift-metrics.
    ///   - folder: The data folder.
    init(registry: MetricRegistry, database: FeedDatabase, folder: String) {
        self.registry = registry
        self.database = database
        readiness = Readiness(clock: .system) { try await database.probe(folder: folder) }
        let names: [MetricName] = [
            .commitQueue, .passwordQueue, .logPosition, .logLag, .anonymousMemory, .openFiles, .maximumFiles,
        ]
        gauges = Dictionary(uniqueKeysWithValues: names.map { ($0, Gauge(label: $0.rawValue, factory: registry)) })
        droppedLines = Counter(label: MetricName.droppedLogLines.rawValue, factory: registry)
        droppedLines.increment(by: 0)
        applied.store(database.log.sequence, ordering: .relaxed)
        Gauge(label: MetricName.startTime.rawValue, factory: registry).record(Double(startedAt) / 1000)
        Gauge(
            label: MetricName.build.rawValue,
            dimensions: [("version", FeedserverCommand.version), ("engine", database.engineName.lowercased())],
            factory: registry
        ).record(1)
        for reason in LoginFailure.Reason.allCases { failures(reason).increment(by: 0) }
    }

    /// The monitoring values that the controllers need.
    func monitoring(_ settings: MonitoringSettings) -> Monitoring {
        var monitoring = Monitoring()
        monitoring.accessLog = settings.accessLog.map {
            AccessLog(format: $0, clock: .system, write: LogWriter.shared.add)
        }
        monitoring.metrics = MetricsExport(registry: registry, access: settings.metrics) { [self] in sample() }
        monitoring.readiness = readiness
        monitoring.failedLogins = failedLogins
        return monitoring
    }

    /// Logs and counts a failed login. The name may be a mistyped password of another service, but never a token or a
    /// code, which are not checked here.
    func report(_ failure: LoginFailure, logger: Logger) {
        failures(failure.reason).increment()
        failedLogins.add(failure, at: WallClock.system.now())
        logger.warning(
            // Programs that read the log ban the address of a failed login.
            failure.reason.isRefusal ? "login failed" : "login not checked",
            metadata: [
                "name": "\(LogEscaping.bounded(failure.name, 100))", "from": "\(failure.address)",
                "reason": "\(failure.reason.rawValue)",
            ])
    }

    /// Records the last change that ``ChangeLogPoller`` has applied.
    func followed(to sequence: Int64) { applied.store(sequence, ordering: .relaxed) }

    /// The average number of requests per second in the last minute.
    var requestRate: Double {
        let (count, now) = (Int64(registry.value(of: .requests)), uptime)
        return load.withLock { $0.rate(count, now: now) }
    }

    /// The time since the start in milliseconds.
    var uptime: Int64 { (ContinuousClock.now - start).nanoseconds / 1_000_000 }

    /// Measures the load from time to time.
    func loadTask(logger: Logger) -> MaintenanceTask {
        MaintenanceTask(name: "measure the load", interval: .seconds(5), logger: logger) { [self] in
            let (count, now) = (Int64(registry.value(of: .requests)), uptime)
            load.withLock { $0.add(count, now: now) }
        }
    }

    private func failures(_ reason: LoginFailure.Reason) -> Counter {
        Counter(
            label: MetricName.failedLogins.rawValue, dimensions: [("reason", reason.rawValue)], factory: registry)
    }

    /// Sets the gauges that are only read on request.
    private func sample() {
        let sequence = database.log.sequence
        set(.commitQueue, Int64(database.commits.waiting))
        set(.passwordQueue, Int64(hashing.pending))
        set(.logPosition, sequence)
        set(.logLag, max(0, sequence - applied.load(ordering: .relaxed)))
        // Without a free descriptor, neither can be read; the gauges keep their values.
        if let bytes = ProcessStatus.anonymousMemory { set(.anonymousMemory, bytes) }
        if let count = ProcessStatus.openFiles { set(.openFiles, count) }
        set(.maximumFiles, Int64(FileDescriptorLimit.limit))
        let dropped = LogWriter.shared.dropped
        droppedLines.increment(by: max(0, dropped - countedLines.exchange(dropped, ordering: .relaxed)))
    }

    private func set(_ name: MetricName, _ value: Int64) { gauges[name]?.record(value) }
}

/// Makes `/ready` fail as soon as the server is asked to stop, so that load balancers choose another server, and responds
/// to requests that wait for changes.
struct ShutdownNotice: Service {
    let readiness: Readiness
    let log: RecentChanges

    func run() async throws {
        try? await gracefulShutdown()
        readiness.stop()
        log.endWaiting()
    }
}
