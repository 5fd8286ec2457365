import FeedCore
import Logging
import Synchronization

/// Reads the configuration file again and applies what can change while the server runs.
final class SettingsReload: Sendable {
    private let resolve: @Sendable () throws -> ServeSettings
    private let apply: @Sendable (ServeSettings) -> Void
    private let logger: Logger
    private let inForce: Mutex<[EffectiveSetting]>

    var action: ReloadAction { ReloadAction { self.run() } }

    /// - Parameters:
    ///   - resolve: Combines the options with the current ``ServerEnvironment``.
    ///   - apply: Applies the settings that can change.
    init(
        logger: Logger, resolve: @escaping @Sendable () throws -> ServeSettings,
        apply: @escaping @Sendable (ServeSettings) -> Void
    ) {
        self.logger = logger
        self.resolve = resolve
        self.apply = apply
        inForce = Mutex(EffectiveSetting.current)
    }

    private func run() {
        do {
            apply(try ServerEnvironment.reload(resolve))
            let summary = inForce.withLock { inForce in
                let change = SettingsChange(from: inForce, to: EffectiveSetting.current)
                inForce = change.inForce
                return change.summary
            }
            logger.notice("\(summary)")
        } catch {
            logger.error("cannot reload the settings; the old ones stay in force: \(error)")
        }
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
