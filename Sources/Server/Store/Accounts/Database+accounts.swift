import FeedCore

extension Database {
    /// The target of an action of `actor`.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` if the target is the actor.
    func target(_ id: Int64, of actor: Int64) throws -> Account {
        guard let account = try AccountStore.find(self, id: id), account.suspendedAt == nil else {
            throw FeedError.notFound
        }
        guard id != actor else { throw FeedError.notAllowed }
        return account
    }

    /// The account that performs an action. Its token was checked before; but a long upload, for example, may end after
    /// the account was removed, and nothing may be added to it then.
    /// - Throws: ``FeedError`` `.notFound`, `.forbidden` for a removed account.
    @discardableResult
    func actor(_ id: Int64) throws -> Account {
        guard let account = try AccountStore.find(self, id: id) else { throw FeedError.notFound }
        guard account.removedAt == nil else { throw FeedError.suspended }
        return account
    }

    /// Accounts by id, whether they are visible or not.
    func accounts(_ ids: some Collection<Int64>) throws -> [Int64: Account] {
        let query: SQL = "SELECT \(sql: AccountRow.columns) FROM account a WHERE a.id IN (\(ids: Array(Set(ids))))"
        let found = try fetchAll(query).map { try AccountRow.decode($0) }
        return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Whether either account blocks the other.
    func isBlocked(_ one: Int64, _ other: Int64) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                SELECT 1 FROM block WHERE account_id = ?1 AND target_id = ?2
                UNION ALL SELECT 1 FROM block WHERE account_id = ?2 AND target_id = ?1
                """)
        return try Int.fetchOne(statement, arguments: [one, other]) != nil
    }
}
