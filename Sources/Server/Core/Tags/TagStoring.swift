/// Stores the use of hashtags, and the hashtags that accounts feature.
package protocol TagStoring: Sendable {
    /// The use of hashtags during the last days, in the given order.
    /// - Parameter tags: The keys of hashtags, at most 200.
    func histories(of tags: [String]) async throws -> [TagHistory]
    /// The hashtags that an account features, in the order in which it chose them.
    func featured(by account: Int64) async throws -> [FeaturedTag]
    /// Features a hashtag, or returns the one that is featured already.
    /// - Parameter name: The hashtag as written, without `#`.
    /// - Throws: ``FeedError`` `.invalid` if the account features ``FeaturedTag/maximum`` hashtags.
    func feature(_ name: String, by account: Int64) async throws -> FeaturedTag
    /// - Throws: ``FeedError`` `.notFound` if the account does not feature it.
    func unfeature(_ id: Int64, by account: Int64) async throws
    /// The hashtags that an account used most in its newest statuses and does not feature, by their keys.
    func suggestedTags(for account: Int64) async throws -> [String]
    /// Deletes the uses of days that no history shows, some at a time.
    /// - Returns: The number of deleted rows.
    func pruneUses() async throws -> Int
}
