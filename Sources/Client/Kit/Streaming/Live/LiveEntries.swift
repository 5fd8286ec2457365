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
        private var state = LiveState()
        /// The rest of a page, the newest entry first.
        private var page: [LiveSource<Entry>.Waiting] = []

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
                    let found = try await source.page(cursor)
                    page = found.entries
                    state.readPage(page.map(\.id), next: found.next)
                } else {
                    page = try await source.newest(state.hasPage ? LiveEntries.countAfterGap : count)
                    state.readNewest(page.map(\.id))
                }
            } catch let error as FeedClientError where state.hasPage && StreamState.isTemporary(error) {
                state.giveUp()
                events.retryResync(after: error)
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source, count: count) }
}
