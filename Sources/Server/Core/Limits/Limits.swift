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
