/// Every bound on what people may send, in one place.
package struct Limits: Sendable {
    /// Statuses an account may pin. Not for the operator to set, so that storage can hold it, too.
    package static let pinnedStatuses = 5
    /// Graphemes of a status, its content warning included; a link counts as ``linkLength``.
    package var statusCharacters = 500
    package var linkLength = 23
    /// Bytes of a status, its content warning included.
    package var statusBytes = 20_000
    package var displayNameCharacters = 100
    package var noteBytes = 10_000
    package var cityCharacters = 100
    /// Fields of a profile, and characters of each name and value.
    package var profileFields = 4
    package var fieldCharacters = 255
    package var passwordBytes = 1024
    /// Bytes of one stored file.
    package var fileBytes: Int64 = 4 << 30
    /// Bytes of all files of one account; `nil` for no limit.
    package var accountBytes: Int64?
    /// Bytes of a form or a JSON body.
    package var formBytes = 16 * 1024
    /// Bytes of one that holds texts: of a status or a profile, where JSON may take six bytes for one.
    package var longFormBytes = 256 * 1024
    /// Statuses on one page, by default and at most.
    package var pageDefault = 20
    package var pageMaximum = 40
    /// Bytes of the pages of timelines that are kept in memory while nothing changes.
    package var pageCacheBytes = 16 << 20
    /// Requests to the API, per account or, without one, per address.
    package var requests = RateLimit(300, perSeconds: 300)
    /// Accounts people make for themselves, and programs that register, per address.
    package var accountCreations = RateLimit(5, perSeconds: 1800)
    package var applicationRegistrations = RateLimit(30, perSeconds: 600)
    /// Accounts or notifications on one page, by default and at most.
    package var listDefault = 40
    package var listMaximum = 80
    /// Ids that may be asked for at once.
    package var idsMaximum = 200
    /// Days a row of the change log is kept.
    package var changeDays = 30

    package init() {}
}
