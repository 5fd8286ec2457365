import FeedCore
import Foundation

extension TokenStore {
    /// The time in milliseconds after which an application's own token expires if it is not used.
    private static let unusedTokenLifetime: Int64 = 30 * 86_400_000
    /// The time in milliseconds for which the server must have been running before it deletes unused tokens, because
    /// tokens could not be used while it was down.
    private static let minimumUptime: Int64 = 86_400_000
    /// The time in milliseconds within which an account must authorize a new application.
    private static let ungrantedApplicationLifetime: Int64 = 86_400_000
    /// The number of rows deleted per transaction.
    private static let batch = 500

    /// Deletes applications' own tokens that were not used for 30 days, then applications older than a day that have
    /// neither a token nor a code and that no account ever authorized. Mastodon broke several apps by removing
    /// registrations in use (mastodon/mastodon#27740).
    package func sweep() async throws {
        try await recordUse()
        while try await removeUnusedTokens() == Self.batch {}
        while try await removeUnusedApplications() == Self.batch {}
    }

    /// Records the use of tokens. Clients cannot observe it, so it is not logged in the change log.
    package func recordUse() async throws {
        let now = database.clock.now()
        for some in use.drain().chunks(of: Self.batch) {
            try await database.commits.write { db in
                let statement = try db.cachedStatement(
                    sql: "UPDATE token SET used_at = ? WHERE hash = ? AND account_id IS NULL")
                for hash in some { try statement.execute(arguments: [now, Data(hash)]) }
            }
        }
    }

    private func removeUnusedTokens() async throws -> Int {
        let now = database.clock.now()
        guard now - use.since >= Self.minimumUptime else { return 0 }
        let unused = """
            SELECT id FROM token WHERE account_id IS NULL AND coalesce(used_at, created_at) < ? LIMIT \(Self.batch)
            """
        return try await writeIfAny(unused, now - Self.unusedTokenLifetime) { db, limit in
            try GrantStore.revoke(db, where: "id IN (\(unused))", limit, at: now)
        }
    }

    private func removeUnusedApplications() async throws -> Int {
        let unused = """
            SELECT a.id FROM application a WHERE a.granted = 0 AND a.created_at < ?
            AND NOT EXISTS (SELECT 1 FROM token t WHERE t.application_id = a.id)
            AND NOT EXISTS (SELECT 1 FROM authorization_code c WHERE c.application_id = a.id) LIMIT \(Self.batch)
            """
        return try await writeIfAny(unused, database.clock.now() - Self.ungrantedApplicationLifetime) { db, limit in
            try db.execute(sql: "DELETE FROM application WHERE id IN (\(unused))", arguments: [limit])
            return db.changesCount
        }
    }

    /// Writes only if there is something to delete, because an unnecessary transaction would cost an fsync.
    private func writeIfAny(
        _ query: String, _ limit: Int64, _ remove: @escaping @Sendable (Database, Int64) throws -> Int
    ) async throws -> Int {
        let isDue = try await database.read { try Int64.fetchOne($0, sql: query, arguments: [limit]) != nil }
        return isDue ? try await database.commits.write { try remove($0, limit) } : 0
    }
}
