import AsyncHTTPClient
import FeedAPI
import Foundation

/// The changes of the change feed as they happen, without gaps or repetitions. The sequence ends only with an error:
/// ``FeedClientError``, apart from temporary ones, or `CancellationError`.
public struct ChangeFeed: AsyncSequence, Sendable {
    public typealias Element = ChangeFeedEntry

    /// The time that the server waits for a change, in seconds.
    private static let wait = 25

    let client: FeedClient
    let position: String?

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let client: FeedClient
        private var position: String?
        private var hasResponse = false
        private var failures = 0
        /// The rest of a page, the last change first.
        private var page: [ChangeFeedEntry] = []

        fileprivate init(_ feed: ChangeFeed) { (client, position) = (feed.client, feed.position) }

        public mutating func next() async throws -> ChangeFeedEntry? {
            while true {
                if let change = page.popLast() { return change }
                do {
                    // Without a position, a lost response would be a gap.
                    let wait = position == nil ? 0 : ChangeFeed.wait
                    let response = try await client.changes(since: position, limit: 200, wait: wait)
                    (page, position) = (response.changes.reversed(), response.position)
                    (hasResponse, failures) = (true, 0)
                } catch let error as FeedClientError where hasResponse && error.isTemporary {
                    failures += 1
                    let seconds = StreamReconnection.pause(
                        after: error, failures: failures, jitter: TimeSample().jitter)
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

/// An entry of the change feed: what an account could have received as an event of a stream.
public struct ChangeFeedEntry: Sendable {
    /// The position after this change.
    public let position: String
    /// `update`, `status.update`, `delete`, `notification`, `conversation`, `filters_changed`, or `resync`: changes are
    /// missing, because the position was too old or from another database, so that the reader must read its pages again.
    public let event: String
    /// The id of the changed object, such as a status.
    public let id: String?
    /// The time of the change in ISO 8601.
    public let time: String?
    /// The status as it is now; `nil` if it has been deleted, if the change concerns no status, or if it was left out.
    public let entry: TimelineEntry?
}

/// A page of the change feed.
public struct ChangePage: Sendable {
    /// The changes, the oldest one first.
    public let changes: [ChangeFeedEntry]
    /// The position of the last row that was examined; the next page begins there.
    public let position: String
    /// Whether there is more already.
    public let hasMore: Bool
}

extension FeedClient {
    /// A page of the change feed, which feedserver offers.
    /// - Parameters:
    ///   - position: The position after which the page begins; `nil` for the current one.
    ///   - limit: The maximum number of changes.
    ///   - wait: How long the server waits for a change, in seconds, at most 30.
    ///   - hasNewStatuses: Whether `update` entries contain the status; newer servers can leave it out.
    /// - Throws: ``FeedClientError``, with the code `.notFound` if the server has no change feed.
    public func changes(
        since position: String?, limit: Int = 40, wait: Int = 0, hasNewStatuses: Bool = true
    ) async throws -> ChangePage {
        let query = [
            ("since", position), ("limit", String(limit)), ("wait", wait > 0 ? String(wait) : nil),
            ("without", hasNewStatuses ? nil : "update"),
        ]
        let response = try await transport.send(request(Paths.changes, query: query))
        let page = try decode(ChangeFeedResponse.self, response)
        let texts = RawJSON.elements(of: RawJSON.member("changes", of: response.bytes) ?? [])
        guard texts.count == page.changes.count else {
            throw FeedClientError(.failed, "The server's response could not be understood")
        }
        let changes = zip(page.changes, texts).compactMap { change, text in
            change.value.map { ChangeFeedEntry($0, json: RawJSON.member("status", of: Array(text))) }
        }
        return ChangePage(changes: changes, position: page.position, hasMore: page.more)
    }
}

extension ChangeFeedEntry {
    fileprivate init(_ change: ChangeFeedResponse.Entry, json: [UInt8]?) {
        let entry = change.status?.value.map { TimelineEntry(status: $0, json: json ?? []) }
        self.init(position: change.position, event: change.event, id: change.id, time: change.at, entry: entry)
    }
}

private struct ChangeFeedResponse: Decodable {
    struct Entry: Decodable, Sendable {
        let position: String
        let event: String
        let id: String?
        let at: String?
        let status: Tolerant<Entity.Status>?
    }

    let position: String
    let more: Bool
    let changes: [Tolerant<Entry>]
}
