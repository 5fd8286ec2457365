import FeedCore

/// A kind of data that belongs to an account, and how the deletion of the account deletes some of it.
struct AccountDeletionStep: Sendable {
    /// The maximum number of rows per transaction, which takes well under 100 ms.
    static let maximumRows = 200
    /// The same for rows that take several statements each.
    static let maximumPairs = 50

    private let table: String
    /// The column that contains the account's id.
    private let column: String
    /// Deletes some rows.
    /// - Returns: The number of deleted rows that ``count(_:in:)`` counts; `nil` if there is nothing left to do.
    private let delete: @Sendable (_ account: Int64, _ now: Int64, Database) throws -> Int?

    /// All steps.
    static let all = content + relationships + barriers + silent

    /// The steps that delete the content of the account. Statuses come last because they take longest.
    static let content: [AccountDeletionStep] = [
        AccountDeletionStep("token", "account_id", tokens), AccountDeletionStep("favourite", "account_id", favourites),
        AccountDeletionStep("poll_vote", "account_id", RemovedVotes.delete),
        AccountDeletionStep("file", "account_id", files),
        AccountDeletionStep("media", "account_id", media),
        AccountDeletionStep("notification", "account_id", notifications("account_id")),
        AccountDeletionStep("notification", "from_id", notifications("from_id")),
        AccountDeletionStep("status", "account_id", AccountStatusDeletion.delete),
    ]

    /// Deleted after the statuses, because followers are notified when a status is deleted.
    private static let relationships: [AccountDeletionStep] = [
        AccountDeletionStep("follow", "follower_id", follows), AccountDeletionStep("follow", "followee_id", followers),
    ]

    /// They hide replies to the account from others, which reappear.
    private static let barriers: [AccountDeletionStep] = [
        AccountDeletionStep("block", "account_id", key: "account_id, target_id", logs: .accountRemoved),
        AccountDeletionStep("block", "target_id", key: "account_id, target_id", logs: .accountRemoved),
        AccountDeletionStep("mute", "account_id", key: "account_id, target_id", logs: .accountRemoved),
        AccountDeletionStep("mute", "target_id", key: "account_id, target_id", logs: .accountRemoved),
    ]

    /// Rows that nobody else can see any more, because the account is hidden.
    private static let silent: [AccountDeletionStep] = [
        AccountDeletionStep("authorization_code", "account_id", key: "hash"),
        AccountDeletionStep("password_reset", "account_id", key: "hash"),
        AccountDeletionStep("scheduled_status", "account_id", key: "id"),
        AccountDeletionStep("follow_request", "follower_id", key: "follower_id, followee_id"),
        AccountDeletionStep("follow_request", "followee_id", key: "follower_id, followee_id"),
        AccountDeletionStep("endorsement", "account_id", key: "account_id, target_id"),
        AccountDeletionStep("endorsement", "target_id", key: "account_id, target_id"),
        AccountDeletionStep("account_note", "account_id", key: "account_id, target_id"),
        AccountDeletionStep("account_note", "target_id", key: "account_id, target_id"),
        AccountDeletionStep("filter_keyword", "account_id", key: "id"),
        AccountDeletionStep("filter_status", "account_id", key: "id"),
        AccountDeletionStep("custom_filter", "account_id", key: "id"),
        AccountDeletionStep("bookmark", "account_id", key: "account_id, status_id"),
        AccountDeletionStep("pin", "account_id", key: "account_id, status_id"),
        AccountDeletionStep("conversation_mute", "account_id", key: "account_id, conversation_id"),
        AccountDeletionStep("mention", "account_id", key: "account_id, status_id"),
        AccountDeletionStep("conversation", "account_id", key: "account_id, conversation_id"),
        AccountDeletionStep("conversation_status", "account_id", key: "account_id, conversation_id, status_id"),
        AccountDeletionStep("featured_tag", "account_id", key: "account_id, tag"),
        AccountDeletionStep("dismissed_suggestion", "account_id", key: "account_id, target_id"),
        AccountDeletionStep("dismissed_suggestion", "target_id", key: "account_id, target_id"),
        AccountDeletionStep("marker", "account_id", key: "account_id, timeline"),
        AccountDeletionStep("list_member", "account_id", key: "list_id, account_id"),
        AccountDeletionStep("list_member", "owner_id", key: "list_id, account_id"),
        AccountDeletionStep("list", "account_id", key: "id"),
        AccountDeletionStep("tag_follow", "account_id", key: "account_id, tag"),
        AccountDeletionStep("idempotency", "account_id", key: "account_id, key"),
        AccountDeletionStep("known_network", "account_id", key: "account_id, network"),
        AccountDeletionStep("search_move", "account_id", key: "account_id"),
        AccountDeletionStep("report", "account_id", key: "id"),
        AccountDeletionStep("invitation", "account_id", key: "code"),
    ]

    private init(
        _ table: String, _ column: String,
        _ delete: @escaping @Sendable (_ account: Int64, _ now: Int64, Database) throws -> Int?
    ) {
        self.table = table
        self.column = column
        self.delete = delete
    }

    /// - Parameters:
    ///   - key: The columns of the primary key.
    ///   - kind: The kind of change that each transaction logs, if others notice it.
    private init(_ table: String, _ column: String, key: String, logs kind: Change.Kind? = nil) {
        self.init(table, column) { account, now, db in
            try db.execute(
                """
                DELETE FROM \(sql: table) WHERE (\(sql: key)) IN
                (SELECT \(sql: key) FROM \(sql: table)
                WHERE \(sql: column) = \(account) LIMIT \(sql: Self.maximumRows))
                """)
            let count = try db.changesCount
            guard count > 0 else { return nil }
            if let kind { try db.log(kind, subject: account, account: account, at: now) }
            return count
        }
    }

    func run(_ account: Int64, at now: Int64, in db: Database) throws -> Int? { try delete(account, now, db) }

    /// The number of rows left.
    func count(_ account: Int64, in db: Database) throws -> Int {
        try db.fetchOne("SELECT count(*) FROM \(sql: table) WHERE \(sql: column) = \(account)", as: Int.self) ?? 0
    }
}

extension AccountDeletionStep {
    @Sendable private static func tokens(of account: Int64, at now: Int64, in db: Database) throws -> Int? {
        let some: SQL = "id IN (SELECT id FROM token WHERE account_id = \(account) LIMIT \(maximumPairs))"
        let count = try GrantStore.revoke(db, where: some, at: now)
        return count > 0 ? count : nil
    }

    @Sendable private static func favourites(of account: Int64, at now: Int64, in db: Database) throws -> Int? {
        let statuses = try db.fetchAll(
            "SELECT status_id FROM favourite WHERE account_id = \(account) ORDER BY id LIMIT \(maximumRows)",
            as: Int64.self)
        guard !statuses.isEmpty else { return nil }
        try db.execute(
            """
            UPDATE status SET favourites_count = CASE WHEN favourites_count > 0 THEN favourites_count - 1 ELSE 0 END
            WHERE id IN (\(ids: statuses))
            """)
        try db.execute("DELETE FROM favourite WHERE account_id = \(account) AND status_id IN (\(ids: statuses))")
        for status in statuses { try db.log(.unfavourited, subject: status, account: account, at: now) }
        return statuses.count
    }

    /// Deletes notifications of the account, or notifications that it caused, also from the groups of others.
    private static func notifications(
        _ column: String
    ) -> @Sendable (_ account: Int64, _ now: Int64, Database) throws -> Int? {
        { account, _, db in
            let count = try db.deleteNotifications(where: "\(sql: column) = \(account)", limit: maximumRows)
            return count > 0 ? count : nil
        }
    }

    @Sendable private static func follows(of account: Int64, at now: Int64, in db: Database) throws -> Int? {
        let query = followQuery("followee_id", where: "follower_id", account)
        return try end(
            db.fetchAll(query, as: Int64.self).map { FollowPair(follower: account, followee: $0) }, at: now, in: db)
    }

    @Sendable private static func followers(of account: Int64, at now: Int64, in db: Database) throws -> Int? {
        let query = followQuery("follower_id", where: "followee_id", account)
        return try end(
            db.fetchAll(query, as: Int64.self).map { FollowPair(follower: $0, followee: account) }, at: now, in: db)
    }

    /// Follows of an unfinished import are left to the import.
    private static func followQuery(_ wanted: String, where known: String, _ account: Int64) -> SQL {
        """
        SELECT f.\(sql: wanted) FROM follow f WHERE f.\(sql: known) = \(account) AND \(StatusVisibility.published("f"))
        ORDER BY f.\(sql: wanted) LIMIT \(maximumPairs)
        """
    }

    private static func end(_ pairs: [FollowPair], at now: Int64, in db: Database) throws -> Int? {
        for pair in pairs { try pair.end(at: now, in: db) }
        return pairs.isEmpty ? nil : pairs.count
    }

    @Sendable private static func files(of account: Int64, at now: Int64, in db: Database) throws -> Int? {
        let rows = try db.fetchAll(
            "SELECT name, blob, size FROM file WHERE account_id = \(account) ORDER BY name LIMIT \(maximumPairs)")
        for row in rows {
            try db.execute("DELETE FROM file WHERE name = \(row[0] as String)")
            try FileStore.recordReplaced(
                Blob(hash: row[1], size: row[2]), of: account, in: db)
            try db.log(.fileDeleted, account: account, at: now)
        }
        return rows.isEmpty ? nil : rows.count
    }

    /// The account is hidden, so nobody sees the statuses that lose their files.
    @Sendable private static func media(of account: Int64, at now: Int64, in db: Database) throws -> Int? {
        let query: SQL = """
            SELECT \(sql: MediaRow.columns) FROM media m WHERE m.account_id = \(account)
            ORDER BY m.id LIMIT \(maximumPairs)
            """
        let attachments = try db.fetchAll(query).map(MediaRow.decode)
        for media in attachments { try MediaStore.remove(media, in: db) }
        return attachments.isEmpty ? nil : attachments.count
    }
}

/// Deletes the votes of a deleted account, some per transaction.
private enum RemovedVotes {
    /// - Returns: The number of deleted votes; `nil` after the last one.
    @Sendable static func delete(of account: Int64, at now: Int64, in db: Database) throws -> Int? {
        let polls = try db.fetchAll(
            """
            SELECT DISTINCT status_id FROM poll_vote WHERE account_id = \(account)
            ORDER BY status_id LIMIT \(AccountDeletionStep.maximumPairs)
            """, as: Int64.self)
        guard !polls.isEmpty else { return nil }
        try subtract(account, from: polls, in: db)
        try db.execute("DELETE FROM poll_vote WHERE account_id = \(account) AND status_id IN (\(ids: polls))")
        let count = try db.changesCount
        for poll in polls { try db.log(.pollVoted, subject: poll, account: account, at: now) }
        return count
    }

    private static func subtract(_ account: Int64, from polls: [Int64], in db: Database) throws {
        try db.execute(
            """
            UPDATE poll_option SET votes_count = CASE WHEN votes_count > 0 THEN votes_count - 1 ELSE 0 END
            WHERE status_id IN (\(ids: polls)) AND EXISTS (SELECT 1 FROM poll_vote v
                WHERE v.account_id = \(account) AND v.status_id = poll_option.status_id
                AND v.number = poll_option.number)
            """)
        try db.execute(
            """
            UPDATE poll SET voters_count = CASE WHEN voters_count > 0 THEN voters_count - 1 ELSE 0 END
            WHERE status_id IN (\(ids: polls))
            """)
    }
}
