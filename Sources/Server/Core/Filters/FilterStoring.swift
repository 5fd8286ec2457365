/// Stores the filters of accounts. Every change is logged in the change log with the account.
package protocol FilterStoring: Sendable {
    /// The filters of an account, oldest first, also those that have expired.
    func filters(of account: Int64) async throws -> [Filter]
    /// The filters of several accounts, read together; accounts without filters are left out. The caller bounds their
    /// number.
    func filters(of accounts: [Int64]) async throws -> [Int64: [Filter]]
    /// - Throws: ``FeedError`` `.notFound` for a filter of another account, and so on for all functions.
    func filter(_ id: Int64, of account: Int64) async throws -> Filter
    /// - Throws: ``FeedError`` `.invalid` if the draft breaks a ``FilterRule``.
    func create(_ draft: FilterDraft, by account: Int64) async throws -> Filter
    /// Changes a filter and its keywords in one transaction.
    /// - Parameter hasOnly: A keyword that must be the filter's only one if anything but a keyword changes; `nil` to
    ///   change it anyway.
    /// - Throws: ``FeedError`` `.invalid` if the draft breaks a ``FilterRule``.
    func update(_ id: Int64, of account: Int64, _ draft: FilterDraft, hasOnly keyword: Int64?) async throws -> Filter
    func delete(_ id: Int64, of account: Int64) async throws

    /// The filter that contains a keyword, and the keyword.
    func keyword(_ id: Int64, of account: Int64) async throws -> (filter: Filter, keyword: Filter.Keyword)
    func add(_ draft: FilterDraft.Keyword, to filter: Int64, of account: Int64) async throws -> Filter.Keyword
    /// - Parameter endsFilter: Whether to delete the filter, too, if nothing is left in it.
    func deleteKeyword(_ id: Int64, of account: Int64, endsFilter: Bool) async throws

    /// The entry for a status.
    func status(_ id: Int64, of account: Int64) async throws -> Filter.MatchedStatus
    /// Adds a status that the account may see.
    /// - Throws: ``FeedError`` `.invalid` for any other status, and for one that the filter contains.
    func add(status: Int64, to filter: Int64, of account: Int64) async throws -> Filter.MatchedStatus
    func deleteStatus(_ id: Int64, of account: Int64) async throws

    /// Logs the expiry of filters, at most 500 per call.
    /// - Returns: Their number.
    func logExpired() async throws -> Int
}
