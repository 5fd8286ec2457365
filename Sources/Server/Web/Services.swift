import FeedAPI
package import FeedCore
package import FeedFiles
package import FeedStore
package import Foundation
import NIOCore

/// The dependencies of all controllers.
package struct Services: Sendable {
    package var stores: Stores
    package var blobs: any BlobStoring
    package var login: LoginServices
    package var site: Site
    package var clock: WallClock
    package var log: LogPosition
    /// `nil` without rate limits.
    package var rates: RateLimiter?
    /// Processes uploaded media; `nil` if the server does not accept any.
    package var processing: (any MediaProcessing)?
    /// Media that is still being processed after the response to its upload.
    package var mediaQueue = MediaQueue()
    /// Limits the database reads of a client that run at the same time.
    let reads = ConcurrencyLimiter(ConcurrencyLimits(perOwner: 4, waitingPerOwner: 1000, total: 2000))
    /// Limits the requests of an account that wait for changes.
    let waits = ConcurrencyLimiter(ConcurrencyLimits(perOwner: 8, waitingPerOwner: 0, total: 10_000))
    /// Limits the processes per account, so that no account can fill the queue alone.
    let mediaTurns = ConcurrencyLimiter(ConcurrencyLimits(perOwner: 4, waitingPerOwner: 32, total: 2000))
    /// The custom emoji.
    package var emoji = EmojiCatalog()
    /// Access log, metrics and readiness.
    package var monitoring = Monitoring()
    /// The open streams.
    package var streams: OpenStreams
    let pictures: PictureCache
    /// The accounts whose pictures are shown, by name (``Username/key(_:)``).
    let pictureOwners: ChangeLogCache<String, PictureOwner>
    /// The statistics of the instance endpoints, by day.
    let counts: ChangeLogCache<Int64, InstanceCounts>
    /// Rendered pages of the web reader.
    let html: PageCache
    /// Encoded pages of the API.
    package let pages: PageCache
    /// The filters of accounts.
    let filterSets: ChangeLogCache<Int64, FilterSet>
    let homeSources: HomeSources

    package init(
        stores: Stores, blobs: any BlobStoring, login: LoginServices, site: Site, clock: WallClock, log: LogPosition,
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
        streams = OpenStreams(log: log)
        rates = enforcesRateLimits ? RateLimiter(limits: limits, clock: clock) : nil
        pictures = PictureCache(limit: caches[.pictures] / 4 * 3)
        pictureOwners = ChangeLogCache(log: log, limit: caches[.pictures] / 4, name: "picture_owners")
        // A few hundred bytes.
        counts = ChangeLogCache(log: log, limit: 4, name: "counts")
        html = PageCache(log: log, limit: caches[.html], name: "html")
        pages = PageCache(log: log, limit: caches[.pages], name: "pages")
        filterSets = ChangeLogCache(log: log, limit: caches[.filters], name: "filters")
        homeSources = HomeSources(
            statuses: stores.statuses,
            cache: ChangeLogCache(log: log, limit: caches[.homeAuthors], name: "home_authors"))
    }

    /// The current limits.
    package var limits: Limits { site.settings.limits }

    package var posting: StatusPosting { posting(on: site.baseURL.configuredHost) }

    /// - Parameter host: The host of this server, which mentions may contain.
    func posting(on host: String?) -> StatusPosting {
        StatusPosting(accounts: stores.accounts, statuses: stores.statuses, limits: limits, host: host)
    }
}

/// The operator's settings for the whole site.
package struct Site: Sendable {
    package var baseURL: BaseURL
    package var reader: WebReader
    package var version: String
    /// The key that authenticates forms.
    package var formKey: Data
    /// The random id of the feed, which backups and copies keep.
    package var feedID: UUID
    /// The settings that can change while the server runs.
    package var settings: ReloadableSettings

    package init(
        baseURL: BaseURL, reader: WebReader, version: String, formKey: Data, feedID: UUID,
        settings: ReloadableSettings
    ) {
        self.baseURL = baseURL
        self.reader = reader
        self.version = version
        self.formKey = formKey
        self.feedID = feedID
        self.settings = settings
    }

    package var description: SiteDescription { settings.site }
    package var proxies: TrustedProxies { settings.proxies }
    package var allowsAnonymousUploads: Bool { settings.allowsAnonymousUploads }
}

extension Services {
    /// The host of this server as the client sees it, with the port if it is part of the address.
    func host(for request: Request) throws(FeedError) -> String { BaseURL.host(try site.baseURL.text(for: request)) }

    /// The context in which a response to `request` writes its entities.
    func entities(for request: Request) throws -> EntityContext {
        entities(base: try site.baseURL.text(for: request))
    }

    /// The context in which a response writes its entities.
    /// - Parameter base: This server's address without a trailing slash.
    func entities(base: String) -> EntityContext {
        EntityContext(base: base, emoji: emoji.current)
    }
}

/// The context in which a response writes Mastodon API entities; created per response, since URLs depend on the
/// request.
struct EntityContext: Sendable {
    /// This server's address without a trailing slash.
    let base: String
    /// The custom emoji that texts may contain.
    let emoji: EmojiSet
    /// The filters that mark the statuses of the response.
    var filters = ViewerFilters.none
}
