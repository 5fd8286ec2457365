import DequeModule

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
