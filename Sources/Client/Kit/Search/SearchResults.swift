public import FeedAPI

/// A kind of search result.
public enum SearchKind: String, Sendable, CaseIterable { case accounts, statuses, hashtags }

/// The results of a search, the best ones of each kind first.
public struct SearchResults: Sendable {
    /// A result, decoded and as the server sent it.
    public struct Result<Value: Sendable>: Sendable {
        public let value: Value
        /// The JSON object that the server sent; its members may have another order.
        public let json: [UInt8]
    }

    public let accounts: [Result<Entity.Account>]
    public let statuses: [TimelineEntry]
    public let hashtags: [Result<Entity.Tag>]

    /// Whether nothing was found.
    public var isEmpty: Bool { accounts.isEmpty && statuses.isEmpty && hashtags.isEmpty }
}
