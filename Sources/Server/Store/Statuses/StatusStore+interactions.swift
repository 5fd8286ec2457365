package import FeedCore

extension StatusStore {
    /// Sets or removes a mark. Idempotent.
    /// - Returns: The status; ``Status/redacted`` if a mark was removed from a status the account may no longer see.
    /// - Throws: ``FeedError`` `.notFound` if the account may not see the status, `.invalid` if it may not pin it.
    package func set(_ mark: StatusMark, _ isSet: Bool, on id: Int64, by account: Int64) async throws -> Status {
        let now = database.clock.now()
        return try await database.commits.write { db in
            guard let status = try Self.target(of: mark, isSet, id: id, by: account, in: db) else {
                throw FeedError.notFound
            }
            try db.requireActiveAccount(account)
            if isSet { try Self.check(mark, status, by: account, in: db) }
            if try Self.store(mark, isSet, status.id, by: account, at: now, in: db) {
                try Self.announce(mark, isSet, status, by: account, at: now, in: db)
            }
            return try Self.statusAfterUndo(db, id: status.id, by: account)
        }
    }

    /// The status to mark, which the account must be able to see; an existing mark may always be removed. A
    /// conversation mute may be removed only through the status that set it, since any other would reveal which
    /// statuses belong to the conversation.
    private static func target(
        of mark: StatusMark, _ isSet: Bool, id: Int64, by account: Int64, in db: Database
    ) throws -> Status? {
        if let seen = try find(db, id: id, for: account) { return seen }
        guard !isSet else { return nil }
        return try statusToUndo(db, id: id, by: account) { status in
            guard mark == .conversationMute else { return status.marks.contains(mark) }
            return try db.hasMutedConversation(account, by: status.id)
        }
    }

    private static func check(_ mark: StatusMark, _ status: Status, by account: Int64, in db: Database) throws {
        guard mark == .pin else { return }
        let query: SQL = "SELECT count(*) FROM pin WHERE account_id = \(account) AND status_id <> \(status.id)"
        let pinned = try db.fetchOne(query, as: Int.self) ?? 0
        try PinRule.check(status, by: account, pinned: pinned)
    }

    /// - Returns: Whether the mark changed.
    private static func store(
        _ mark: StatusMark, _ isSet: Bool, _ status: Int64, by account: Int64, at now: Int64, in db: Database
    ) throws -> Bool {
        if mark == .conversationMute { return try db.setConversationMute(isSet, of: account, by: status) }
        guard isSet else {
            try db.execute("DELETE FROM \(sql: mark.table) WHERE account_id = \(account) AND status_id = \(status)")
            return try db.changesCount > 0
        }
        let id = try db.nextID(now: now)
        try db.execute(
            """
            INSERT INTO \(sql: mark.table) (account_id, status_id, id) VALUES (\(account), \(status), \(id))
            ON CONFLICT DO NOTHING
            """)
        return try db.changesCount > 0
    }

    private static func announce(
        _ mark: StatusMark, _ isSet: Bool, _ status: Status, by account: Int64, at now: Int64, in db: Database
    ) throws {
        try db.log(mark.change(isSet), subject: status.id, account: account, at: now)
        guard mark == .favourite else { return }
        try db.execute(
            """
            UPDATE status SET favourites_count = CASE WHEN favourites_count + \(isSet ? 1 : -1) > 0 THEN
            favourites_count + \(isSet ? 1 : -1) ELSE 0 END WHERE id = \(status.id)
            """)
        if isSet {
            try db.notify(status.account.id, of: .favourite, by: account, status: status.id, at: now)
        } else {
            try db.retract(.favourite, by: account, status: status.id, from: status.account.id)
        }
    }

    /// The accounts that favourited a status, newest account first, or boosted it, most recent boost first.
    /// - Returns: `nil` if the viewer may not see the status.
    package func reactions(
        _ relation: ReactionKind, of id: Int64, page: Pagination, for viewer: Int64?
    ) async throws -> [StatusReaction]? {
        let now = database.clock.now()
        return try await database.read { db in
            guard let status = try Self.find(db, id: id, for: viewer) else { return nil }
            let query = Self.reactions(relation, of: status.id, page, for: viewer, now: now)
            let reactions = try db.fetchAll(query).map { row in
                try StatusReaction(pageID: row[AccountRow.count], account: try AccountRow.decode(row))
            }
            return page.isAscending ? reactions.reversed() : reactions
        }
    }

    /// The query for a page of reactions. It reads an index in the order of the list, so that the cost depends only on
    /// the page size: boosts are ordered by their own id, favourites by the id of the account.
    static func reactions(
        _ relation: ReactionKind, of id: Int64, _ page: Pagination, for viewer: Int64?, now: Int64
    ) -> SQL {
        let (table, column, key): (SQL, SQL, String) =
            relation == .favourited ? ("favourite", "status_id", "x.account_id") : ("status", "boost_of_id", "x.id")
        // A followers-only boost is not visible to everyone.
        let seen: SQL = relation == .boosted ? StatusVisibility.rule("x", author: "a", viewer: viewer) : "1 = 1"
        return """
            SELECT \(sql: AccountRow.columns), \(sql: key) FROM \(table) x CROSS JOIN account a ON a.id = x.account_id
            WHERE x.\(column) = \(id) AND \(page.bounds(on: key)) AND \(seen)
            AND \(sql: AccountRow.visible) AND \(StatusVisibility.blockAndMuteCondition("a.id", viewer: viewer, now: now))
            ORDER BY \(sql: key) \(page.order) LIMIT \(page.limit)
            """
    }
}

extension StatusMark {
    fileprivate func change(_ isSet: Bool) -> Change.Kind {
        switch self {
        case .favourite: isSet ? .favourited : .unfavourited
        case .bookmark: isSet ? .bookmarked : .unbookmarked
        case .pin: isSet ? .pinned : .unpinned
        case .conversationMute: isSet ? .conversationMuted : .conversationUnmuted
        }
    }
}
