package import FeedCore

extension StatusStore {
    /// Deletes a status or a boost. Attached files can be attached again for a day, at new addresses.
    /// - Returns: The deleted status, or `nil` if `author` has no such status. For a boost of a status that `author`
    ///   may no longer see, it is ``Status/redacted``.
    package func delete(id: Int64, by author: Int64) async throws -> Status? {
        try await withoutDependents { now, db in
            let seen = try Self.find(db, id: id, for: author)
            let isOwn = { (status: Status) in status.boost?.account.id == author }
            guard let status = try seen ?? Self.statusToUndo(db, id: id, by: author, where: isOwn)
            else { return .deleted(nil) }
            if let boost = status.boost {
                guard boost.account.id == author else { return .deleted(nil) }
                try BoostStore.remove(boost.id, of: status, by: author, at: now, in: db)
                return .deleted(seen ?? status.redacted)
            }
            guard status.account.id == author else { return .deleted(nil) }
            guard try !StatusDeletion(status: id, now: now, db: db).deleteSome() else { return .isPopular }
            var deleted = status
            deleted.media = try MediaStore.detach(from: status, at: now, in: db)
            try Self.remove(status, at: now, in: db)
            return .deleted(deleted)
        }
    }

    /// The result of a transaction that deletes a status.
    private enum Deletion: Sendable {
        case deleted(Status?)
        /// The transaction has deleted some of its dependents only.
        case isPopular
    }

    /// Repeats a transaction until it has deleted a status with all its dependents.
    private func withoutDependents(
        _ delete: @escaping @Sendable (_ now: Int64, Database) throws -> Deletion
    ) async throws -> Status? {
        while true {
            let now = database.clock.now()
            let deletion = try await database.commits.write(freesSpace: true) { try delete(now, $0) }
            if case .deleted(let status) = deletion { return status }
        }
    }

    /// Removes a status. The caller removes its dependents, and detaches or deletes its files first.
    static func remove(_ status: Status, at now: Int64, in db: Database) throws {
        let conversation = try db.conversation(of: status.id)
        // Nobody is notified of the deletion of a suspended account's status, because it was no longer visible.
        let wasHidden = status.account.suspendedAt != nil
        let mentions = try wasHidden ? [] : mentions(in: status, db)
        try leave(status, in: db)
        try StatusIndex.remove([status.id], in: db)
        try db.execute("DELETE FROM status WHERE id = \(status.id)")
        try db.endConversation(conversation)
        try decrementCounts(status, in: db)
        try db.log(
            .statusDeleted, subject: status.id, account: status.account.id, related: status.inReplyToID,
            tags: status.visibility == .public ? status.tags : [], visibility: wasHidden ? nil : status.visibility,
            mentions: mentions, at: now)
    }

    /// The accounts that can see a status because it mentions them or once mentioned them.
    private static func mentions(in status: Status, _ db: Database) throws -> [Int64] {
        guard !status.visibility.isPublicOrUnlisted else { return [] }
        let query: SQL = """
            SELECT m.account_id FROM mention m WHERE m.status_id = \(status.id) AND NOT EXISTS (
                SELECT 1 FROM block k WHERE k.account_id = \(status.account.id) AND k.target_id = m.account_id)
            ORDER BY m.account_id LIMIT \(sql: NotificationRule.maximumRecipients)
            """
        return try db.fetchAll(query, as: Int64.self)
    }

    /// Removes a status from conversations, or subtracts its hashtags.
    private static func leave(_ status: Status, in db: Database) throws {
        if status.visibility == .direct { try db.removeFromConversations([status.id]) }
        guard status.visibility == .public else { return }
        try db.uncountUses(of: Hashtag.keys(status.tags), in: status.id, by: status.account.id)
    }

    private static func decrementCounts(_ status: Status, in db: Database) throws {
        if status.visibility.affectsStatusCount {
            try db.execute(
                """
                UPDATE account SET statuses_count = CASE WHEN statuses_count > 1 THEN statuses_count - 1 ELSE 0 END
                WHERE id = \(status.account.id)
                """)
        }
        guard status.visibility.isPublicOrUnlisted else { return }
        try db.execute(
            """
            UPDATE status SET replies_count = CASE WHEN replies_count > 1 THEN replies_count - 1 ELSE 0 END
            WHERE id = \(status.inReplyToID)
            """)
    }
}

extension StatusStore {
    /// A status on which an account undoes an action, which remains possible when the account can no longer see the
    /// status. Only for the change itself; responses contain ``Status/redacted``.
    /// - Parameter isOwn: Whether the account has performed the action.
    static func statusToUndo(
        _ db: Database, id: Int64, by account: Int64, where isOwn: (Status) throws -> Bool
    ) throws -> Status? {
        let status = try read(db, ids: [id], for: account, where: "1 = 1")[id]
        return try status.flatMap { try isOwn($0) ? $0 : nil }
    }

    /// The status as an account sees it after undoing an action.
    static func statusAfterUndo(_ db: Database, id: Int64, by account: Int64) throws -> Status {
        if let seen = try find(db, id: id, for: account) { return seen }
        guard let left = try statusToUndo(db, id: id, by: account, where: { _ in true }) else {
            throw FeedError.notFound
        }
        return left.redacted
    }
}

extension StatusStore {
    /// Deletes a status, or undoes a boost, on behalf of the operator.
    /// - Parameter id: The id of a status by any account, regardless of its visibility.
    /// - Returns: The deleted status, or `nil` if the id is unknown.
    package func remove(id: Int64) async throws -> Status? {
        try await withoutDependents { now, db in
            guard let status = try Self.read(db, ids: [id], for: nil, where: "1 = 1")[id] else { return .deleted(nil) }
            if let boost = status.boost {
                try BoostStore.remove(
                    boost.id, of: status, by: boost.account.id, wasHidden: boost.account.suspendedAt != nil, at: now,
                    in: db)
            } else {
                guard try !StatusDeletion(status: id, now: now, db: db).deleteSome() else { return .isPopular }
                try MediaStore.removeAll(of: status.id, in: db)
                try Self.remove(status, at: now, in: db)
            }
            return .deleted(status)
        }
    }
}
