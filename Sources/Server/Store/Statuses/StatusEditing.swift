package import FeedCore

/// Edits statuses in the database, and reads their history.
package struct StatusEditing: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// Replaces text, content warning, language, sensitivity, attached files and poll, and keeps the previous version in the
    /// history.
    /// - Throws: ``FeedError`` `.notFound` if the author has no such status, `.invalid` if a file cannot be attached.
    package func edit(id: Int64, to new: PreparedStatus) async throws -> Status {
        let now = database.clock.now()
        return try await database.commits.write { db in
            guard let old = try StatusStore.find(db, id: id, for: new.accountID), old.account.id == new.accountID,
                old.boost == nil
            else { throw FeedError.notFound }
            guard Self.changes(old, new, at: now) else { return old }
            try Self.keep(old, in: db)
            try Self.dropVersions(of: old.id, in: db)
            try Self.replace(old, by: new, at: now, in: db)
            try MediaStore.attach(new.draft, to: old.id, by: new.accountID, isNew: false, at: now, in: db)
            try PollStore.replace(old.poll, by: new.draft.poll, of: old.id, at: now, in: db)
            try Self.announce(new, of: old, at: now, in: db)
            guard let stored = try StatusStore.find(db, id: id, for: new.accountID) else { throw FeedError.notFound }
            try StatusIndex.put(stored, in: db)
            return stored
        }
    }

    /// All versions of a status, oldest first; `nil` if the viewer may not see the status.
    package func history(of id: Int64, for viewer: Int64?) async throws -> (status: Status, edits: [StatusEdit])? {
        try await database.read { db in
            guard let status = try StatusStore.find(db, id: id, for: viewer) else { return nil }
            let query: SQL = """
                SELECT created_at, content, spoiler_text, sensitive, media, poll FROM status_edit
                WHERE status_id = \(status.id) ORDER BY number
                """
            let rows = try db.fetchAll(query)
            let media = try StoredAttachment.unpack(rows.map { try $0[4] }, in: db)
            let old = try zip(rows, media).map { row, media in
                try StatusEdit(
                    createdAt: row[0], content: row[1], spoilerText: row[2], sensitive: row[3], media: media,
                    pollOptions: StoredPollOptions.unpack(row[5]))
            }
            let current = StatusEdit(
                createdAt: status.editedAt ?? status.createdAt, content: status.content,
                spoilerText: status.spoilerText, sensitive: status.sensitive, media: status.media,
                pollOptions: status.poll?.titles ?? [])
            return (status, old + [current])
        }
    }

    private static func changes(_ old: Status, _ new: PreparedStatus, at now: Int64) -> Bool {
        let draft = new.draft
        return old.text != draft.text || old.spoilerText != draft.spoilerText || old.language != draft.language
            || MediaStore.differs(draft, from: old.media) || PollRule.changes(old.poll, to: draft.poll, at: now)
            || old.sensitive != draft.isSensitive || old.content != new.rendered.html
    }

    private static func keep(_ old: Status, in db: Database) throws {
        try db.execute(
            """
            INSERT INTO status_edit (status_id, created_at, number, text, content, spoiler_text, sensitive, media,
            poll)
            VALUES (\(old.id), \(old.editedAt ?? old.createdAt), (SELECT coalesce(max(number) + 1, 0)
            FROM status_edit WHERE status_id = \(old.id)), \(old.text), \(old.content), \(old.spoilerText),
            \(old.sensitive), \(try StoredAttachment.pack(old.media)), \(try StoredPollOptions.pack(old.poll?.titles ?? [])))
            """)
    }

    private static func dropVersions(of id: Int64, in db: Database) throws {
        let newest = try db.fetchOne("SELECT max(number) FROM status_edit WHERE status_id = \(id)", as: Int.self)
        guard let removed = newest.flatMap(StatusHistory.removed) else { return }
        try db.execute(
            """
            DELETE FROM status_edit WHERE status_id = \(id) AND number BETWEEN \(removed.lowerBound)
            AND \(removed.upperBound)
            """)
    }

    /// Accounts mentioned before can still see the status, so their mentions are kept.
    private static func replace(_ old: Status, by new: PreparedStatus, at now: Int64, in db: Database) throws {
        let draft = new.draft
        try db.execute(
            """
            UPDATE status SET text = \(draft.text), content = \(new.rendered.html),
            spoiler_text = \(draft.spoilerText), sensitive = \(draft.isSensitive),
            language = \(draft.language), mentions = \(StatusRow.pack(new.rendered.mentions)),
            tags = \(StatusRow.pack(new.rendered.tags)), edited_at = \(now),
            media_ids = \(StatusRow.pack(draft.mediaIDs)), has_poll = \(draft.poll != nil) WHERE id = \(old.id)
            """)
        try db.execute("DELETE FROM status_tag WHERE status_id = \(old.id)")
        try StatusStore.index(new.rendered, of: old.id, by: old.account.id, old.visibility, in: db)
        try rejoin(old, new.rendered, at: now, in: db)
    }

    /// Updates conversations and the counts of hashtags.
    private static func rejoin(_ old: Status, _ text: RenderedText, at now: Int64, in db: Database) throws {
        if old.visibility == .direct { try db.addToConversations(old.id) }
        guard old.visibility == .public else { return }
        let (before, after) = (Hashtag.keys(old.tags), Hashtag.keys(text.tags))
        try db.uncountUses(of: before.subtracting(after), in: old.id, by: old.account.id)
        try db.countUses(of: after.subtracting(before), in: old.id, by: old.account.id, at: now)
    }

    /// Notifies accounts that boosted the status, and accounts that it now mentions.
    private static func announce(_ new: PreparedStatus, of old: Status, at now: Int64, in db: Database) throws {
        let tags = old.visibility == .public ? new.rendered.tags : []
        try db.log(.statusEdited, subject: old.id, account: new.accountID, tags: tags, at: now)
        let mentioned = NotificationRule.mentioned(in: new.rendered.mentions, before: old.mentions, by: new.accountID)
        for mention in mentioned {
            try db.log(.mentioned, subject: old.id, account: mention.id, at: now)
            try db.notify(mention.id, of: .mention, by: new.accountID, status: old.id, at: now)
        }
        let boosters: SQL = """
            SELECT account_id FROM status WHERE boost_of_id = \(old.id)
            ORDER BY id DESC LIMIT \(sql: NotificationRule.maximumRecipients)
            """
        for booster in try db.fetchAll(boosters, as: Int64.self) {
            try db.notify(booster, of: .update, by: new.accountID, status: old.id, at: now)
        }
    }
}
