import FeedCore

/// Stores private notes about accounts in the database.
package struct AccountNoteStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Replaces the note about an account; an empty one deletes it.
    /// - Throws: ``FeedError`` `.notFound`; `.invalid` if the note is too long.
    package func note(_ text: String, about target: Int64, by account: Int64) async throws {
        try AccountNote.check(text)
        let now = database.clock.now()
        try await database.commits.write { db in
            _ = try db.target(target, of: account)
            try db.requireActiveAccount(account)
            try Self.store(text, about: target, by: account, in: db)
            if try db.changesCount > 0 { try db.log(.accountNoted, subject: target, account: account, at: now) }
        }
    }

    private static func store(_ text: String, about target: Int64, by account: Int64, in db: Database) throws {
        guard !text.isEmpty else {
            return try db.execute("DELETE FROM account_note WHERE account_id = \(account) AND target_id = \(target)")
        }
        try db.execute(
            """
            INSERT INTO account_note (account_id, target_id, comment) VALUES (\(account), \(target), \(text))
            ON CONFLICT (account_id, target_id) DO UPDATE SET comment = excluded.comment
            WHERE account_note.comment <> excluded.comment
            """)
    }
}
