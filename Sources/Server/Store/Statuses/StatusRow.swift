import FeedCore

/// Decodes statuses from query results, with their authors, boosts and the viewer's marks.
enum StatusRow {
    /// The columns of `c` (page_id, status_id), joined to the entry `e`, to the status `s` (the entry itself or the
    /// status that it boosts), to its author `a` and to the booster `b`.
    private static func columns(viewer: Int64?, boosts: Bool) -> SQL {
        let booster = boosts ? ", " + booster : ""
        return """
            \(sql: AccountRow.columns), \(sql: own), \(marks(of: viewer)), c.page_id, e.id, e.created_at, e.visibility\
            \(sql: booster)
            """
    }

    /// - Parameters:
    ///   - candidates: A query of (page_id, status_id).
    ///   - boosts: Whether there may be boosts among them.
    static func query(_ candidates: SQL, order: SQL, viewer: Int64?, boosts: Bool = true) -> SQL {
        """
        WITH c(page_id, status_id) AS MATERIALIZED (\(candidates))
        SELECT \(columns(viewer: viewer, boosts: boosts)) FROM c \(sql: boosts ? joinsWithBoosts : joins)
        ORDER BY c.page_id \(order)
        """
    }

    private static let joins = """
        CROSS JOIN status e ON e.id = c.status_id
        CROSS JOIN status s ON s.id = e.id
        CROSS JOIN account a ON a.id = s.account_id
        """
    private static let joinsWithBoosts = """
        CROSS JOIN status e ON e.id = c.status_id
        CROSS JOIN status s ON s.id = coalesce(e.boost_of_id, e.id)
        CROSS JOIN account a ON a.id = s.account_id
        LEFT JOIN account b ON b.id = CASE WHEN e.boost_of_id IS NULL THEN NULL ELSE e.account_id END
        """

    private static let own = """
        s.id, s.created_at, s.edited_at, s.visibility, s.language, s.source, s.text, s.content, s.spoiler_text, \
        s.sensitive, s.in_reply_to_id, s.in_reply_to_account_id, s.replies_count, s.reblogs_count, \
        s.favourites_count, s.mentions, s.tags, s.source_website, s.media_ids, \
        s.has_poll
        """
    private static let ownCount = 20
    private static let booster = AccountRow.columns.replacing("a.", with: "b.")

    private static func marks(of viewer: Int64?) -> SQL {
        guard let viewer else { return "0, 0, 0, 0, 0" }
        return """
            EXISTS (SELECT 1 FROM favourite x WHERE x.account_id = \(viewer) AND x.status_id = s.id),
            EXISTS (SELECT 1 FROM bookmark x WHERE x.account_id = \(viewer) AND x.status_id = s.id),
            s.account_id = \(viewer) AND EXISTS (SELECT 1 FROM pin x WHERE x.account_id = \(viewer) AND x.status_id = s.id),
            EXISTS (SELECT 1 FROM conversation_mute x WHERE x.account_id = \(viewer)
                AND x.conversation_id = coalesce(s.conversation_id, s.id)),
            EXISTS (SELECT 1 FROM status x WHERE x.account_id = \(viewer) AND x.boost_of_id = s.id)
            """
    }

    /// Runs a query of ``query(_:order:viewer:)``, and others for attached files and polls if there are any.
    static func read(_ query: SQL, for viewer: Int64?, in db: Database) throws -> [Status] {
        let rows = try db.fetchAll(query)
        var statuses = try rows.map(decode)
        try addMedia(rows.map { unpack($0[AccountRow.count + ownCount - 2]) }, to: &statuses, in: db)
        try addPolls(rows.map { $0[AccountRow.count + ownCount - 1] }, to: &statuses, for: viewer, in: db)
        return statuses
    }

    private static func addMedia(_ ids: [[Int64]], to statuses: inout [Status], in db: Database) throws {
        let media = try MediaStore.find(db, ids: Array(Set(ids.joined())))
        for index in statuses.indices where !ids[index].isEmpty {
            statuses[index].media = ids[index].compactMap { media[$0]?.attachment }
        }
    }

    private static func addPolls(
        _ havePoll: [Bool], to statuses: inout [Status], for viewer: Int64?, in db: Database
    ) throws {
        let indices = statuses.indices.filter { havePoll[$0] }
        let polls = try PollStore.find(db, ids: Array(Set(indices.map { statuses[$0].id })), for: viewer)
        for index in indices { statuses[index].poll = polls[statuses[index].id] }
    }

    private static func decode(_ row: Row) throws -> Status {
        let first = AccountRow.count
        var status = Status(
            id: row[first], account: try AccountRow.decode(row), createdAt: row[first + 1], editedAt: row[first + 2],
            visibility: Visibility(rawValue: row[first + 3]) ?? .direct, language: row[first + 4],
            source: row[first + 5],
            text: row[first + 6], content: row[first + 7], spoilerText: row[first + 8], sensitive: row[first + 9],
            inReplyToID: row[first + 10], inReplyToAccountID: row[first + 11], repliesCount: row[first + 12],
            reblogsCount: row[first + 13], favouritesCount: row[first + 14], mentions: mentions(row[first + 15]),
            tags: tags(row[first + 16]))
        status.sourceWebsite = row[first + 17]
        try decodeRest(row, from: first + ownCount, into: &status)
        return status
    }

    private static func decodeRest(_ row: Row, from first: Int, into status: inout Status) throws {
        for (index, mark) in [StatusMark.favourite, .bookmark, .pin, .conversationMute].enumerated()
        where row[first + index] {
            status.marks.insert(mark)
        }
        status.isBoostedByViewer = row[first + 4]
        status.pageID = row[first + 5]
        guard row[first + 6] != status.id else { return }
        status.boost = Status.Boost(
            id: row[first + 6], account: try AccountRow.decode(row, from: first + 9), createdAt: row[first + 7],
            visibility: Visibility(rawValue: row[first + 8]) ?? .direct)
    }

    static func pack(_ mentions: [Status.Mention]) -> String {
        mentions.map { "\($0.id):\($0.username)" }.joined(separator: " ")
    }

    static func pack(_ tags: [String]) -> String { tags.joined(separator: " ") }

    static func pack(_ ids: [Int64]) -> String { ids.map(String.init).joined(separator: " ") }

    static func unpack(_ ids: String) -> [Int64] {
        words(ids).compactMap { Int64($0) }
    }

    /// Most statuses have neither mentions nor hashtags nor files.
    private static func words(_ packed: String) -> [Substring] {
        packed.isEmpty ? [] : packed.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init)
    }

    static func tags(_ packed: String) -> [String] { words(packed).map(String.init) }

    static func mentions(_ packed: String) -> [Status.Mention] {
        words(packed).compactMap { entry in
            let parts = entry.utf8.split(separator: UInt8(ascii: ":")).map(Substring.init)
            guard parts.count == 2, let id = Int64(parts[0]) else { return nil }
            return Status.Mention(id: id, username: String(parts[1]))
        }
    }
}
