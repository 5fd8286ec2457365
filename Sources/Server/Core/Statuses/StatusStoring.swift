/// Stores statuses and reads timelines.
package protocol StatusStoring: Sendable {
    /// Stores a status with its attached files, or returns the existing one with the same idempotency key.
    /// - Throws: ``FeedError`` `.invalid` if a file cannot be attached; nothing is stored then.
    func insert(_ status: PreparedStatus) async throws -> Status
    /// Removes idempotency keys that have expired.
    func pruneIdempotencyKeys() async throws
    /// - Returns: The status, or `nil` if it does not exist or `viewer` may not see it.
    func status(id: Int64, for viewer: Int64?) async throws -> Status?
    /// A page of a timeline, limited to statuses that `viewer` may see; `nil` means an anonymous viewer.
    func timeline(_ timeline: Timeline, page: Pagination, for viewer: Int64?) async throws -> Page<Status>
    /// The accounts and hashtags whose statuses the home timeline of an account contains.
    /// - Parameter limit: The maximum number of accounts to list.
    func homeSources(of account: Int64, limit: Int) async throws -> TimelineSources
    /// The statuses with the given ids that `viewer` may see, in the given order.
    func statuses(ids: [Int64], for viewer: Int64?) async throws -> [Status]
    /// A status or boost with the marks of several viewers. The caller has checked that they may see it.
    /// - Returns: `nil` if it does not exist, or its author is suspended.
    func shared(id: Int64, among viewers: [Int64]) async throws -> SharedStatus?
    /// The public ones among them, without statuses that lists omit, such as the statuses of accounts `viewer` mutes.
    func listed(ids: [Int64], for viewer: Int64?) async throws -> [Status]
    /// Deletes a status or a boost. Attached files can be attached again for a day, at new addresses.
    /// - Returns: The deleted status, or `nil` if `author` has no such status. For a boost of a status that `author`
    ///   may no longer see, it is ``Status/redacted``.
    func delete(id: Int64, by author: Int64) async throws -> Status?
    /// Replaces text, content warning, language, sensitivity, attached files and poll, and keeps the previous version in the
    /// history.
    /// - Throws: ``FeedError`` `.notFound` if the author has no such status, `.invalid` if a file cannot be attached.
    func edit(id: Int64, to status: PreparedStatus) async throws -> Status
    /// All versions of a status, oldest first; `nil` if the viewer may not see the status.
    func history(of id: Int64, for viewer: Int64?) async throws -> (status: Status, edits: [StatusEdit])?
    /// The conversation that contains a status; `nil` if the viewer may not see the status.
    func context(of id: Int64, for viewer: Int64?) async throws -> StatusContext?
    /// Sets or removes a mark. Idempotent.
    /// - Returns: The status; ``Status/redacted`` if a mark was removed from a status the account may no longer see.
    /// - Throws: ``FeedError`` `.notFound` if the account may not see the status, `.invalid` if it may not pin it.
    func set(_ mark: StatusMark, _ isSet: Bool, on id: Int64, by account: Int64) async throws -> Status
    /// Boosts a status, or returns the existing boost.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` if the visibility of the status does not allow boosts.
    func boost(_ id: Int64, visibility: Visibility?, by account: Int64) async throws -> Status
    /// Removes a boost.
    /// - Returns: The status; ``Status/redacted`` if the account may no longer see it.
    /// - Throws: ``FeedError`` `.notFound` if the account may not see the status and has not boosted it.
    func unboost(_ id: Int64, by account: Int64) async throws -> Status
    /// The accounts that favourited a status, newest account first, or boosted it, most recent boost first.
    /// - Returns: `nil` if the viewer may not see the status.
    func reactions(
        _ relation: ReactionKind, of id: Int64, page: Pagination, for viewer: Int64?
    ) async throws -> [StatusReaction]?
}
