import FeedCore

/// The candidates of a timeline page: the nearest rows of an index, filtered by a condition.
///
/// It reads at most `maximumRows` rows, so that the cost of a page does not depend on the number of omitted rows. If
/// the page is not full, the next query continues after the last row.
struct TimelineQuery {
    /// The source of candidates.
    enum Source {
        /// A condition on the status `e` with an index in the order of ids.
        case statuses(SQL)
        /// Queries of (page_id, status_id) within the page's bounds. Each contributes its nearest rows.
        case union([SQL])
    }

    var source: Source
    /// A condition on the status `e`, which may be a boost, and its author `ea`.
    var condition: SQL
    /// Whether the candidates may be boosts.
    var boosts = true
    /// The maximum number of rows read per query.
    var maximumRows = 200

    /// The last row read, if more may follow.
    func end(_ page: Pagination, maximumRows: Int) -> SQL {
        switch source {
        case .statuses(let index): edge(index, page, maximumRows)
        case .union(let parts):
            """
            WITH w(page_id, status_id) AS (\(nearest(parts, page, maximumRows)))
            SELECT page_id FROM w ORDER BY 1 \(page.order) LIMIT 1 OFFSET \(maximumRows - 1)
            """
        }
    }

    /// The rows that meet the condition, nearest first.
    func candidates(_ page: Pagination, _ maximumRows: Int) -> StatusCandidates {
        switch source {
        case .statuses(let index):
            let statuses: SQL = """
                FROM status e CROSS JOIN account ea ON ea.id = e.account_id
                WHERE \(index) AND \(page.within("coalesce((\(edge(index, page, maximumRows))), \(page.beyond))"))
                AND \(condition) ORDER BY e.id \(page.order) LIMIT \(page.limit)
                """
            return StatusCandidates(
                query: "SELECT e.id, e.id \(statuses)", statuses: boosts ? nil : statuses,
                isAscending: page.isAscending, boosts: boosts)
        case .union(let parts):
            let query: SQL = """
                SELECT w.page_id, w.status_id FROM (SELECT * FROM
                    (WITH w(page_id, status_id) AS (\(nearest(parts, page, maximumRows))) SELECT * FROM w) w) w
                CROSS JOIN status e ON e.id = w.status_id CROSS JOIN account ea ON ea.id = e.account_id
                WHERE \(condition) ORDER BY 1 \(page.order) LIMIT \(page.limit)
                """
            return StatusCandidates(query: query, isAscending: page.isAscending, boosts: boosts)
        }
    }

    private func edge(_ index: SQL, _ page: Pagination, _ maximumRows: Int) -> SQL {
        """
        SELECT e.id FROM status e WHERE \(index) AND \(page.bounds(on: "e.id"))
        ORDER BY e.id \(page.order) LIMIT 1 OFFSET \(maximumRows - 1)
        """
    }

    /// The nearest rows of all parts.
    private func nearest(_ parts: [SQL], _ page: Pagination, _ maximumRows: Int) -> SQL {
        let end: SQL = "ORDER BY 1 \(page.order) LIMIT \(maximumRows)"
        guard parts.count > 1 else { return "\(parts[0]) \(end)" }
        let limited = parts.map { part -> SQL in "SELECT * FROM (\(part) \(end)) part" }
        return "SELECT * FROM (\(limited.joined(separator: " UNION "))) parts \(end)"
    }
}

extension Pagination {
    /// The condition that a row, by default the status `e`, is between the start of the page and an id within its
    /// bounds. There is only one bound per side, because an index uses only the first of two.
    func within(_ edge: SQL, on column: String = "e.id") -> SQL {
        let id = SQL(sql: column)
        return isAscending
            ? "\(id) > \(floor ?? -1) AND \(id) <= \(edge)" : "\(id) < \(maxID ?? .max) AND \(id) >= \(edge)"
    }

    /// The last id within the bounds.
    var beyond: Int64 { isAscending ? (maxID ?? .max) - 1 : (floor ?? -1) + 1 }
}

extension Pagination {
    /// The condition that a row is within the page's bounds.
    func bounds(on column: String) -> SQL {
        var bounds: SQL = "\(sql: column) < \(maxID ?? .max)"
        if let floor { bounds += " AND \(sql: column) > \(floor)" }
        return bounds
    }

    /// The SQL order in which the page is read.
    var order: SQL { isAscending ? "ASC" : "DESC" }
}

extension FeedDatabase {
    /// The rows of a page, newest first.
    func list<Entry: Sendable>(
        _ query: SQL, _ page: Pagination, _ decode: @escaping @Sendable (Row) throws -> Entry
    ) async throws -> [Entry] {
        let entries = try await read { db in
            try db.fetchAll(query).map(decode)
        }
        return page.isAscending ? entries.reversed() : entries
    }
}

/// The sources and conditions of each timeline.
extension TimelineQuery {
    /// - Parameters:
    ///   - maximumRows: The maximum number of rows to read.
    ///   - home: What a home timeline contains; `nil` for nothing but the statuses of followed accounts.
    init(
        _ timeline: Timeline, _ page: Pagination, maximumRows: Int = .max, viewer: Int64?, home: HomeContent? = nil,
        now: Int64
    ) {
        switch timeline {
        case .public: self = .publicTimeline(page, viewer, now)
        case .publicMedia: self = .publicTimeline(page, viewer, now, onlyMedia: true)
        case .home(let account):
            self = HomeTimelineQuery.merged(
                home ?? HomeContent(account: account), page, maximumRows: maximumRows, now: now)
        case .list(let list): self = ListTimelineQuery.merged(list, page, maximumRows: maximumRows, now: now)
        case .account(let account, let filter): self = .account(account, filter, page, viewer)
        case .tags(let filter): self = .tags(filter, page, viewer, now)
        case .marked(let mark, let account): self = .marked(mark, by: account, page, viewer)
        case .conversations(let account): self = .conversations(of: account, page, viewer, now)
        case .classic: self = .classic(page, viewer, now)
        }
    }

    /// Rows of `status` that match a condition with an index.
    static func statuses(_ condition: SQL, _ page: Pagination) -> SQL {
        "SELECT e.id, e.id FROM status e WHERE \(condition) AND \(page.bounds(on: "e.id"))"
    }

    private static func publicTimeline(
        _ page: Pagination, _ viewer: Int64?, _ now: Int64, onlyMedia: Bool = false
    ) -> TimelineQuery {
        var index: SQL = "e.visibility = 0 AND e.boost_of_id IS NULL"
        if onlyMedia { index += " AND \(hasMedia)" }
        let condition: SQL = """
            \(StatusVisibility.listCondition(viewer: viewer, now: now)) \
            AND \(StatusVisibility.rule("e", author: "ea", viewer: viewer))
            """
        return TimelineQuery(source: .statuses(index), condition: condition, boosts: false)
    }

    /// Whether the status has attached files. A boost has none.
    private static let hasMedia: SQL = "e.media_ids <> ''"

    /// The condition for lists of statuses by many authors; omits statuses that the viewer does not want.
    static func listed(_ viewer: (any IDTerm)?, _ now: Int64) -> SQL {
        "\(StatusVisibility.listCondition(viewer: viewer, now: now)) AND \(StatusVisibility.entry(viewer: viewer))"
    }

    /// Public, unlisted and the viewer's own statuses, followers-only statuses of followed accounts, and direct ones
    /// that mention the viewer.
    private static func classic(_ page: Pagination, _ viewer: Int64?, _ now: Int64) -> TimelineQuery {
        var parts = [0, 1].map { statuses("e.visibility = \(sql: String($0)) AND e.boost_of_id IS NULL", page) }
        if let viewer {
            parts.append(statuses("e.account_id = \(viewer) AND e.visibility >= 2", page))
            parts.append(mentioning(viewer, "1 = 1", page))
            parts.append(
                AuthorMerge(authors: HomeTimelineQuery.followed(by: viewer), condition: "e.visibility = 2").query(page))
        }
        return TimelineQuery(
            source: .union(parts), condition: "e.boost_of_id IS NULL AND \(listed(viewer, now))",
            maximumRows: AuthorMerge.maximumRows)
    }

    /// The newest status of each conversation that is not hidden.
    private static func conversations(
        of account: Int64, _ page: Pagination, _ viewer: Int64?, _ now: Int64
    ) -> TimelineQuery {
        let part: SQL = """
            SELECT c.last_status_id, c.last_status_id FROM conversation c
            WHERE c.account_id = \(account) AND c.is_hidden = 0 AND \(page.bounds(on: "c.last_status_id"))
            """
        return TimelineQuery(source: .union([part]), condition: listed(viewer, now))
    }

    /// Followers-only and direct statuses that mention an account.
    private static func mentioning(_ account: Int64, _ condition: SQL, _ page: Pagination) -> SQL {
        """
        SELECT m.status_id, m.status_id FROM mention m WHERE m.account_id = \(account) AND m.visibility >= 2
        AND \(condition) AND \(page.bounds(on: "m.status_id"))
        """
    }

    /// The statuses of one account. Mutes are ignored, since the viewer has requested this account.
    private static func account(
        _ id: Int64, _ filter: AccountFilter, _ page: Pagination, _ viewer: Int64?
    ) -> TimelineQuery {
        var condition = StatusVisibility.entry(viewer: viewer)
        if filter.onlyMedia { condition += " AND \(hasMedia)" }
        if filter.onlyPublic { condition += " AND e.visibility = 0" }
        if filter.excludesBoosts { condition += " AND e.boost_of_id IS NULL" }
        if filter.excludesReplies {
            condition += " AND (e.in_reply_to_account_id IS NULL OR e.in_reply_to_account_id = e.account_id)"
        }
        if filter.onlyPinned, let tag = filter.tag { condition += " AND \(having([tag], true))" }
        return TimelineQuery(source: source(of: id, filter, page, viewer), condition: condition)
    }

    private static func source(of id: Int64, _ filter: AccountFilter, _ page: Pagination, _ viewer: Int64?) -> Source {
        if filter.onlyPinned {
            return .union([
                """
                SELECT p.status_id, p.status_id FROM pin p
                WHERE p.account_id = \(id) AND \(page.bounds(on: "p.status_id"))
                """
            ])
        }
        if let tag = filter.tag {
            return .union([
                """
                SELECT t.status_id, t.status_id FROM status_tag t
                WHERE t.account_id = \(id) AND t.tag = \(tag) AND \(page.bounds(on: "t.status_id"))
                """
            ])
        }
        if filter.onlyMedia { return .statuses("e.account_id = \(id) AND \(hasMedia)") }
        if viewer == id { return .statuses("e.account_id = \(id)") }
        let open: SQL = "e.account_id = \(id) AND e.visibility <= 1"
        guard let viewer else { return .statuses(open) }
        return .union([
            statuses(open, page), mentioning(viewer, "m.author_id = \(id)", page),
            // Starts from the follow, so that no rows are read if the viewer does not follow the account.
            """
            SELECT e.id, e.id FROM follow f CROSS JOIN status e ON e.account_id = f.followee_id
            WHERE f.follower_id = \(viewer) AND f.followee_id = \(id) AND \(StatusVisibility.published("f"))
            AND e.visibility = 2 AND \(page.bounds(on: "e.id"))
            """,
        ])
    }

    private static func tags(_ filter: TagFilter, _ page: Pagination, _ viewer: Int64?, _ now: Int64) -> TimelineQuery {
        let parts = Set(filter.any).sorted().map { tag -> SQL in
            """
            SELECT t.status_id, t.status_id FROM status_tag t
            WHERE t.tag = \(tag) AND t.visibility = 0 AND \(page.bounds(on: "t.status_id"))
            """
        }
        var condition: SQL = "\(having(filter.all, true)) AND \(having(filter.none, false)) AND \(listed(viewer, now))"
        if filter.onlyMedia { condition += " AND \(hasMedia)" }
        var query = TimelineQuery(source: .union(parts), condition: condition)
        // Each hashtag adds as many rows, or a search per row, so that fewer rows cost the same.
        let weight = parts.count + (filter.all.count + filter.none.count) / 4
        query.maximumRows = min(query.maximumRows, 400 / weight)
        return query
    }

    private static func having(_ tags: [String], _ isRequired: Bool) -> SQL {
        let each = tags.map { tag -> SQL in
            let exists: SQL = "EXISTS (SELECT 1 FROM status_tag x WHERE x.tag = \(tag) AND x.status_id = e.id)"
            return isRequired ? exists : "NOT \(exists)"
        }
        return each.isEmpty ? "1 = 1" : each.joined(separator: " AND ")
    }

    private static func marked(
        _ mark: StatusMark, by account: Int64, _ page: Pagination, _ viewer: Int64?
    ) -> TimelineQuery {
        let part: SQL = """
            SELECT x.id, x.status_id FROM \(sql: mark.table) x WHERE x.account_id = \(account) AND \(page.bounds(on: "x.id"))
            """
        return TimelineQuery(source: .union([part]), condition: StatusVisibility.entry(viewer: viewer))
    }
}
