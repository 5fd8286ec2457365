/// Statuses and the timelines made of them.
package protocol StatusStoring: Sendable {
    func insert(_ status: PreparedStatus) async throws -> Status
    /// - Returns: The status, if it exists and `viewer` may see it.
    func status(id: Int64, for viewer: Int64?) async throws -> Status?
    func timeline(_ timeline: Timeline, page: Pagination, for viewer: Int64?) async throws -> Page<Status>
    /// Those of `ids` that exist and `viewer` may see, in that order.
    func statuses(ids: [Int64], for viewer: Int64?) async throws -> [Status]
    /// Deletes a status or a boost of `author`.
    /// - Returns: What it was (``Status/withheld`` when the boosted status may not be seen any more), or `nil` when that
    ///   account has no such status.
    func delete(id: Int64, by author: Int64) async throws -> Status?
    /// Replaces text, content warning, language and sensitivity; what was is kept in the history.
    /// - Throws: ``FeedError`` `.notFound` unless it is the author's.
    func edit(id: Int64, to status: PreparedStatus) async throws -> Status
    /// The oldest version first, the present one last; `nil` when the viewer may not see the status.
    func history(of id: Int64, for viewer: Int64?) async throws -> (status: Status, edits: [StatusEdit])?
    func context(of id: Int64, for viewer: Int64?) async throws -> StatusContext?
    /// Sets or takes away a mark; doing it twice is doing it once. A mark can be taken away from a status that may not be
    /// seen any more; what is returned then is ``Status/withheld``.
    /// - Throws: ``FeedError`` `.notFound` for a status the account may not see, `.invalid` for one it may not pin.
    func set(_ mark: StatusMark, _ isSet: Bool, on id: Int64, by account: Int64) async throws -> Status
    /// Boosts once; again gives the boost that is there.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for what may not be spread.
    func boost(_ id: Int64, visibility: Visibility?, by account: Int64) async throws -> Status
    /// Takes a boost back, also of a status that may not be seen any more; what is returned then is ``Status/withheld``.
    /// - Throws: ``FeedError`` `.notFound` for a status that may not be seen and is not boosted by the account.
    func unboost(_ id: Int64, by account: Int64) async throws -> Status
    /// Who favourited a status, the newest account first, or boosted it, the last one first; `nil` when the viewer may not
    /// see the status.
    func reactions(
        _ relation: StatusRelation, of id: Int64, page: Pagination, for viewer: Int64?
    ) async throws -> [StatusReaction]?
}
