import FeedAPI
import FeedCore
import FeedFiles
import FeedStore
import FeedWeb
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// Reads the custom emoji from the data folder, at the start and on SIGHUP.
struct EmojiReload: Sendable {
    private static let folder = "emoji"
    /// The number of skipped files that are named in the log.
    private static let maximumNamed = 5

    private let catalog: EmojiCatalog
    private let path: String
    private let changes: ChangeLogStore
    private let logger: Logger

    /// - Parameter folder: The data folder.
    init(_ catalog: EmojiCatalog, folder: String, changes: ChangeLogStore, logger: Logger) {
        self.catalog = catalog
        path = folder + "/" + Self.folder
        self.changes = changes
        self.logger = logger
    }

    var action: ReloadAction { ReloadAction { await reload() } }

    /// Reads the emoji before any page is served.
    func load() async throws { _ = try await read() }

    private func reload() async {
        do {
            guard try await read() else { return }
            try await changes.recordEmojiChange()
            logger.notice("custom emoji reloaded", metadata: ["count": "\(catalog.current.all.count)"])
        } catch {
            logger.error("cannot reload the custom emoji", metadata: ["error": "\(error)"])
        }
    }

    /// - Returns: Whether anything changed.
    private func read() async throws -> Bool {
        let folder = try await NIOSingletons.posixBlockingThreadPool.runIfActive { [path] in EmojiFolder(path) }
        report(folder.skipped)
        return catalog.replace(with: folder.emoji)
    }

    private func report(_ skipped: [EmojiFolder.Skipped]) {
        guard !skipped.isEmpty else { return }
        var examples = skipped.prefix(Self.maximumNamed).map { "\($0.name.prefix(100)): \($0.reason)" }
        if skipped.count > examples.count { examples.append("…") }
        logger.warning(
            "some custom emoji are skipped",
            metadata: ["count": "\(skipped.count)", "files": "\(examples.joined(separator: "; "))"])
    }
}

/// Reads the folder of `--well-known`, at the start and on SIGHUP.
struct WellKnownReload: Sendable {
    private let catalog: WellKnownCatalog
    private let path: String
    private let logger: Logger

    init(_ catalog: WellKnownCatalog, path: String, logger: Logger) {
        self.catalog = catalog
        self.path = path
        self.logger = logger
    }

    var action: ReloadAction {
        ReloadAction {
            do {
                try await load()
                logger.notice(
                    "files of --well-known reloaded", metadata: ["count": "\(catalog.current.files.count)"])
            } catch {
                logger.error("cannot reload the files of --well-known; the old ones stay: \(error)")
            }
        }
    }

    /// - Throws: ``FeedError`` if the folder cannot be read.
    func load() async throws {
        do {
            let folder = try await NIOSingletons.posixBlockingThreadPool.runIfActive { [path] in
                try WellKnownFolder(path)
            }
            for file in folder.skipped.prefix(5) {
                logger.warning(
                    "a file of --well-known is skipped",
                    metadata: ["file": "\(file.name.prefix(100))", "reason": "\(file.reason)"])
            }
            catalog.replace(with: folder)
        } catch {
            throw FeedError(
                .storage, "cannot read the folder \(path)", hint: "Check --well-known DIR.", cause: error)
        }
    }
}

/// Reads the configuration file again and applies what can change while the server runs.
final class SettingsReload: Sendable {
    private let resolve: @Sendable () throws -> ServeSettings
    private let apply: @Sendable (ServeSettings) -> Void
    private let inForce: SettingsInForce
    private let logger: Logger

    var action: ReloadAction { ReloadAction { self.run() } }

    /// - Parameters:
    ///   - resolve: Combines the options with the current ``ServerEnvironment``.
    ///   - apply: Applies the settings that can change.
    init(
        _ inForce: SettingsInForce, logger: Logger, resolve: @escaping @Sendable () throws -> ServeSettings,
        apply: @escaping @Sendable (ServeSettings) -> Void
    ) {
        self.inForce = inForce
        self.logger = logger
        self.resolve = resolve
        self.apply = apply
    }

    private func run() {
        do {
            apply(try ServerEnvironment.reload(resolve))
            logger.notice("\(inForce.change(to: EffectiveSetting.current).summary)")
        } catch {
            logger.error("cannot reload the settings; the old ones stay in force: \(error)")
        }
    }
}

/// The settings that the running server uses.
final class SettingsInForce: Sendable {
    private let settings = Mutex(EffectiveSetting.current)

    /// Replaces the settings that can change while the server runs.
    func change(to new: [EffectiveSetting]) -> SettingsChange {
        settings.withLock { settings in
            let change = SettingsChange(from: settings, to: new)
            settings = change.inForce
            return change
        }
    }

    /// The settings as `--show-config` prints them.
    func shown(registration: RegistrationPolicy, monitoring: MonitoringSettings) -> [EffectiveSetting] {
        EffectiveSetting.shown(
            settings.withLock { $0 }, registration: registration, monitoring: monitoring)
    }
}

extension ServeSettings {
    /// The settings that can change while the server runs.
    var reloadable: ReloadableSettings.Values {
        var values = ReloadableSettings.Values()
        if let rateLimit { values.limits.setRequests(rateLimit) }
        file?.apply(to: &values.limits)
        values.limits.fileBytes = maximumFileBytes ?? values.limits.fileBytes
        values.limits.accountBytes = quotaBytes
        values.site = file?.site ?? values.site
        values.proxies = proxies
        values.registration = registration
        values.allowsAnonymousUploads = allowsAnonymousUploads
        values.servesFeeds = servesFeeds
        return values
    }
}

/// Loads the certificate again when its files change, or on SIGHUP.
struct CertificateReload: Service {
    private static let interval = Duration.seconds(2)

    let certificates: TLSCertificates
    let logger: Logger

    func run() async throws {
        logExpired()
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: Self.interval)
                await load { certificates.reloadIfChanged() }
            }
        }
    }

    /// Loads the certificate on SIGHUP.
    var reload: ReloadAction { ReloadAction { await load { certificates.reload() } } }

    private func load(_ body: @escaping @Sendable () -> TLSCertificates.Outcome?) async {
        // Reads the disk.
        let outcome = try? await NIOSingletons.posixBlockingThreadPool.runIfActive(body)
        if let outcome = outcome.flatMap(\.self) { log(outcome) }
    }

    private func log(_ outcome: TLSCertificates.Outcome) {
        switch outcome {
        case .loaded(let expires):
            logger.notice("loaded the certificate", metadata: ["expires": "\(Self.text(expires))"])
            logExpired()
        case .kept(let error):
            logger.error(
                "cannot load the new certificate; the previous one stays in use", metadata: ["error": "\(error)"])
        }
    }

    private func logExpired() {
        let expires = certificates.expires
        guard expires <= WallClock.system.now() / 1000 else { return }
        logger.warning("the certificate has expired", metadata: ["expires": "\(Self.text(expires))"])
    }

    private static func text(_ seconds: Int64) -> String {
        ISO8601.text(milliseconds: seconds.multipliedReportingOverflow(by: 1000).partialValue)
    }
}
