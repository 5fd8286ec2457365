package import FeedCore

/// Finds accounts in the database that somebody may want to follow.
package struct SuggestionStore: Sendable {
    /// The number of followed accounts whose follows are read, and of follows read for each.
    private static let maximumFriends = 40
    private static let followsPerFriend = 40
    /// The number of accounts that are considered per source.
    private static let maximumCandidates = 100

    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// A part of the directory of accounts that want to be found. It is shorter than `limit` if the viewer blocks or mutes
    /// some of them.
    /// - Parameter offset: The number of accounts to leave out, at most ``Directory/maximumOffset``.
    package func directory(
        _ order: Directory, limit: Int, offset: Int, for viewer: Int64?
    ) async throws -> [Account] {
        let query = Self.directoryQuery(
            order, limit: limit, offset: min(offset, Directory.maximumOffset), for: viewer, now: database.clock.now())
        return try await database.read { db in try db.fetchAll(query).map { try AccountRow.decode($0) } }
    }

    /// Accounts to follow, except those that `account` follows, has asked to follow, or has dismissed. Accounts followed
    /// by most of those it follows come first, then the most recently active ones.
    package func suggestions(for account: Int64, limit: Int) async throws -> [Suggestion] {
        let now = database.clock.now()
        let friends = try await database.read { try Self.friendsOfFriends(of: account, in: $0) }
        var suggestions = try await accounts(friends, for: account, now: now).prefix(limit)
            .map { Suggestion(account: $0, source: .friendsOfFriends) }
        guard suggestions.count < limit else { return suggestions }
        let active = try await database.read { try $0.fetchAll(Self.activeQuery(), as: Int64.self) }
        let suggested = Set(suggestions.map(\.account.id))
        suggestions += try await accounts(active.filter { !suggested.contains($0) }, for: account, now: now)
            .prefix(limit - suggestions.count).map { Suggestion(account: $0, source: .recentlyActive) }
        return suggestions
    }

    /// Never suggests an account again. Idempotent.
    /// - Throws: ``FeedError`` `.notFound` if there is no such account.
    package func dismiss(_ target: Int64, by account: Int64) async throws {
        let now = database.clock.now()
        try await database.commits.write { db in
            try db.requireActiveAccount(account)
            guard let target = try AccountStore.find(db, id: target), target.suspendedAt == nil else {
                throw FeedError.notFound
            }
            try db.execute(
                """
                INSERT INTO dismissed_suggestion (account_id, target_id) VALUES (\(account), \(target.id))
                ON CONFLICT DO NOTHING
                """)
            guard try db.changesCount > 0 else { return }
            try db.log(.suggestionDismissed, subject: target.id, account: account, at: now)
        }
    }
}

extension SuggestionStore {
    /// The ids of accounts followed by those that `account` follows, most often followed first.
    static func friendsOfFriends(of account: Int64, in db: Database) throws -> [Int64] {
        var counts: [Int64: Int] = [:]
        for friend in try followed(by: account, limit: maximumFriends, in: db) {
            for id in try followed(by: friend, limit: followsPerFriend, in: db) { counts[id, default: 0] += 1 }
        }
        return counts.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(maximumCandidates).map(\.key)
    }

    private static func followed(by account: Int64, limit: Int, in db: Database) throws -> [Int64] {
        let query: SQL = """
            SELECT f.followee_id FROM follow f WHERE f.follower_id = \(account)
            AND f.import_id NOT IN (SELECT id FROM staged_import) ORDER BY f.followee_id DESC LIMIT \(limit)
            """
        return try db.fetchAll(query, as: Int64.self)
    }

    static func activeQuery() -> SQL {
        """
        SELECT a.id FROM account a
        WHERE a.discoverable = 1 AND a.suspended_at IS NULL AND a.silenced_at IS NULL AND a.last_status_at IS NOT NULL
        ORDER BY a.last_status_at DESC, a.id DESC LIMIT \(maximumCandidates)
        """
    }

    /// The accounts among `ids` that may be suggested, in the same order.
    private func accounts(_ ids: [Int64], for account: Int64, now: Int64) async throws -> [Account] {
        let query = Self.suggestedQuery(ids, for: account, now: now)
        let accounts = try await database.read { db in try db.fetchAll(query).map { try AccountRow.decode($0) } }
        let byID = Dictionary(accounts.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    static func suggestedQuery(_ ids: [Int64], for account: Int64, now: Int64) -> SQL {
        """
        SELECT \(sql: AccountRow.columns) FROM account a WHERE a.id IN (\(ids: ids)) AND a.id <> \(account)
        AND a.discoverable = 1 AND \(isShown(to: account, now: now))
        AND NOT \(StatusVisibility.follows(account, "a.id"))
        AND NOT EXISTS (SELECT 1 FROM dismissed_suggestion d WHERE d.account_id = \(account) AND d.target_id = a.id)
        AND NOT EXISTS (SELECT 1 FROM follow_request r WHERE r.follower_id = \(account) AND r.followee_id = a.id)
        """
    }

    /// A page has fewer accounts than `limit` if the viewer blocks or mutes some.
    static func directoryQuery(
        _ order: Directory, limit: Int, offset: Int, for viewer: Int64?, now: Int64
    ) -> SQL {
        let (condition, column) =
            switch order {
            case .active: ("AND d.last_status_at IS NOT NULL", "last_status_at")
            case .new: ("", "id")
            }
        return """
            SELECT \(sql: AccountRow.columns) FROM (SELECT d.id FROM account d
                WHERE d.discoverable = 1 AND d.suspended_at IS NULL AND d.silenced_at IS NULL \(sql: condition)
                ORDER BY d.\(sql: column) DESC, d.id DESC LIMIT \(limit) OFFSET \(offset)) w
            CROSS JOIN account a ON a.id = w.id WHERE \(isShown(to: viewer, now: now))
            ORDER BY a.\(sql: column) DESC, a.id DESC
            """
    }

    /// Whether the account `a` is recommended. As in Mastodon, a silenced account is not, not even to its followers.
    private static func isShown(to viewer: Int64?, now: Int64) -> SQL {
        """
        \(sql: AccountRow.visible) AND a.silenced_at IS NULL
        AND \(StatusVisibility.blockAndMuteCondition("a.id", viewer: viewer, now: now))
        """
    }
}
