import FeedCore

/// Decodes statuses from query results, with their authors, boosts and the viewer's marks.
enum StatusRow {
    private enum Column: Int, EntityColumn {
        case id, createdAt, editedAt, visibility, language, source, text, content, spoilerText, sensitive, inReplyToID,
            inReplyToAccountID, repliesCount, reblogsCount, favouritesCount, mentions, tags, sourceWebsite, mediaIDs,
            hasPoll
    }

    /// The columns of a row beside the status: the viewer's marks, and the entry of the timeline.
    private enum Entry: Int, EntityColumn {
        case favourite, bookmark, pin, conversationMute, boost, pageID, id, createdAt, visibility

        func sql(for viewer: Int64?) -> SQL {
            switch self {
            case .pageID: "c.page_id"
            case .id: "e.id"
            case .createdAt: "e.created_at"
            case .visibility: "e.visibility"
            case .favourite, .bookmark, .pin, .conversationMute, .boost: viewer.map(mark) ?? "0"
            }
        }

        /// Whether the viewer has marked the status.
        private func mark(of viewer: Int64) -> SQL {
            switch self {
            case .bookmark:
                "EXISTS (SELECT 1 FROM bookmark x WHERE x.account_id = \(viewer) AND x.status_id = s.id)"
            case .pin:
                """
                s.account_id = \(viewer)
                AND EXISTS (SELECT 1 FROM pin x WHERE x.account_id = \(viewer) AND x.status_id = s.id)
                """
            case .conversationMute:
                """
                EXISTS (SELECT 1 FROM conversation_mute x WHERE x.account_id = \(viewer)
                    AND x.conversation_id = coalesce(s.conversation_id, s.id))
                """
            case .boost: "EXISTS (SELECT 1 FROM status x WHERE x.account_id = \(viewer) AND x.boost_of_id = s.id)"
            default: "EXISTS (SELECT 1 FROM favourite x WHERE x.account_id = \(viewer) AND x.status_id = s.id)"
            }
        }
    }

    private static let own = AccountRow.columns + ", " + Column.list(of: "s")
    private static let booster = ", " + AccountRow.columns(of: "b")
    private static let firstOfEntry = AccountRow.count + Column.allCases.count
    private static let firstOfBooster = firstOfEntry + Entry.allCases.count

    /// The columns of `c` (page_id, status_id), joined to the entry `e`, to the status `s` (the entry itself or the
    /// status that it boosts), to its author `a` and to the booster `b`.
    private static func columns(viewer: Int64?, boosts: Bool) -> SQL {
        "\(sql: own), \(viewer.map { entry(for: $0) } ?? unmarked)\(sql: boosts ? booster : "")"
    }

    private static let unmarked = entry(for: nil)

    private static func entry(for viewer: Int64?) -> SQL {
        Entry.allCases.map { $0.sql(for: viewer) }.joined(separator: ", ")
    }

    /// The same columns of statuses `e` by `ea` for an anonymous visitor.
    private static let unmarkedStatuses = [
        AccountRow.columns(of: "ea"), Column.list(of: "e"), unmarked.text.replacing("c.page_id", with: "e.id"),
    ].joined(separator: ", ")

    private static func query(_ candidates: StatusCandidates, viewer: Int64?) -> SQL {
        if viewer == nil, let statuses = candidates.statuses { return "SELECT \(sql: unmarkedStatuses) \(statuses)" }
        let boosts = candidates.boosts
        return """
            WITH c(page_id, status_id) AS MATERIALIZED (\(candidates.query))
            SELECT \(columns(viewer: viewer, boosts: boosts)) FROM c \(sql: boosts ? joinsWithBoosts : joins)
            """
    }

    /// The columns of ``ListedStatusRow`` that tell what a viewer has marked.
    /// - Parameter onlyMutes: Whether the viewer can only have muted conversations.
    static func marks(of viewer: Int64, onlyMutes: Bool) -> SQL {
        if onlyMutes { return "0, 0, 0, \(Entry.conversationMute.sql(for: viewer)), 0" }
        return [Entry.favourite, .bookmark, .pin, .conversationMute, .boost].map { $0.sql(for: viewer) }
            .joined(separator: ", ")
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

    /// Reads statuses with the attached files and polls.
    static func read(_ candidates: StatusCandidates, for viewer: Int64?, in db: Database) throws -> [Status] {
        let query = query(candidates, viewer: viewer)
        let rows = try candidates.sorted(try db.fetchAll(query), by: firstOfEntry + Entry.pageID.rawValue)
        var statuses = try rows.map(decode)
        let own = rows.map { EntityRow($0, Column.self, from: AccountRow.count) }
        try addMedia(own.map { unpack(try $0[.mediaIDs]) }, to: &statuses, in: db)
        try addPolls(own.map { try $0[.hasPoll] }, to: &statuses, for: viewer, in: db)
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
        let own = EntityRow(row, Column.self, from: AccountRow.count)
        var status = try Status(
            id: own[.id], account: AccountRow.decode(row), createdAt: own[.createdAt], editedAt: own[.editedAt],
            visibility: Visibility(rawValue: own[.visibility]) ?? .direct, language: own[.language],
            source: own[.source], text: own[.text], content: own[.content], spoilerText: own[.spoilerText],
            sensitive: own[.sensitive], inReplyToID: own[.inReplyToID], inReplyToAccountID: own[.inReplyToAccountID],
            repliesCount: own[.repliesCount], reblogsCount: own[.reblogsCount], favouritesCount: own[.favouritesCount],
            mentions: mentions(own[.mentions]), tags: tags(own[.tags]))
        status.sourceWebsite = try own[.sourceWebsite]
        try decodeEntry(row, into: &status)
        return status
    }

    private static func decodeEntry(_ row: Row, into status: inout Status) throws {
        let entry = EntityRow(row, Entry.self, from: firstOfEntry)
        if try entry[.favourite] { status.marks.insert(.favourite) }
        if try entry[.bookmark] { status.marks.insert(.bookmark) }
        if try entry[.pin] { status.marks.insert(.pin) }
        if try entry[.conversationMute] { status.marks.insert(.conversationMute) }
        status.isBoostedByViewer = try entry[.boost]
        status.pageID = try entry[.pageID]
        let id: Int64 = try entry[.id]
        guard id != status.id else { return }
        status.boost = try Status.Boost(
            id: id, account: AccountRow.decode(row, from: firstOfBooster), createdAt: entry[.createdAt],
            visibility: Visibility(rawValue: entry[.visibility]) ?? .direct)
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

/// The statuses and boosts to read.
struct StatusCandidates: Sendable {
    /// A query of (page_id, status_id).
    let query: SQL
    /// The query from its `FROM` on, if it reads nothing but the statuses `e` by `ea`, which are no boosts.
    var statuses: SQL?
    /// Whether the lowest page_id comes first.
    var isAscending = false
    /// Whether there may be boosts among them.
    var boosts = true
    /// Whether their viewer has marked none of them. Boosts may contain marked statuses, and replies belong to muted
    /// conversations.
    var areNew = false

    /// Rows in the order of the page. The database would copy all columns of each row to sort them.
    /// - Parameter column: The column that contains page_id.
    func sorted(_ rows: [Row], by column: Int) throws -> [Row] {
        try rows.sorted {
            let (first, second): (Int64, Int64) = (try $0[column], try $1[column])
            return isAscending ? first < second : first > second
        }
    }
}
