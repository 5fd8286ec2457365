/// The changes of the change feed as they happen, without gaps or repetitions. The sequence ends only with an error:
/// ``FeedClientError``, apart from temporary ones, or `CancellationError`.
public struct ChangeFeed: AsyncSequence, Sendable {
    public typealias Element = Change

    /// How long the server waits for a change, in seconds.
    private static let wait = 25

    let client: FeedClient
    let position: String?

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: FeedClient
        private var position: String?
        private var hasResponse = false
        private var failures = 0
        /// The rest of a page, the last change first.
        private var page: [Change] = []

        fileprivate init(_ feed: ChangeFeed) { (client, position) = (feed.client, feed.position) }

        public mutating func next() async throws -> Change? {
            while true {
                if let change = page.popLast() { return change }
                do {
                    // Without a position, a lost response would be a gap.
                    let wait = position == nil ? 0 : ChangeFeed.wait
                    let found = try await client.changes(since: position, limit: 200, wait: wait)
                    (page, position) = (found.changes.reversed(), found.position)
                    (hasResponse, failures) = (true, 0)
                } catch let error as FeedClientError where hasResponse && StreamState.isTemporary(error) {
                    failures += 1
                    let seconds = StreamState.pause(after: error, failures: failures, jitter: Moment().jitter)
                    try await Task.sleep(for: .seconds(seconds))
                }
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension FeedClient {
    /// The changes of the change feed as they happen.
    /// - Parameter position: The position after which the changes begin; `nil` for the current one.
    public func changeFeed(since position: String? = nil) -> ChangeFeed {
        ChangeFeed(client: self, position: position)
    }
}
