import DequeModule
import FeedAPI
import Foundation

/// The newest entries of a timeline and then each new one as it arrives, without gaps or repetitions, even when the
/// connection is lost or the server restarts. The oldest entry comes first.
///
/// The sequence ends only with an error: when the server cannot be reached at first or refuses the account, or with
/// `CancellationError`. Edits and deletions are not part of it; see ``StreamEvents``.
public struct LiveEntries<Entry: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Entry

    /// The number of entries to read when a previously empty timeline may have gained some.
    private static var countAfterGap: Int { 400 }

    let source: LiveSource<Entry>
    /// The number of entries to begin with.
    let count: Int

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: LiveSource<Entry>
        private let count: Int
        private var events: StreamEvents.AsyncIterator
        private var state = LiveEntryFilter()
        /// The rest of a page, the newest entry first.
        private var page: [LiveSource<Entry>.PendingEntry] = []

        fileprivate init(_ source: LiveSource<Entry>, count: Int) {
            (self.source, self.count) = (source, count)
            events = source.events.makeAsyncIterator()
        }

        public mutating func next() async throws -> Entry? {
            while true {
                if let waiting = page.popLast() {
                    if state.accepts(waiting.id), let entry = source.decode(waiting.json) { return entry }
                } else if state.isBehind {
                    try await catchUp()
                } else if let event = try await events.next() {
                    if let entry = received(event.content) { return entry }
                } else {
                    return nil
                }
            }
        }

        private mutating func received(_ content: StreamEvent.Content) -> Entry? {
            if case .resync = content { state.fallBehind() }
            guard let entry = source.entry(content) else { return nil }
            return state.accepts(event: source.id(entry)) ? entry : nil
        }

        /// Reads a page. Temporary failures are thrown only for the first page.
        private mutating func catchUp() async throws {
            do {
                if let cursor = state.cursor {
                    let response = try await source.page(cursor)
                    page = response.entries
                    state.readPage(page.map(\.id), next: response.next)
                } else {
                    page = try await source.newest(state.hasPage ? LiveEntries.countAfterGap : count)
                    state.readNewest(page.map(\.id))
                }
            } catch let error as FeedClientError where state.hasPage && error.isTemporary {
                state.giveUp()
                events.retryResync(after: error)
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source, count: count) }
}

/// The source of live entries.
struct LiveSource<Entry: Sendable>: Sendable {
    /// An entry that is not needed yet. Its JSON takes much less memory than what it is decoded to.
    struct PendingEntry: Sendable {
        let id: String
        let json: [UInt8]
    }

    /// Entries of a timeline, the newest one first.
    struct Page {
        let entries: [PendingEntry]
        /// The id after which the next page begins, if the server states it.
        let next: String?
    }

    let events: StreamEvents
    let id: @Sendable (Entry) -> String
    /// The new entry in an event.
    let entry: @Sendable (StreamEvent.Content) -> Entry?
    /// A number of the newest entries.
    let newest: @Sendable (_ count: Int) async throws -> [PendingEntry]
    /// Decodes the JSON of an entry.
    let decode: @Sendable (_ json: [UInt8]) -> Entry?
    /// The entries that directly follow an id.
    let page: @Sendable (_ after: String) async throws -> Page
}

/// A bounded set of ids. When it is full, it drops the oldest ones.
struct RecentIDs {
    private let capacity: Int
    private var ids: Set<String> = []
    /// The ids in the order of their addition.
    private var order = Deque<String>()

    init(capacity: Int) { self.capacity = max(1, capacity) }

    func contains(_ id: String) -> Bool { ids.contains(id) }

    /// - Returns: Whether the id was not in the set.
    mutating func insert(_ id: String) -> Bool {
        guard ids.insert(id).inserted else { return false }
        order.append(id)
        if order.count > capacity, let oldest = order.popFirst() { ids.remove(oldest) }
        return true
    }
}

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

extension FeedClient {
    /// The number of entries that are read at once after a gap.
    static let entriesPerPage = 40

    /// The newest statuses of a timeline and then each new one as it arrives.
    /// - Parameters:
    ///   - name: The timeline. Servers have no stream for the statuses of an account, which is therefore polled;
    ///     favourites and bookmarks cannot be followed.
    ///   - count: The number of statuses to begin with.
    ///   - onOutage: Called when a lost connection could not be replaced at once.
    /// - Throws: ``FeedClientError``, with the code `.notFound` if the account or list does not exist, and `.usage` if the
    ///   timeline cannot be followed.
    public func liveTimeline(
        _ name: TimelineName, count: Int = 20, onOutage: (@Sendable (FeedClientError?) -> Void)? = nil
    ) async throws -> LiveEntries<TimelineEntry> {
        let path = try await path(of: name)
        let events = StreamEvents(client: self, stream: try await stream(of: name), onOutage: onOutage)
        return LiveEntries(
            source: LiveSource(
                events: events, id: \.status.id, entry: { if case .update(let entry) = $0 { entry } else { nil } },
                newest: { try await waitingStatuses(of: name, count: $0) },
                decode: { json in
                    let status = try? JSONDecoder().decode(Entity.Status.self, from: Data(json))
                    return status.map { TimelineEntry(status: $0, json: json) }
                },
                page: { [path] in try await page(at: path.path, path.query + Self.query(after: $0)) }),
            count: count)
    }

    private func waitingStatuses(
        of name: TimelineName, count: Int
    ) async throws -> [LiveSource<TimelineEntry>.PendingEntry] {
        var waiting: [LiveSource<TimelineEntry>.PendingEntry] = []
        try await readStatuses(of: name, count: count) { page in
            waiting += page.map { LiveSource<TimelineEntry>.PendingEntry(id: $0.status.id, json: $0.json) }
            return true
        }
        return waiting
    }

    /// - Returns: `nil` if servers offer no stream.
    package func stream(of name: TimelineName) async throws -> StreamName? {
        switch name {
        case .home: return .user
        case .public: return .public
        case .local: return .publicLocal
        case .tag(let name): return .hashtag(name)
        case .list(let list): return .list(try await self.list(named: list).id)
        case .account: return nil
        case .favourites, .bookmarks:
            throw FeedClientError(
                .usage, "Favourites and bookmarks cannot be followed",
                hint: "They are sorted by when you added them. Follow home, public, local, a hashtag or a list.")
        }
    }

    private func page(
        at path: String, _ query: [(String, String?)]
    ) async throws -> LiveSource<TimelineEntry>.Page {
        let response = try await transport.send(request(path, query: query))
        let entries = try elements(of: response, as: Entity.Status.self).compactMap { element in
            element.value.map { LiveSource<TimelineEntry>.PendingEntry(id: $0.id, json: element.json) }
        }
        return LiveSource.Page(entries: entries, next: response.links.previousMinID)
    }

    /// `min_id` selects the oldest entries after an id, while `since_id` would skip some if there are many.
    static func query(after id: String) -> [(String, String?)] {
        [("limit", String(entriesPerPage)), ("min_id", id)]
    }
}
