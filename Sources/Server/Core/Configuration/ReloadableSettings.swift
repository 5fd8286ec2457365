import Synchronization

/// The settings that can change while the server runs (SIGHUP). Reading one takes a lock briefly.
package final class ReloadableSettings: Sendable {
    package struct Values: Sendable {
        package var limits = Limits()
        package var site = SiteSettings()
        package var proxies = TrustedProxies()
        package var registration = RegistrationPolicy()
        package var allowsAnonymousUploads = false
        package var servesFeeds = true

        package init() {}
    }

    /// Shares the values, so that a reader copies only the values that it needs.
    private final class Snapshot: Sendable {
        let values: Values
        let revision: Int

        init(_ values: Values, revision: Int) {
            self.values = values
            self.revision = revision
        }
    }

    private let snapshot: Mutex<Snapshot>

    package init(_ values: Values = Values()) { snapshot = Mutex(Snapshot(values, revision: 0)) }

    /// The number of replacements so far. Values computed from the settings are up to date as long as it stays the
    /// same.
    package var revision: Int { current.revision }
    package var limits: Limits { current.values.limits }
    package var site: SiteSettings { current.values.site }
    package var proxies: TrustedProxies { current.values.proxies }
    package var registration: RegistrationPolicy { current.values.registration }
    /// Whether uploads without a login are allowed at `/FileUpload.aspx`.
    package var allowsAnonymousUploads: Bool { current.values.allowsAnonymousUploads }
    /// Whether there are feeds for feed readers.
    package var servesFeeds: Bool { current.values.servesFeeds }

    package func replace(with values: Values) {
        snapshot.withLock { $0 = Snapshot(values, revision: $0.revision + 1) }
    }

    private var current: Snapshot { snapshot.withLock { $0 } }
}

/// The changes that a reload makes to the settings.
package struct SettingsChange: Sendable {
    /// The names of the settings that have changed.
    package private(set) var applied: [String] = []
    /// The names of changed settings that take effect only after a restart.
    package private(set) var needRestart: [String] = []
    /// The settings that are in force after the reload.
    package private(set) var inForce: [EffectiveSetting] = []

    /// - Parameters:
    ///   - old: The settings in force.
    ///   - new: The settings that have been read, of the same names in the same order.
    package init(from old: [EffectiveSetting], to new: [EffectiveSetting]) {
        for (old, new) in zip(old, new) {
            let isChanged = old.value != new.value
            if isChanged { if new.reloads { applied.append(new.name) } else { needRestart.append(new.name) } }
            inForce.append(isChanged && !new.reloads ? old : new)
        }
    }

    /// One line for the log.
    package var summary: String {
        let changed = applied.isEmpty ? "nothing has changed" : "changed " + applied.joined(separator: ", ")
        guard !needRestart.isEmpty else { return "reloaded the settings: " + changed }
        return "reloaded the settings: \(changed); restart the server to change " + needRestart.joined(separator: ", ")
    }
}
