import FeedCore

/// Reads the statuses of a list in two steps: first, which ones, and what their viewer has marked; then the content of
/// those that the caller does not know.
enum ListedStatusRow {
    private enum Column {
        static let (pageID, id, position, statusID, hasPoll, firstMark) = (0, 1, 2, 3, 4, 5)
    }

    static func read(
        _ candidates: StatusCandidates, for viewer: Int64?, known: KnownStatuses, in db: Database
    ) throws -> [ListedStatus] {
        let rows = try candidates.sorted(try db.fetchAll(query(candidates, viewer)), by: Column.pageID)
        guard let first = rows.first else { return [] }
        let (entries, position) = (try entries(in: rows, for: viewer, db), try first[Column.position] as Int64)
        return try content(of: entries, boosts: candidates.boosts, at: position, known: known, in: db)
    }

    /// The entries of a list, without their content.
    static func entries(_ candidates: StatusCandidates, for viewer: Int64, in db: Database) throws -> [MarkedEntry] {
        try entries(in: try db.fetchAll(query(candidates, viewer)), for: viewer, db)
    }

    /// Adds the content of entries. Entries that have been deleted are left out.
    /// - Parameter position: The position of the change log in the snapshot that is read.
    static func content(
        of entries: [MarkedEntry], boosts: Bool = true, at position: Int64, known: KnownStatuses, in db: Database
    ) throws -> [ListedStatus] {
        let templates = known(entries.map(\.id), position)
        let missing = zip(entries, templates).compactMap { $1 == nil ? $0.id : nil }
        let statuses = try statuses(missing, boosts: boosts, at: position, in: db)
        return zip(entries, templates).compactMap { entry, template in
            let content = template.map(ListedStatus.Content.known) ?? statuses[entry.id].map(ListedStatus.Content.read)
            return content.map { ListedStatus(entry, $0) }
        }
    }

    private static func entries(in rows: [Row], for viewer: Int64?, _ db: Database) throws -> [MarkedEntry] {
        let votes = try viewer.map { try self.votes(of: $0, in: rows, db) } ?? [:]
        return try rows.map { row in
            var marks = SharedStatus.Marks()
            if viewer != nil {
                marks = try self.marks(row)
                marks.votes = votes[try row[Column.statusID], default: []]
            }
            return MarkedEntry(id: try row[Column.id], pageID: try row[Column.pageID], marks: marks)
        }
    }

    private static func query(_ candidates: StatusCandidates, _ viewer: Int64?) -> SQL {
        // The position is that of the snapshot in which the content is read, too.
        let position: SQL = "(SELECT coalesce(max(sequence), 0) FROM change)"
        guard let viewer else { return "SELECT c.*, \(position) FROM (\(candidates.query)) c" }
        let marks = StatusRow.marks(of: viewer, onlyMutes: candidates.areNew && !candidates.boosts)
        let status: SQL =
            candidates.boosts
            ? "CROSS JOIN status e ON e.id = c.status_id CROSS JOIN status s ON s.id = coalesce(e.boost_of_id, e.id)"
            : "CROSS JOIN status s ON s.id = c.status_id"
        return """
            WITH c(page_id, status_id) AS MATERIALIZED (\(candidates.query))
            SELECT c.page_id, c.status_id, \(position), s.id, s.has_poll, \(marks) FROM c \(status)
            """
    }

    /// Statuses without marks by the requested ids.
    private static func statuses(
        _ ids: [Int64], boosts: Bool, at position: Int64, in db: Database
    ) throws -> [Int64: ReadStatus] {
        guard !ids.isEmpty else { return [:] }
        let candidates = StatusCandidates(query: "SELECT value, value FROM (\(ids: ids)) ids", boosts: boosts)
        var statuses = try StatusRow.read(candidates, for: nil, in: db)
        var statusesByID = [Int64: ReadStatus](minimumCapacity: statuses.count)
        // Moves the statuses instead of copying them.
        while let status = statuses.popLast() {
            let id = status.pageID
            statusesByID[id] = ReadStatus(status, at: position)
        }
        return statusesByID
    }

    private static func marks(_ row: Row) throws -> SharedStatus.Marks {
        var marks = SharedStatus.Marks()
        for (index, mark) in [StatusMark.favourite, .bookmark, .pin, .conversationMute].enumerated()
        where try row[Column.firstMark + index] { marks.marks.insert(mark) }
        marks.isBoosted = try row[Column.firstMark + 4]
        return marks
    }

    /// The numbers of the options that a viewer has chosen, ascending, by the status of the poll.
    private static func votes(of viewer: Int64, in rows: [Row], _ db: Database) throws -> [Int64: [Int]] {
        let polls = try rows.filter { try $0[Column.hasPoll] }.map { try $0[Column.statusID] as Int64 }
        guard !polls.isEmpty else { return [:] }
        let query: SQL = """
            SELECT v.status_id, v.number FROM poll_vote v WHERE v.account_id = \(viewer)
            AND v.status_id IN (\(ids: Array(Set(polls)))) ORDER BY v.status_id, v.number
            """
        return try db.fetchAll(query).reduce(into: [:]) { try $0[$1[0], default: []].append($1[1]) }
    }
}
