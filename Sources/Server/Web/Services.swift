package import FeedCore
package import FeedFiles
import Hummingbird

/// Everything the faces need, made by `main` and handed in.
package struct Services: Sendable {
    package var accounts: any AccountStoring
    package var statuses: any StatusStoring
    package var follows: any FollowStoring
    package var relationships: any RelationshipStoring
    package var blocks: any BlockStoring
    package var mutes: any MuteStoring
    package var notifications: any NotificationStoring
    package var markers: any MarkerStoring
    package var search: any SearchStoring
    package var applications: any ApplicationStoring
    package var files: any FileStoring
    package var blobs: BlobStore
    package var changes: any ChangeLog
    package var log: LogPosition
    /// Pages of timelines as they went out.
    package let pages: ChangeLogCache<PageKey, CachedPage>
    package var login: Login
    package var tokens: AccessTokens
    package var grants: Grants
    package var posting: Posting
    package var limits: Limits
    package var clock: WallClock
    package var baseURL: BaseURL
    package var reader: WebReader
    package var allowsAnonymousUploads: Bool
    package var version: String
    /// `nil` where people cannot make accounts for themselves.
    package var registration: Registration?
    /// `nil` where requests are not limited.
    package var rates: RateLimiter?

    package init(
        accounts: any AccountStoring, statuses: any StatusStoring, follows: any FollowStoring,
        relationships: any RelationshipStoring, blocks: any BlockStoring, mutes: any MuteStoring,
        notifications: any NotificationStoring, markers: any MarkerStoring, search: any SearchStoring,
        applications: any ApplicationStoring, files: any FileStoring, blobs: BlobStore,
        changes: any ChangeLog, log: LogPosition, login: Login, tokens: AccessTokens, grants: Grants, posting: Posting,
        limits: Limits,
        clock: WallClock, baseURL: BaseURL, reader: WebReader, allowsAnonymousUploads: Bool, version: String,
        registration: Registration? = nil, rates: RateLimiter? = nil
    ) {
        self.accounts = accounts
        self.statuses = statuses
        self.follows = follows
        self.relationships = relationships
        self.blocks = blocks
        self.mutes = mutes
        self.notifications = notifications
        self.markers = markers
        self.search = search
        self.applications = applications
        self.files = files
        self.blobs = blobs
        self.changes = changes
        self.log = log
        pages = ChangeLogCache(log: log, limit: limits.pageCacheBytes)
        self.login = login
        self.tokens = tokens
        self.grants = grants
        self.posting = posting
        self.limits = limits
        self.clock = clock
        self.baseURL = baseURL
        self.reader = reader
        self.allowsAnonymousUploads = allowsAnonymousUploads
        self.version = version
        self.registration = registration
        self.rates = rates
    }
}

extension Services {
    /// What writes entities in an answer to `request`.
    func entities(for request: Request) throws -> EntityContext { EntityContext(base: try baseURL.text(for: request)) }
}
