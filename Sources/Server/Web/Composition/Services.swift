package import FeedCore
package import FeedFiles
package import FeedStore
package import Foundation

/// The parts of the server that its interfaces share. Whoever composes the server fills it in; each controller and the
/// publisher of the streams then get only what they use (``endpoints()``, ``publisher(logger:)``).
package struct Services: Sendable {
    package var stores: Stores
    package var blobs: BlobStore
    package var login: LoginServices
    package var site: Site
    package var clock: WallClock
    package var log: RecentChanges
    /// `nil` without rate limits.
    package var rates: RateLimiter?
    /// Processes uploaded media; `nil` if the server does not accept any.
    package var processing: (any MediaProcessing)?
    /// Media that is still being processed after the response to its upload.
    package var mediaQueue = MediaQueue()
    /// Limits the database reads of a client that run at the same time.
    let reads = ConcurrencyLimiter(.reads)
    /// The custom emoji.
    package var emoji = EmojiCatalog()
    /// The operator's files at `/.well-known/NAME`.
    package var wellKnown = WellKnownCatalog()
    /// Access log, metrics and readiness.
    package var monitoring = Monitoring()
    /// The open streams.
    package var streams: StreamRegistry
    /// Rendered pages of the web reader.
    let html: PageCache
    /// Encoded pages of the API.
    package let pages: PageCache
    /// The filters of accounts.
    let filters: FilterCache
    let timelineSources: HomeTimelineCache
    private let encodedStatuses: ChangeLogCache<StatusJSONCache.Key, StatusTemplate>

    package init(
        stores: Stores, blobs: BlobStore, login: LoginServices, site: Site, clock: WallClock, log: RecentChanges,
        enforcesRateLimits: Bool = false
    ) {
        let limits = site.settings.limits
        let caches = limits.caches
        self.stores = stores
        self.blobs = blobs
        self.login = login
        self.site = site
        self.clock = clock
        self.log = log
        streams = StreamRegistry(log: log)
        rates = enforcesRateLimits ? RateLimiter(limits: limits, clock: clock) : nil
        html = PageCache(log: log, limit: caches[.html], name: "html")
        pages = PageCache(log: log, limit: caches[.pages], name: "pages")
        filters = FilterCache(
            store: stores.filters, cache: ChangeLogCache(log: log, limit: caches[.filters], name: "filters"),
            clock: clock)
        timelineSources = HomeTimelineCache(
            timelines: stores.timelines, lists: stores.lists,
            homes: ChangeLogCache(log: log, limit: caches[.homeAuthors], name: "home_authors"))
        encodedStatuses = ChangeLogCache(log: log, limit: caches[.statuses], name: "statuses")
    }

    /// The current limits.
    package var limits: Limits { site.settings.limits }

    package var posting: StatusPosting { publishing.posting(on: site.baseURL.configuredHost) }
    package var scheduling: ScheduledStatusPublishing { publishing.scheduling(on: site.baseURL.configuredHost) }

    var publishing: StatusPublishing {
        StatusPublishing(
            accounts: stores.accounts, statuses: stores.statuses, schedules: stores.scheduledStatuses,
            settings: site.settings, clock: clock)
    }

    /// The encoded statuses of timelines.
    var templates: StatusJSONCache {
        StatusJSONCache(timelines: stores.timelines, contexts: contexts, cache: encodedStatuses, log: log)
    }

    var contexts: EntityContexts { EntityContexts(baseURL: site.baseURL, emoji: emoji, filters: filters) }
}

/// The operator's settings for the whole site.
package struct Site: Sendable {
    package var baseURL: BaseURL
    package var assets: PageAssets
    package var version: String
    /// The key that authenticates forms.
    package var formKey: Data
    /// The random id of the feed, which backups and copies keep.
    package var feedID: UUID
    /// The settings that can change while the server runs.
    package var settings: ReloadableSettings

    package init(
        baseURL: BaseURL, assets: PageAssets, version: String, formKey: Data, feedID: UUID,
        settings: ReloadableSettings
    ) {
        self.baseURL = baseURL
        self.assets = assets
        self.version = version
        self.formKey = formKey
        self.feedID = feedID
        self.settings = settings
    }
}

/// Access log, metrics and readiness, and what the operator's pages show of the server.
package struct Monitoring: Sendable {
    /// `nil` without an access log.
    package var accessLog: AccessLog?
    /// `nil` if `/metrics` is not available.
    package var metrics: MetricsExport?
    package var readiness = Readiness(clock: WallClock { 0 })
    package var failedLogins = FailedLogins()
    /// The settings in force, without secrets.
    package var settings: @Sendable () -> [EffectiveSetting] = { [] }
    /// The figures of `feedserver stats` about this server.
    package var load: @Sendable () async -> [(label: String, text: String)] = { [] }

    package init() {}
}
