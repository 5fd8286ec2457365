/// Finds and stores what many people use or like at the moment.
package protocol TrendStoring: Sendable {
    /// Recomputes the trends.
    func refresh() async throws
    /// The keys of the trending hashtags, most used first.
    func tags() async throws -> [String]
    /// The ids of trending statuses, most liked first. Some may have been deleted or hidden since.
    func statuses() async throws -> [Int64]
}
