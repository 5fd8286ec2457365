import Synchronization

/// The settings that can change while the server runs (SIGHUP). Reading one takes a lock for a moment.
package final class ReloadableSettings: Sendable {
    package struct Values: Sendable {
        package var limits = Limits()
        package var site = SiteDescription()
        package var proxies = TrustedProxies()
        package var registration = RegistrationPolicy()
        package var allowsAnonymousUploads = false

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

    /// The number of replacements so far. What was computed from the settings is up to date as long as it is the same.
    package var revision: Int { current.revision }
    package var limits: Limits { current.values.limits }
    package var site: SiteDescription { current.values.site }
    package var proxies: TrustedProxies { current.values.proxies }
    package var registration: RegistrationPolicy { current.values.registration }
    /// Whether uploads without a login are allowed at `/FileUpload.aspx`.
    package var allowsAnonymousUploads: Bool { current.values.allowsAnonymousUploads }

    package func replace(with values: Values) {
        snapshot.withLock { $0 = Snapshot(values, revision: $0.revision + 1) }
    }

    private var current: Snapshot { snapshot.withLock { $0 } }
}
