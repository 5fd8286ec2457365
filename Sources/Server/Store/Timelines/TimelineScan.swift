import FeedCore
import GRDB

/// What a page of a timeline is chosen from: the nearest rows of an index, then a condition on each of them.
///
/// Only the first `reach` rows are looked at, so that a page costs the same whatever it leaves out. Where that is too
/// little for a page, the next scan goes on behind the last row that was looked at.
struct TimelineScan {
    /// Where candidates come from.
    enum Source {
        /// A condition on the status `e` that an index in the order of ids is made for.
        case statuses(SQL)
        /// Queries of (page_id, status_id), each within the page's bounds. Every one gives its nearest rows.
        case union([SQL])
    }

    var source: Source
    /// A condition on the status `e`, which may be a boost, and its author `ea`.
    var condition: SQL
    /// Rows that are looked at in one query at most.
    var reach = 200

    /// The rows that fulfil the condition, the nearest first.
    func rows(_ page: Pagination, reach: Int, viewer: Int64?) -> SQL {
        StatusRow.query(candidates(page, reach), order: page.order, viewer: viewer)
    }

    /// The last row looked at, if there may be more behind it.
    func end(_ page: Pagination, reach: Int) -> SQL {
        switch source {
        case .statuses(let index): edge(index, page, reach)
        case .union(let parts):
            """
            WITH w(page_id, status_id) AS (\(nearest(parts, page, reach)))
            SELECT page_id FROM w ORDER BY 1 \(page.order) LIMIT 1 OFFSET \(reach - 1)
            """
        }
    }

    private func candidates(_ page: Pagination, _ reach: Int) -> SQL {
        switch source {
        case .statuses(let index):
            """
            SELECT e.id, e.id FROM status e CROSS JOIN account ea ON ea.id = e.account_id
            WHERE \(index) AND \(page.within("coalesce((\(edge(index, page, reach))), \(page.beyond))"))
            AND \(condition) ORDER BY e.id \(page.order) LIMIT \(page.limit)
            """
        case .union(let parts):
            """
            SELECT w.page_id, w.status_id FROM (SELECT * FROM
                (WITH w(page_id, status_id) AS (\(nearest(parts, page, reach))) SELECT * FROM w)) w
            CROSS JOIN status e ON e.id = w.status_id CROSS JOIN account ea ON ea.id = e.account_id
            WHERE \(condition) ORDER BY 1 \(page.order) LIMIT \(page.limit)
            """
        }
    }

    private func edge(_ index: SQL, _ page: Pagination, _ reach: Int) -> SQL {
        """
        SELECT e.id FROM status e WHERE \(index) AND \(page.bounds(on: "e.id"))
        ORDER BY e.id \(page.order) LIMIT 1 OFFSET \(reach - 1)
        """
    }

    /// The nearest rows of all parts.
    private func nearest(_ parts: [SQL], _ page: Pagination, _ reach: Int) -> SQL {
        let end: SQL = "ORDER BY 1 \(page.order) LIMIT \(reach)"
        guard parts.count > 1 else { return "\(parts[0]) \(end)" }
        let limited = parts.map { part -> SQL in "SELECT * FROM (\(part) \(end))" }
        return "SELECT * FROM (\(limited.joined(separator: " UNION "))) \(end)"
    }
}

extension Pagination {
    /// The condition that the status `e` stands between the page's beginning and an id, which lies within its bounds. One
    /// bound a side: of two, an index uses only the first.
    func within(_ edge: SQL) -> SQL {
        readsUpwards
            ? "e.id > \(floor ?? -1) AND e.id <= \(edge)" : "e.id < \(maxID ?? .max) AND e.id >= \(edge)"
    }

    /// The last id within the bounds.
    var beyond: Int64 { readsUpwards ? (maxID ?? .max) - 1 : (floor ?? -1) + 1 }
}
