import FeedCore
import GRDB

extension StatusStore {
    static func find(_ db: Database, id: Int64, for viewer: Int64?) throws -> Status? {
        try read(entries("e.id = \(id)", viewer: viewer), page: Page(limit: 1), for: viewer, now: 0, in: db).first
    }

    /// Those of `ids` that are there for the viewer.
    static func find(_ db: Database, ids: [Int64], for viewer: Int64?) throws -> [Int64: Status] {
        guard !ids.isEmpty else { return [:] }
        let candidates = entries("e.id IN (SELECT value FROM json_each(\(Self.json(ids))))", viewer: viewer)
        let found = try read(candidates, page: Page(limit: ids.count), for: viewer, now: 0, in: db)
        return Dictionary(found.map { ($0.pageID, $0) }) { first, _ in first }
    }

    static func timeline(
        _ timeline: Timeline, page: Page, for viewer: Int64?, now: Int64, in db: Database
    ) throws -> [Status] {
        if case .home(let account) = timeline { return try home(of: account, page: page, now: now, in: db) }
        return try read(candidates(of: timeline, page: page, viewer: viewer), page: page, for: viewer, now: now, in: db)
    }

    /// Reads what a query of (page_id, status_id) names, the newest first. The table `hidden` may be used in it.
    static func read(
        _ candidates: SQL, page: Page, for viewer: Int64?, now: Int64, in db: Database
    ) throws -> [Status] {
        let order: SQL = page.readsUpwards ? "ASC" : "DESC"
        let query: SQL = """
            WITH \(StatusVisibility.hidden(from: viewer, now: now)), c(page_id, status_id) AS MATERIALIZED (
                \(candidates) ORDER BY 1 \(order) LIMIT \(page.limit)
            )
            SELECT \(StatusRow.columns(viewer: viewer)) FROM c \(sql: StatusRow.joins) ORDER BY c.page_id \(order)
            """
        let found = try SQLRequest<Row>(literal: query, cached: true).fetchAll(db).map { StatusRow.decode($0) }
        return page.readsUpwards ? found.reversed() : found
    }

    static func json(_ ids: [Int64]) -> String { "[" + ids.map(String.init).joined(separator: ",") + "]" }
}

extension StatusStore {
    private static func candidates(of timeline: Timeline, page: Page, viewer: Int64?) -> SQL {
        switch timeline {
        // Has a query of its own, which is faster than any list of candidates.
        case .home: "SELECT 0, 0 WHERE 0"
        case .everyone: listed("e.visibility = 0 AND e.boost_of_id IS NULL", page, viewer)
        case .classic: listed("e.boost_of_id IS NULL", page, viewer)
        case .account(let id, let filter): account(id, filter, page, viewer)
        case .tags(let filter): tagged(filter, page, viewer)
        case .marked(let mark, let account): marked(mark, by: account, page, viewer)
        }
    }

    /// Entries by a condition on `e`, as far as the viewer may see them.
    static func entries(_ condition: SQL, viewer: Int64?) -> SQL {
        """
        SELECT e.id, e.id FROM status e CROSS JOIN account ea ON ea.id = e.account_id
        WHERE \(condition) AND \(StatusVisibility.entry(viewer: viewer))
        """
    }

    /// The same in a list, without what the viewer does not want to see.
    private static func listed(_ condition: SQL, _ page: Page, _ viewer: Int64?) -> SQL {
        entries(
            "\(condition) AND \(bounds("e.id", page)) AND \(StatusVisibility.wanted(viewer: viewer))", viewer: viewer)
    }

    /// Somebody's own list is not thinned out by mutes: who looks there wants to see it.
    private static func account(_ id: Int64, _ filter: AccountFilter, _ page: Page, _ viewer: Int64?) -> SQL {
        var condition: SQL = "e.account_id = \(id) AND \(bounds("e.id", page))"
        if filter.onlyMedia { condition += " AND 0" }
        if filter.excludesBoosts { condition += " AND e.boost_of_id IS NULL" }
        if filter.excludesReplies {
            condition += " AND (e.in_reply_to_account_id IS NULL OR e.in_reply_to_account_id = e.account_id)"
        }
        if filter.onlyPinned { condition += " AND e.id IN (SELECT status_id FROM pin WHERE account_id = \(id))" }
        if let tag = filter.tag {
            condition += " AND e.id IN (SELECT status_id FROM status_tag WHERE tag = \(tag))"
        }
        return entries(condition, viewer: viewer)
    }

    /// Each of the tags gives a page at most, so that a popular one does not cost more than a rare one.
    private static func tagged(_ filter: TagFilter, _ page: Page, _ viewer: Int64?) -> SQL {
        let order: SQL = page.readsUpwards ? "ASC" : "DESC"
        let others: SQL = """
            e.visibility = 0 AND \(StatusVisibility.wanted(viewer: viewer)) AND \(having(filter.all, true))
            AND \(having(filter.none, false)) AND \(StatusVisibility.entry(viewer: viewer))
            """
        let parts = Set(filter.any).sorted().map { tag -> SQL in
            """
            SELECT * FROM (SELECT t.status_id, t.status_id FROM status_tag t CROSS JOIN status e ON e.id = t.status_id
                CROSS JOIN account ea ON ea.id = e.account_id
                WHERE t.tag = \(tag) AND \(bounds("t.status_id", page)) AND \(others)
                ORDER BY t.status_id \(order) LIMIT \(page.limit))
            """
        }
        return parts.joined(separator: " UNION ")
    }

    private static func having(_ tags: [String], _ isThere: Bool) -> SQL {
        let each = tags.map { tag -> SQL in
            let exists: SQL = "EXISTS (SELECT 1 FROM status_tag x WHERE x.tag = \(tag) AND x.status_id = t.status_id)"
            return isThere ? exists : "NOT \(exists)"
        }
        return each.isEmpty ? "1" : each.joined(separator: " AND ")
    }

    private static func marked(_ mark: StatusMark, by account: Int64, _ page: Page, _ viewer: Int64?) -> SQL {
        """
        SELECT x.id, x.status_id FROM \(sql: mark.table) x CROSS JOIN status e ON e.id = x.status_id
        CROSS JOIN account ea ON ea.id = e.account_id
        WHERE x.account_id = \(account) AND \(bounds("x.id", page)) AND \(StatusVisibility.entry(viewer: viewer))
        """
    }

    private static func bounds(_ column: String, _ page: Page) -> SQL {
        var bounds: SQL = "\(sql: column) < \(page.maxID ?? .max)"
        if let floor = page.floor { bounds += " AND \(sql: column) > \(floor)" }
        return bounds
    }
}

extension StatusMark {
    var table: String {
        switch self {
        case .favourite: "favourite"
        case .bookmark: "bookmark"
        case .pin: "pin"
        case .conversationMute: "conversation_mute"
        }
    }
}
