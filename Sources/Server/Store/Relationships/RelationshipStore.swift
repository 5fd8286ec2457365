package import FeedCore

/// Reads relationships between accounts from the database.
package struct RelationshipStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// The relationships to `accounts`, in the given order, without unknown and suspended accounts.
    package func relationships(of viewer: Int64, to accounts: [Int64]) async throws -> [Relationship] {
        let now = database.clock.now()
        let query = Self.query(viewer, Set(accounts), at: now)
        let relationships = try await database.read { db in
            try db.fetchAll(query).map(Self.decode)
        }
        let byID = Dictionary(uniqueKeysWithValues: relationships.map { ($0.id, $0) })
        return accounts.compactMap { byID[$0] }
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

    private static func decode(_ row: Row) throws -> Relationship {
        var relationship = try Relationship(id: row[0])
        relationship.following = try options(row[1], row[2], row[13])
        relationship.requested = try options(row[3], row[4], row[14])
        if let hides = try row[5] as Bool? {
            relationship.mute = try Mute(hidesNotifications: hides, expiresAt: row[6])
        }
        relationship.isFollowed = try row[7]
        relationship.isRequested = try row[8]
        relationship.isBlocking = try row[9]
        relationship.isBlocked = try row[10]
        relationship.isEndorsed = try row[11]
        relationship.note = try row[12]
        return relationship
    }

    private static func options(_ showsReblogs: Bool?, _ notifies: Bool?, _ languages: String?) -> FollowOptions? {
        guard let showsReblogs, let notifies else { return nil }
        return FollowOptions(
            showsReblogs: showsReblogs, notifies: notifies, languages: FollowLanguages.unpack(languages))
    }
}
