package import FeedCore

/// Reads and changes accounts for moderators in the database, including suspended accounts.
package struct ModerationStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// - Returns: The account, or `nil` if it is unknown or has been removed.
    package func account(id: Int64) async throws -> Account? {
        try await database.read { try Self.present($0, id) }
    }

    /// Performs an action. Silencing, suspension and removal by a moderator resolve all reports of the account, any
    /// other action only the given one.
    /// - Parameters:
    ///   - moderator: The acting account; `nil` for the operator, and for the owner of the account.
    ///   - report: The report that led to the action.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` according to ``ModerationRule``, `.conflict` if the account awaits
    ///   approval, or is the only administrator.
    @discardableResult
    package func perform(
        _ action: ModerationAction, on id: Int64, by moderator: Int64? = nil, report: Int64? = nil
    ) async throws -> ModerationOutcome {
        let now = database.clock.now()
        return try await database.commits.write { db in
            guard let account = try Self.present(db, id) else { throw FeedError.notFound }
            try Self.refusePending(action, account, in: db)
            try Self.check(action, by: moderator, on: account, in: db)
            let hasChanged = try Self.apply(action, to: account, at: now, in: db)
            try Self.resolveReports(report, about: id, after: action, by: moderator, at: now, in: db)
            return ModerationOutcome(account: try AccountStore.find(db, id: id) ?? account, hasChanged: hasChanged)
        }
    }
}

extension ModerationStore {
    /// Changes the role of an account.
    /// - Returns: The account after the change.
    /// - Throws: ``FeedError`` `.notFound`; `.forbidden` according to ``ModerationRule``, `.conflict` if the account awaits
    ///   approval.
    package func setRole(_ role: Account.Role, of id: Int64, by moderator: Int64) async throws -> Account {
        let now = database.clock.now()
        return try await database.commits.write { db in
            guard let account = try Self.present(db, id) else { throw FeedError.notFound }
            try Self.refusePending(.suspend, account, in: db)
            guard let moderator = try AccountStore.find(db, id: moderator) else { throw FeedError.notAllowed }
            try ModerationRule.checkRole(of: account, by: moderator)
            guard account.role != role else { return account }
            try AccountStore.setRole(role, of: id, at: now, in: db)
            return try AccountStore.find(db, id: id) ?? account
        }
    }
}

extension ModerationStore {
    private static func present(_ db: Database, _ id: Int64) throws -> Account? {
        try AccountStore.find(db, id: id).flatMap { $0.removedAt == nil ? $0 : nil }
    }

    /// A sign-up is answered by ``RegistrationStore`` alone, so that an account that is restored cannot still await
    /// approval.
    private static func refusePending(_ action: ModerationAction, _ account: Account, in db: Database) throws {
        guard action != .none, try RegistrationStore.isPending(account.id, in: db) else { return }
        throw FeedError(
            .conflict, "\(account.username) awaits approval", hint: "Approve or reject the sign-up instead.")
    }

    private static func check(
        _ action: ModerationAction, by moderator: Int64?, on account: Account, in db: Database
    ) throws {
        guard let moderator else {
            guard [.suspend, .remove].contains(action) else { return }
            return try AccountStore.requireOtherAdmin(than: account, in: db)
        }
        guard let moderator = try AccountStore.find(db, id: moderator) else { throw FeedError.notAllowed }
        try ModerationRule.check(action, by: moderator, on: account)
    }

    /// - Returns: Whether the account changed.
    private static func apply(
        _ action: ModerationAction, to account: Account, at now: Int64, in db: Database
    ) throws -> Bool {
        switch action {
        case .none: false
        case .silence: try set(true, isSilenced, of: account, logging: .accountSilenced, at: now, in: db)
        case .unsilence: try set(false, isSilenced, of: account, logging: .accountUnsilenced, at: now, in: db)
        case .suspend: try set(true, isSuspended, of: account, logging: .accountSuspended, at: now, in: db)
        case .unsuspend: try set(false, isSuspended, of: account, logging: .accountUnsuspended, at: now, in: db)
        case .remove: try AccountDeletion.begin(account, at: now, in: db)
        }
    }

    /// A column with the time since when something applies, and the property that contains it.
    private typealias Mark = (column: String, time: KeyPath<Account, Int64?>)
    private static var isSilenced: Mark { ("silenced_at", \.silencedAt) }
    private static var isSuspended: Mark { ("suspended_at", \.suspendedAt) }

    private static func set(
        _ isSet: Bool, _ mark: Mark, of account: Account, logging kind: Change.Kind, at now: Int64, in db: Database
    ) throws -> Bool {
        guard isSet != (account[keyPath: mark.time] != nil) else { return false }
        try db.execute("UPDATE account SET \(sql: mark.column) = \(isSet ? now : nil) WHERE id = \(account.id)")
        try StatusIndex.moveStatuses(of: account.id, in: db)
        try db.log(kind, subject: account.id, account: account.id, at: now)
        return true
    }

    /// As in Mastodon, silencing, suspending or removing an account resolves all open reports about it; of the operator's
    /// commands, only removing does.
    private static func resolveReports(
        _ report: Int64?, about account: Int64, after action: ModerationAction, by moderator: Int64?, at now: Int64,
        in db: Database
    ) throws {
        if let report { try ReportStore.require(report, about: account, in: db) }
        switch action {
        case .remove: try ReportStore.resolveAll(about: account, by: moderator, at: now, in: db)
        case .silence, .suspend:
            guard moderator != nil else { return }
            try ReportStore.resolveAll(about: account, by: moderator, at: now, in: db)
        case .none, .unsilence, .unsuspend:
            guard let report else { return }
            try ReportStore.apply(.resolve, to: report, by: moderator, at: now, in: db)
        }
    }
}

extension ModerationStore {
    /// The selected accounts, newest first; paged by id.
    package func accounts(_ selection: AccountSelection, page: Pagination) async throws -> [Account] {
        guard !selection.isEmpty else { return [] }
        let query: SQL = """
            SELECT \(sql: AccountRow.columns) FROM account a
            WHERE \(page.bounds(on: "a.id")) AND \(sql: AccountRow.published) AND a.removed_at IS NULL
            AND \(Self.condition(selection)) ORDER BY a.id \(page.order) LIMIT \(page.limit)
            """
        return try await database.list(query, page) { try AccountRow.decode($0) }
    }

    private static func condition(_ selection: AccountSelection) -> SQL {
        var parts = [state(selection.state)]
        if let name = selection.username.map(Username.key) {
            parts.append("a.username_key >= \(name) AND a.username_key < \(SearchStore.end(of: name))")
        }
        if let name = selection.displayName.map(NameSuffixes.key) {
            parts.append(
                """
                EXISTS (SELECT 1 FROM account_name n WHERE n.account_id = a.id
                    AND n.ending >= \(name) AND n.ending < \(SearchStore.end(of: name)))
                """)
        }
        if let email = selection.email.map(AccountStore.emailKey) {
            let end = SearchStore.end(of: email)
            parts.append("a.email <> '' AND lower(a.email) >= \(email) AND lower(a.email) < \(end)")
        }
        if let role = selection.role { parts.append("a.role = \(role.rawValue)") }
        return parts.joined(separator: " AND ")
    }

    private static func state(_ state: AccountSelection.State?) -> SQL {
        switch state {
        case nil: "1 = 1"
        case .active: "a.suspended_at IS NULL"
        case .silenced: "a.silenced_at IS NOT NULL"
        // A pending account is stored as suspended.
        case .suspended: "a.suspended_at IS NOT NULL AND NOT \(isPending)"
        case .pending: isPending
        case .disabled: "1 = 0"
        }
    }

    private static let isPending: SQL = "EXISTS (SELECT 1 FROM sign_up s WHERE s.account_id = a.id)"
}
