package import FeedCore

/// Reads relationships between accounts from the database.
package struct RelationshipStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// The relationships to `accounts`, in the given order, without unknown and suspended accounts.
    package func relationships(of viewer: Int64, to accounts: [Int64]) async throws -> [Relationship] {
        let now = database.clock.now()
        let query = Self.query(viewer, Set(accounts), at: now)
        let found = try await database.read { db in
            try db.fetchAll(query).map(Self.decode)
        }
        let known = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        return accounts.compactMap { known[$0] }
    }

    static func query(_ me: Int64, _ accounts: Set<Int64>, at now: Int64) -> SQL {
        """
        SELECT a.id, f.shows_reblogs, f.notifies, r.shows_reblogs, r.notifies, m.hides_notifications, m.expires_at,
            EXISTS (SELECT 1 FROM follow x WHERE x.follower_id = a.id AND x.followee_id = \(me)
                AND x.import_id NOT IN (SELECT id FROM staged_import)),
            EXISTS (SELECT 1 FROM follow_request x WHERE x.follower_id = a.id AND x.followee_id = \(me)),
            EXISTS (SELECT 1 FROM block x WHERE x.account_id = \(me) AND x.target_id = a.id),
            EXISTS (SELECT 1 FROM block x WHERE x.account_id = a.id AND x.target_id = \(me)),
            EXISTS (SELECT 1 FROM endorsement x WHERE x.account_id = \(me) AND x.target_id = a.id),
            coalesce(n.comment, ''), f.languages, r.languages
        FROM account a
        LEFT JOIN follow f ON f.follower_id = \(me) AND f.followee_id = a.id
            AND f.import_id NOT IN (SELECT id FROM staged_import)
        LEFT JOIN follow_request r ON r.follower_id = \(me) AND r.followee_id = a.id
        LEFT JOIN mute m ON m.account_id = \(me) AND m.target_id = a.id
            AND (m.expires_at IS NULL OR m.expires_at > \(now))
        LEFT JOIN account_note n ON n.account_id = \(me) AND n.target_id = a.id
        WHERE a.id IN \(list: accounts) AND \(sql: AccountRow.visible)
        """
    }

    private static func decode(_ row: Row) -> Relationship {
        var relationship = Relationship(id: row[0])
        relationship.following = options(row[1], row[2], row[13])
        relationship.requested = options(row[3], row[4], row[14])
        if let hides = row[5] as Bool? { relationship.mute = Mute(hidesNotifications: hides, expiresAt: row[6]) }
        relationship.isFollowed = row[7]
        relationship.isRequested = row[8]
        relationship.isBlocking = row[9]
        relationship.isBlocked = row[10]
        relationship.isEndorsed = row[11]
        relationship.note = row[12]
        return relationship
    }

    private static func options(_ showsReblogs: Bool?, _ notifies: Bool?, _ languages: String?) -> FollowOptions? {
        guard let showsReblogs, let notifies else { return nil }
        return FollowOptions(
            showsReblogs: showsReblogs, notifies: notifies, languages: FollowLanguages.unpack(languages))
    }
}

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
