/// Reads and changes accounts for moderators, including suspended accounts.
package protocol ModerationStoring: Sendable {
    /// The selected accounts, newest first; paged by id.
    func accounts(_ selection: AccountSelection, page: Pagination) async throws -> [Account]
    /// - Returns: The account, or `nil` if it is unknown or has been removed.
    func account(id: Int64) async throws -> Account?
    /// Performs an action. Silencing, suspension and removal by a moderator resolve all reports of the account, any
    /// other action only the given one.
    /// - Parameters:
    ///   - moderator: The acting account; `nil` for the operator, whom no rule restricts.
    ///   - report: The report that led to the action.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` according to ``ModerationRule``, `.conflict` if the account awaits
    ///   approval.
    func perform(
        _ action: ModerationAction, on account: Int64, by moderator: Int64?, report: Int64?
    ) async throws -> ModerationOutcome
}

/// Stores reports.
package protocol ReportStoring: Sendable {
    /// Stores a report.
    /// - Throws: ``FeedError`` `.notFound` if the account is unknown or suspended, or if a status is not one of the
    ///   account's statuses that the reporter may see.
    func create(_ draft: ReportDraft, by reporter: Int64) async throws -> Report
    /// The selected reports, newest first; paged by id.
    /// - Parameter moderator: The account whose marks on the statuses are included.
    func reports(_ selection: ReportSelection, page: Pagination, for moderator: Int64?) async throws -> [Report]
    func report(id: Int64, for moderator: Int64?) async throws -> Report?
    /// - Parameter moderator: The acting account; `nil` for the operator.
    /// - Throws: ``FeedError`` `.notFound`.
    func change(_ id: Int64, _ change: ReportChange, by moderator: Int64?) async throws -> Report
}
