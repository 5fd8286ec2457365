import FeedCore
import Foundation
import Logging
import Synchronization
import UnixSignals

/// Reads the configuration file again and applies what can change while the server runs.
final class ConfigurationReload: Sendable {
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

/// The SIGHUP signals since the start of the server. One that arrives before it is ready is applied once it is, instead of
/// ending the process.
struct Hangups: Sendable {
    /// A sequence of its own: a reload must not delay the shutdown.
    let signals: UnixSignalsSequence
    /// The descriptors that were terminals at the start. When the terminal is closed, which also sends SIGHUP, the server
    /// stops.
    let terminals: [Int32]

    /// Traps the signal.
    init() async {
        terminals = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].filter { isatty($0) == 1 }
        signals = await UnixSignalsSequence(trapping: .sighup)
    }
}

/// An action that SIGHUP runs. It logs its own result; after an error, the current values stay in force.
struct ReloadAction: Sendable {
    let run: @Sendable () async -> Void
}
