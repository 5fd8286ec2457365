import FeedCore

/// The candidates of a timeline page: the nearest rows of an index, filtered by a condition.
///
/// A scan reads at most `maximumRows` rows, so that the cost of a page does not depend on the number of omitted rows.
/// If the page is not full, the next scan continues after the last row.
struct TimelineScan {
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

    /// The rows that meet the condition, nearest first.
    func rows(_ page: Pagination, maximumRows: Int, viewer: Int64?) -> SQL {
        StatusRow.query(candidates(page, maximumRows), order: page.order, viewer: viewer, boosts: boosts)
    }

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

    private func candidates(_ page: Pagination, _ maximumRows: Int) -> SQL {
        switch source {
        case .statuses(let index):
            """
            SELECT e.id, e.id FROM status e CROSS JOIN account ea ON ea.id = e.account_id
            WHERE \(index) AND \(page.within("coalesce((\(edge(index, page, maximumRows))), \(page.beyond))"))
            AND \(condition) ORDER BY e.id \(page.order) LIMIT \(page.limit)
            """
        case .union(let parts):
            """
            SELECT w.page_id, w.status_id FROM (SELECT * FROM
                (WITH w(page_id, status_id) AS (\(nearest(parts, page, maximumRows))) SELECT * FROM w) w) w
            CROSS JOIN status e ON e.id = w.status_id CROSS JOIN account ea ON ea.id = e.account_id
            WHERE \(condition) ORDER BY 1 \(page.order) LIMIT \(page.limit)
            """
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
        return readsUpwards
            ? "\(id) > \(floor ?? -1) AND \(id) <= \(edge)" : "\(id) < \(maxID ?? .max) AND \(id) >= \(edge)"
    }

    /// The last id within the bounds.
    var beyond: Int64 { readsUpwards ? (maxID ?? .max) - 1 : (floor ?? -1) + 1 }
}
