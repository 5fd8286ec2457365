import FeedCore

extension AccountStore {
    /// Suspends an account, which hides it and everything that belongs to it and disables its logins, or restores it.
    /// Nothing is deleted.
    /// - Returns: Whether this changed the account.
    /// - Throws: ``FeedError`` `.notFound`, `.conflict` if the account awaits approval.
    package func setSuspended(_ isSuspended: Bool, _ id: Int64) async throws -> Bool {
        let now = database.clock.now()
        return try await database.commits.write { db in
            guard let account = try Self.find(db, id: id) else { throw FeedError.notFound }
            guard try !RegistrationStore.isPending(id, in: db) else {
                throw FeedError(
                    .conflict, "\(account.username) awaits approval",
                    hint: "feedserver account approve or reject answers the sign-up.")
            }
            guard (account.suspendedAt != nil) != isSuspended else { return false }
            try db.execute(
                sql: "UPDATE account SET suspended_at = ? WHERE id = ?", arguments: [isSuspended ? now : nil, id])
            try db.log(
                isSuspended ? .accountSuspended : .accountUnsuspended, subject: id, account: id, at: now)
            return true
        }
    }
}
