package import FeedCore
import Foundation

/// Validates, renders and stores statuses.
package struct StatusPosting: Sendable {
    private let accounts: AccountStore
    private let statuses: StatusStore
    private let edits: StatusEditing
    private let limits: Limits
    private let host: String?

    /// - Parameter host: The host of this server, which mentions may contain; `nil` if unknown.
    package init(accounts: AccountStore, statuses: StatusStore, limits: Limits, host: String? = nil) {
        self.accounts = accounts
        self.statuses = statuses
        edits = StatusEditing(statuses.database)
        self.limits = limits
        self.host = host
    }

    /// Posts a status; returns once it is durable.
    /// - Throws: ``FeedError`` `.invalid` if the text is blank or too long, if a file cannot be attached, or if the poll is
    ///   refused; `.notFound` if the status being replied to does not exist.
    package func post(_ draft: StatusDraft, by author: Account) async throws -> Status {
        try await statuses.insert(try await prepared(draft, by: author))
    }

    /// Checks and renders a new status.
    /// - Throws: As ``post(_:by:)``, except for files.
    func prepared(_ draft: StatusDraft, by author: Account) async throws -> PreparedStatus {
        try await prepare(draft, by: author, inReplyTo: try await replyTarget(of: draft, for: author))
    }

    /// Edits a status; its visibility and the status it replies to are unchanged.
    /// - Throws: ``FeedError`` `.invalid` if the text is blank or too long, or if a file cannot be attached; `.notFound` if
    ///   `author` has no such status.
    package func edit(_ id: Int64, to draft: StatusDraft, by author: Account) async throws -> Status {
        try await edits.edit(id: id, to: try await prepare(draft, by: author, inReplyTo: nil))
    }

    private func prepare(
        _ draft: StatusDraft, by author: Account, inReplyTo target: Status?
    ) async throws -> PreparedStatus {
        let bytes = draft.text.utf8.count + draft.spoilerText.utf8.count + (draft.poll?.bytes ?? 0)
        guard bytes <= limits.statusBytes else {
            throw FeedError.invalid("Text is longer than \(limits.statusBytes) bytes")
        }
        let segments = StatusTextParser.parse(draft.text, host: host)
        try Self.check(draft, segments: segments, limits: limits)
        try AttachmentRule.check(draft, limits.media)
        try draft.checkPoll()
        let mentions = try await accounts.accounts(named: StatusHTML.mentionedNames(in: segments))
        let rendered = StatusHTML.render(segments, known: mentions)
        guard rendered.html.utf8.count <= limits.statusHTMLBytes else {
            throw FeedError.invalid("The text has too many long links")
        }
        var draft = draft
        draft.inReplyToID = target?.id
        return PreparedStatus(
            accountID: author.id, draft: draft, rendered: rendered,
            inReplyToAccountID: target?.account.id)
    }

    private func replyTarget(of draft: StatusDraft, for author: Account) async throws -> Status? {
        guard let id = draft.inReplyToID else { return nil }
        guard let target = try await statuses.status(id: id, for: author.id) else {
            throw FeedError(.notFound, "The status you are replying to does not exist")
        }
        return target
    }

    /// Checks the limits that apply to the parsed text.
    static func check(_ draft: StatusDraft, segments: [TextSegment], limits: Limits) throws(FeedError) {
        guard !draft.mediaIDs.isEmpty || draft.text.contains(where: { !$0.isWhitespace }) else {
            throw .invalid("Text can't be blank")
        }
        let length = StatusHTML.length(of: segments, linkLength: limits.linkLength) + draft.spoilerText.count
        guard length <= limits.statusCharacters else {
            throw .invalid("The text has \(length) characters; \(limits.statusCharacters) are allowed")
        }
    }
}

extension StatusStore {
    /// Stores a status with its attached files, or returns the existing one with the same idempotency key.
    /// - Throws: ``FeedError`` `.invalid` if a file cannot be attached; nothing is stored then.
    package func insert(_ status: PreparedStatus) async throws -> Status {
        let now = database.clock.now()
        return try await database.commits.write { db in
            if let key = status.draft.idempotencyKey,
                let earlier = try Self.existing(key, of: status.accountID, at: now, in: db)
            {
                return earlier
            }
            return try Self.post(status, at: now, in: db)
        }
    }

    /// Stores a new status with everything that belongs to it. Its id and time are those of this call.
    /// - Throws: ``FeedError`` `.invalid` if a file cannot be attached.
    static func post(_ status: PreparedStatus, at now: Int64, in db: Database) throws -> Status {
        let (author, id, followers) = try prerequisites(of: status, at: now, in: db)
        try insert(status, id: id, at: now, into: db)
        try MediaStore.attach(status.draft, to: id, by: status.accountID, isNew: true, at: now, in: db)
        if let poll = status.draft.poll { try PollStore.insert(poll, of: id, at: now, in: db) }
        try count(status, at: now, in: db)
        try join(status, id: id, at: now, in: db)
        try announce(status, id: id, to: followers, at: now, in: db)
        try storeKey(of: status, id: id, at: now, in: db)
        let new = status.status(id: id, by: author, at: now)
        guard let stored = try new ?? find(db, id: id, for: status.accountID) else { throw FeedError.notFound }
        try StatusIndex.add(stored, in: db)
        return stored
    }

    /// Stores the row and its index entries. The caller updates counts and the change log.
    static func insert(
        _ status: PreparedStatus, id: Int64, at time: Int64, importID: Int64 = 0, importKey: [UInt8]? = nil,
        into db: Database
    ) throws {
        let draft = status.draft
        try db.execute(
            """
            INSERT INTO status
            (id, account_id, created_at, visibility, language, source, text, content, spoiler_text, sensitive,
             in_reply_to_id, conversation_id, in_reply_to_account_id, mentions, tags, import_id, import_key,
             source_website, media_ids, has_poll)
            VALUES (\(id), \(status.accountID), \(time), \(draft.visibility.rawValue), \(draft.language),
             \(draft.source), \(draft.text), \(status.rendered.html), \(draft.spoilerText),
             \(draft.isSensitive), \(draft.inReplyToID),
             (SELECT coalesce(conversation_id, id) FROM status WHERE id = \(draft.inReplyToID)),
             \(status.inReplyToAccountID), \(StatusRow.pack(status.rendered.mentions)),
             \(StatusRow.pack(status.rendered.tags)), \(importID), \(importKey.map { Data($0) }),
             \(draft.sourceWebsite), \(StatusRow.pack(draft.mediaIDs)), \(draft.poll != nil))
            """)
        try index(status.rendered, of: id, by: status.accountID, draft.visibility, in: db)
    }

    /// Stores the mentions and hashtags of a text.
    static func index(
        _ text: RenderedText, of id: Int64, by author: Int64, _ visibility: Visibility, in db: Database
    ) throws {
        for mention in text.mentions {
            try db.execute(
                """
                INSERT INTO mention (account_id, status_id, author_id, visibility)
                VALUES (\(mention.id), \(id), \(author), \(visibility.rawValue))
                ON CONFLICT DO NOTHING
                """)
        }
        for tag in text.tags {
            try db.execute(
                """
                INSERT INTO status_tag (tag, status_id, account_id, visibility)
                VALUES (\(Hashtag.key(tag)), \(id), \(author), \(visibility.rawValue))
                ON CONFLICT DO NOTHING
                """)
        }
    }

    /// Adds a new status to the conversations of its participants, or counts its hashtags.
    private static func join(_ status: PreparedStatus, id: Int64, at now: Int64, in db: Database) throws {
        switch status.draft.visibility {
        case .direct: try db.addToConversations(id)
        case .public:
            try db.countUses(of: Hashtag.keys(status.rendered.tags), in: id, by: status.accountID, at: now)
        case .unlisted, .followers: break
        }
    }

    private static func count(_ status: PreparedStatus, at now: Int64, in db: Database) throws {
        let visibility = status.draft.visibility
        if visibility.affectsStatusCount {
            try db.execute(
                """
                UPDATE account SET statuses_count = statuses_count + 1, last_status_at = \(now)
                WHERE id = \(status.accountID)
                """)
        }
        if visibility.isPublicOrUnlisted, let target = status.draft.inReplyToID {
            try db.execute("UPDATE status SET replies_count = replies_count + 1 WHERE id = \(target)")
        }
    }

    /// The author, the id and the followers to notify of a new status, all in one round trip.
    private static func prerequisites(
        of status: PreparedStatus, at now: Int64, in db: Database
    ) throws -> (author: Account, id: Int64, followers: [Int64]) {
        var queries = [AccountStore.query(id: status.accountID), Database.nextIDQuery(now: now)]
        let notifies = NotificationRule.notifiesFollowers(status.draft)
        if notifies { queries.append(notified(by: status)) }
        let rows = try db.fetchAll(of: queries)
        return (
            try Database.activeAccount(rows[0].first), try Database.id(from: rows[1].first),
            notifies ? try rows[2].map { try $0[0] } : []
        )
    }

    /// The query for followers who requested a notification of every status, or of every status in some languages.
    private static func notified(by status: PreparedStatus) -> SQL {
        let padded = status.draft.language.map { " " + $0 + " " }
        let isIncluded: SQL =
            padded.map { "(languages IS NULL OR \(FollowLanguages.includes("languages", "\($0)")))" } ?? "1 = 1"
        return """
            SELECT follower_id FROM follow WHERE followee_id = \(status.accountID) AND notifies = 1 AND \(isIncluded)
            AND import_id NOT IN (SELECT id FROM staged_import)
            ORDER BY follower_id LIMIT \(NotificationRule.maximumRecipients)
            """
    }

    /// Adds one entry to the change log for each observable effect, and notifies the recipients.
    /// - Parameter followers: The followers who are notified.
    private static func announce(
        _ status: PreparedStatus, id: Int64, to followers: [Int64], at now: Int64, in db: Database
    ) throws {
        try db.log(
            .statusCreated, subject: id, account: status.accountID, related: status.draft.inReplyToID,
            tags: status.draft.visibility == .public ? status.rendered.tags : [], at: now)
        for mention in NotificationRule.mentioned(in: status.rendered.mentions, by: status.accountID) {
            try db.log(.mentioned, subject: id, account: mention.id, at: now)
            try db.notify(mention.id, of: .mention, by: status.accountID, status: id, at: now)
        }
        for follower in followers {
            try db.notify(follower, of: .status, by: status.accountID, status: id, at: now)
        }
    }
}

extension StatusStore {
    /// Removes idempotency keys that have expired.
    package func pruneIdempotencyKeys() async throws {
        let limit = IdempotencyKey.expiry(at: database.clock.now())
        let expired: SQL = "SELECT account_id, key FROM idempotency WHERE created_at <= \(limit) LIMIT 500"
        // Usually no keys have expired, and a transaction would cost an fsync.
        while try await database.read({ try $0.fetchOne(expired) != nil }) {
            try await database.commits.write { db in
                try db.execute("DELETE FROM idempotency WHERE (account_id, key) IN (\(expired))")
            }
        }
    }

    /// The status that was previously posted with the same key, if any.
    static func existing(_ key: String, of account: Int64, at now: Int64, in db: Database) throws -> Status? {
        let query: SQL = """
            SELECT status_id FROM idempotency WHERE account_id = \(account) AND key = \(key)
            AND created_at > \(IdempotencyKey.expiry(at: now))
            """
        guard let id = try db.fetchOne(query, as: Int64.self) else { return nil }
        return try find(db, id: id, for: account)
    }

    private static func storeKey(of status: PreparedStatus, id: Int64, at now: Int64, in db: Database) throws {
        guard let key = status.draft.idempotencyKey else { return }
        try db.execute(
            """
            INSERT INTO idempotency (account_id, key, status_id, created_at)
            VALUES (\(status.accountID), \(key), \(id), \(now))
            ON CONFLICT (account_id, key) DO UPDATE
            SET status_id = excluded.status_id, created_at = excluded.created_at
            """)
    }
}
