/// All limits on requests and stored content.
package struct Limits: Sendable {
    /// The maximum number of pinned statuses per account. Not configurable, because the store enforces it, too.
    package static let pinnedStatuses = 5
    /// The maximum length of the city of an account, which only imports set.
    package static let cityCharacters = 100
    /// The maximum size in bytes of a refused form that a page reads nevertheless, so that the browser shows the reason.
    package static let refusedFormBytes: Int64 = 64 << 20
    /// The maximum length of a status and its content warning in grapheme clusters. A link counts as ``linkLength``.
    package var statusCharacters = 500
    package var linkLength = 23
    /// The maximum size of a status and its content warning in bytes.
    package var statusBytes = 20_000
    /// The maximum size in bytes of the HTML of a status, in which each link appears twice and is escaped.
    package var statusHTMLBytes = 64 * 1024
    package var displayNameCharacters = 100
    package var noteBytes = 10_000
    /// The maximum number of profile fields, and the maximum length of their names and values in characters.
    package var profileFields = 4
    /// The maximum number of valid invitations that a member has made; administrators have no limit.
    package var memberInvitations = 0
    package var fieldCharacters = 255
    package var passwordBytes = 1024
    /// The maximum size of a stored file in bytes.
    package var fileBytes: Int64 = 4 << 30
    /// The maximum total size of an account's files in bytes; `nil` for no limit.
    package var accountBytes: Int64?
    /// Attached files, avatars and headers.
    package var media = MediaLimits()
    /// The maximum size of a form or JSON body in bytes.
    package var formBytes = 16 * 1024
    /// The maximum size in bytes of a body with a status or a profile. JSON escapes take up to six bytes per byte.
    package var longFormBytes = 256 * 1024
    /// The default and maximum number of statuses per page.
    package var pageDefault = 20
    package var pageMaximum = 40
    /// The maximum memory of all caches in bytes.
    package var cacheBytes = 192 << 20
    /// Connections, and the requests on them.
    package var connections = ConnectionLimits()
    /// Streams.
    package var streams = StreamLimits()
    /// API requests per account or, for anonymous requests, per address.
    package var requests = RateLimit(300, perSeconds: 300)
    /// Statuses, boosts and reports; follows; and uploads per account. Uploads without a token count against the address.
    package var posts = RateLimit(300, perSeconds: 10_800)
    package var follows = RateLimit(400, perSeconds: 86_400)
    package var uploads = RateLimit(1000, perSeconds: 3600)
    /// Web pages; and requests that are refused or match no endpoint, and have no other limit; per network.
    package var pages = RateLimit(3000, perSeconds: 300)
    package var refusals = RateLimit(300, perSeconds: 300)
    /// Sign-ups and application registrations per address.
    package var accountCreations = RateLimit(5, perSeconds: 1800)
    package var applicationRegistrations = RateLimit(30, perSeconds: 600)
    /// Failed logins in five minutes.
    package var loginFailures = LoginLimits()
    /// The default and maximum number of accounts or notifications per page.
    package var listDefault = 40
    package var listMaximum = 80
    /// The maximum number of ids in one request.
    package var idsMaximum = 200
    /// The number of days for which the change log is kept.
    package var changeDays = 30

    package init() {}

    package var caches: CacheBudget { CacheBudget(total: cacheBytes) }

    /// Sets the number of API requests. More than the default also raises the limits of posts, follows, uploads, pages and
    /// refusals in proportion.
    package mutating func setRequests(_ count: Int) {
        let normal = requests.count
        requests.count = count
        guard count > normal else { return }
        for limit in [\Self.posts, \.follows, \.uploads, \.pages, \.refusals] {
            let (product, overflows) = self[keyPath: limit].count.multipliedReportingOverflow(by: count)
            self[keyPath: limit].count = overflows ? count : product / normal
        }
    }
}

/// The limits of streams.
package struct StreamLimits: Sendable, Equatable {
    /// Open streams of one account. A WebSocket is one stream, however many subscriptions it has.
    package var perAccount = 32
    /// Open streams of one client network.
    package var perAddress = 128
    /// Subscriptions of one WebSocket. Not configurable.
    package static let subscriptions = 64
    /// The rows of the log that a replay reads at most; a position further back counts as too old. Not configurable.
    package static let replayedRows = 20_000
    /// The default and maximum number of changes per page of the change feed. Not configurable.
    package static let pageDefault = 40
    package static let pageMaximum = 200
    /// The rows of the log that are examined for a page of the change feed. Not configurable.
    package static let examinedRows = 1000
    /// The maximum time in seconds for which a request waits for changes. Not configurable.
    package static let waitSeconds = 30

    package init() {}
}

/// The numbers of failed logins that are allowed in a window.
package struct LoginLimits: Sendable, Hashable {
    /// Per account and network.
    package var pair = 10
    /// Per network.
    package var network = 40
    /// Per account.
    package var account = 100

    package init() {}
}

/// The limits of a ``ConcurrencyLimiter``.
package struct ConcurrencyLimits: Sendable {
    /// The work of one owner that runs at the same time.
    package var perOwner = Int.max
    /// The waiting work of one owner. More is refused.
    package var waitingPerOwner = Int.max
    /// The work of all owners that runs at the same time.
    package var total = Int.max
    /// Whether work waits when that of all owners has reached ``total``; it is refused otherwise.
    package var waitsForOthers = false

    package init(
        perOwner: Int = .max, waitingPerOwner: Int = .max, total: Int = .max, waitsForOthers: Bool = false
    ) {
        self.perOwner = perOwner
        self.waitingPerOwner = waitingPerOwner
        self.total = total
        self.waitsForOthers = waitsForOthers
    }
}

extension ConcurrencyLimits {
    /// Database reads of a client.
    package static let reads = ConcurrencyLimits(perOwner: 4, waitingPerOwner: 1000, total: 2000)
    /// Requests of an account that wait for changes.
    package static let waits = ConcurrencyLimits(perOwner: 8, waitingPerOwner: 0, total: 10_000)
    /// Replays of missed events that read the database. SQLite has at least four connections for reading; half of them
    /// remain for requests and live events.
    package static let replays = ConcurrencyLimits(total: 2, waitsForOthers: true)
    /// Uploads of an account that are being processed, so that no account can fill the queue alone.
    package static let media = ConcurrencyLimits(perOwner: 4, waitingPerOwner: 32, total: 2000)
}

/// The limits on media attachments, avatars and headers.
package struct MediaLimits: Sendable, Equatable {
    /// The maximum size of an uploaded image in bytes.
    package var imageBytes = 16 << 20
    /// The maximum size of an uploaded video or audio file in bytes.
    package var videoBytes = 40 << 20
    /// The maximum number of pixels of an image or of a frame of a video.
    package var pixels = 33_000_000
    /// The number of pixels of a thumbnail.
    package var thumbnailPixels = 640 * 360
    /// The maximum number of attachments of a status.
    package var perStatus = 4
    /// The maximum length of a description in characters.
    package var descriptionCharacters = 1500
    /// The maximum size in bytes of an avatar or header. A larger one is replaced by its thumbnail.
    package var profileImageBytes = 1 << 20

    /// The time in milliseconds for which an attachment is kept that belongs to no status.
    package static let unattachedLifetime: Int64 = 86_400_000
    /// The time in milliseconds after which an upload that is still being processed has failed, because the server that
    /// processed it has ended.
    package static let processingTime: Int64 = 600_000

    package init() {}

    /// The maximum size of any upload in bytes.
    package var uploadBytes: Int64 { Int64(max(imageBytes, videoBytes)) }

    /// - Returns: The maximum size in bytes of an upload in a format.
    package func bytes(of format: MediaFormat) -> Int { format.kind == .image ? imageBytes : videoBytes }
}
