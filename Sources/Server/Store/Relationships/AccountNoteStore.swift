import FeedCore

/// Stores private notes about accounts in the database.
package struct AccountNoteStore: AccountNoteStoring {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    package func note(_ text: String, about target: Int64, by account: Int64) async throws {
        try AccountNote.check(text)
        let now = database.clock.now()
        try await database.commits.write { db in
            _ = try db.target(target, of: account)
            try db.actor(account)
            try Self.store(text, about: target, by: account, in: db)
            if db.changesCount > 0 { try db.log(.accountNoted, subject: target, account: account, at: now) }
        }
    }

    private static func store(_ text: String, about target: Int64, by account: Int64, in db: Database) throws {
        guard !text.isEmpty else {
            return try db.cachedStatement(sql: "DELETE FROM account_note WHERE account_id = ? AND target_id = ?")
                .execute(arguments: [account, target])
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO account_note (account_id, target_id, comment) VALUES (?, ?, ?)
                ON CONFLICT (account_id, target_id) DO UPDATE SET comment = excluded.comment
                WHERE account_note.comment <> excluded.comment
                """
        ).execute(arguments: [account, target, text])
    }
}
