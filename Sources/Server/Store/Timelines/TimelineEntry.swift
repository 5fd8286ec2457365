import FeedCore

/// An entry of a timeline without the status that it shows.
struct TimelineEntry {
    let pageID: Int64
    /// The id of the status, or of the boost.
    let id: Int64
    /// The viewer's marks on the status.
    let marks: Set<StatusMark>
    let isBoostedByViewer: Bool

    /// - Parameter candidates: A query of (page_id, status_id).
    static func query(_ candidates: SQL, order: SQL, viewer: Int64?) -> SQL {
        let joins: SQL = """
            CROSS JOIN status e ON e.id = c.status_id CROSS JOIN status s ON s.id = coalesce(e.boost_of_id, e.id)
            """
        return """
            WITH c(page_id, status_id) AS MATERIALIZED (\(candidates))
            SELECT c.page_id, c.status_id, \(StatusRow.marks(of: viewer)) FROM c \(viewer == nil ? "" : joins)
            ORDER BY c.page_id \(order)
            """
    }

    init(_ row: Row) {
        (pageID, id) = (row[0], row[1])
        marks = StatusRow.marks(row, from: 2)
        isBoostedByViewer = row[6]
    }
}
