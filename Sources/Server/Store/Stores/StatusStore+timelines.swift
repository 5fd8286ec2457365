import FeedCore
import GRDB

extension StatusStore {
    static func find(_ db: Database, id: Int64, for viewer: Int64?) throws -> Status? {
        let query: SQL = """
            SELECT \(sql: StatusRow.columns) FROM status s JOIN account a ON a.id = s.account_id
            WHERE s.id = \(id) AND \(visible(to: viewer))
            """
        return try SQLRequest<Row>(literal: query, cached: true).fetchOne(db).map { StatusRow.decode($0) }
    }

    static func timeline(_ timeline: Timeline, page: Page, for viewer: Int64?, in db: Database) throws -> [Status] {
        if case .home(let account) = timeline { return try home(of: account, page: page, in: db) }
        let order: SQL = page.readsUpwards ? "ASC" : "DESC"
        let query: SQL = """
            SELECT \(sql: StatusRow.columns) FROM status s JOIN account a ON a.id = s.account_id
            WHERE \(members(of: timeline)) AND \(bounds(of: page)) AND \(visible(to: viewer))
            ORDER BY s.id \(order) LIMIT \(page.limit)
            """
        let rows = try SQLRequest<Row>(literal: query, cached: true).fetchAll(db).map { StatusRow.decode($0) }
        return page.readsUpwards ? rows.reversed() : rows
    }

    private static func members(of timeline: Timeline) -> SQL {
        switch timeline {
        case .home(let id): "s.account_id = \(id)"
        case .everyone: "s.visibility = 0 AND s.boost_of_id IS NULL"
        case .account(let id): "s.account_id = \(id)"
        case .tag(let tag):
            "s.visibility = 0 AND s.id IN (SELECT status_id FROM status_tag WHERE tag = \(tag))"
        case .classic: "s.boost_of_id IS NULL"
        }
    }

    private static func bounds(of page: Page) -> SQL {
        var bounds: SQL = "s.id < \(page.maxID ?? .max)"
        if let floor = page.floor { bounds += " AND s.id > \(floor)" }
        return bounds
    }

    /// The one rule for who sees what: public and unlisted by anyone, followers-only by followers, anything by its
    /// author and by those it names; nothing of suspended accounts or of an import that is not finished.
    static func visible(to viewer: Int64?) -> SQL {
        var rule: SQL = "s.visibility <= 1"
        if let viewer {
            rule += """
                 OR s.account_id = \(viewer)
                OR (s.visibility = 2 AND EXISTS (
                    SELECT 1 FROM follow f WHERE f.follower_id = \(viewer) AND f.followee_id = s.account_id
                    AND f.import_id NOT IN (SELECT id FROM staged_import)))
                OR EXISTS (SELECT 1 FROM mention m WHERE m.account_id = \(viewer) AND m.status_id = s.id)
                """
        }
        return """
            (\(rule)) AND a.suspended_at IS NULL AND s.import_id NOT IN (SELECT id FROM staged_import)
            """
    }
}

/// How a status with its author comes out of a query.
enum StatusRow {
    static let columns =
        AccountRow.columns + """
            , s.id, s.created_at, s.edited_at, s.visibility, s.language, s.source, s.text, s.content, s.spoiler_text, \
            s.sensitive, s.in_reply_to_id, s.in_reply_to_account_id, s.replies_count, s.reblogs_count, \
            s.favourites_count, s.mentions, s.tags
            """

    static func decode(_ row: Row) -> Status {
        let first = AccountRow.count
        return Status(
            id: row[first], account: AccountRow.decode(row), createdAt: row[first + 1], editedAt: row[first + 2],
            visibility: Visibility(rawValue: row[first + 3]) ?? .direct, language: row[first + 4],
            source: row[first + 5],
            text: row[first + 6], content: row[first + 7], spoilerText: row[first + 8], sensitive: row[first + 9],
            inReplyToID: row[first + 10], inReplyToAccountID: row[first + 11], repliesCount: row[first + 12],
            reblogsCount: row[first + 13], favouritesCount: row[first + 14], mentions: mentions(row[first + 15]),
            tags: (row[first + 16] as String).split(separator: " ").map(String.init))
    }

    static func pack(_ mentions: [Status.Mention]) -> String {
        mentions.map { "\($0.id):\($0.username)" }.joined(separator: " ")
    }

    static func pack(_ tags: [String]) -> String { tags.joined(separator: " ") }

    private static func mentions(_ packed: String) -> [Status.Mention] {
        packed.split(separator: " ").compactMap { entry in
            let parts = entry.split(separator: ":")
            guard parts.count == 2, let id = Int64(parts[0]) else { return nil }
            return Status.Mention(id: id, username: String(parts[1]))
        }
    }
}
