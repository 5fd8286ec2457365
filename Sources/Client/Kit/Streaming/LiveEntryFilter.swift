/// Decides which entries of pages and events are new, and up to where pages have been read.
///
/// Every entry of the pages and events is accepted exactly once, whichever of them it comes from. A page is read on
/// `resync`, when the stream is already open, so that nothing is missed in between. Nothing is read ahead: while a page
/// is read, events wait in the buffers of the connection.
struct LiveEntryFilter {
    /// The number of ids to remember: more than the events that arrive while a page is read.
    private static let capacity = 10_000
    /// After this many pages in a row without anything new, the reader has caught up, whatever the server says.
    private static let maximumBarrenPages = 50

    /// The id after which the next page begins; `nil` as long as there is no entry.
    private(set) var cursor: String?
    /// Whether the first page has been read.
    private(set) var hasPage = false
    /// Whether a page must be read before the next event.
    private(set) var isBehind = false

    private var seen: RecentIDs
    /// The oldest entry of the first page, until an event is newer than that page.
    private var floor: String?
    private var barrenPages = 0

    init(capacity: Int = Self.capacity) { seen = RecentIDs(capacity: capacity) }

    /// The stream may have missed something.
    mutating func fallBehind() {
        isBehind = true
        barrenPages = 0
    }

    /// The page could not be read; ``fallBehind()`` follows when it is time to try again.
    mutating func giveUp() { isBehind = false }

    /// The newest page has been read; only called while there is no ``cursor``.
    mutating func readNewest(_ ids: [String]) {
        if !hasPage { floor = ids.last }
        (cursor, hasPage, isBehind) = (ids.first, true, false)
    }

    /// A page after ``cursor`` has been read.
    /// - Parameters:
    ///   - ids: The newest one first.
    ///   - next: The id after which the next page begins, if the server states it.
    mutating func readPage(_ ids: [String], next: String?) {
        let isBarren = ids.allSatisfy(seen.contains)
        barrenPages = isBarren ? barrenPages + 1 : 0
        let next = next ?? ids.first ?? cursor
        isBehind = next != cursor && barrenPages < Self.maximumBarrenPages
        cursor = next
    }

    /// Whether an entry of a page is new. Entries must be passed from the oldest to the newest.
    mutating func accepts(_ id: String) -> Bool { seen.insert(id) }

    /// Whether the entry of an event is new. If posted while the first page was being read, but older than its
    /// entries, it does not count as new: the page contains the newest ones.
    mutating func accepts(event id: String) -> Bool {
        let isTooOld = floor.map { $0 != id && Self.isNewer($0, than: id) } ?? false
        if cursor.map({ Self.isNewer(id, than: $0) }) != false { (cursor, floor) = (id, nil) }
        return seen.insert(id) && !isTooOld
    }

    /// Ids are numbers, or texts of the same length that sort by time.
    private static func isNewer(_ id: String, than other: String) -> Bool {
        (id.utf8.count, id) > (other.utf8.count, other)
    }
}
