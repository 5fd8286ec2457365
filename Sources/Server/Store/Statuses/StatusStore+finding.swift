import FeedCore

extension StatusStore {
    /// The number of statuses read per query.
    private static let batch = 40

    static func find(_ db: Database, id: Int64, for viewer: Int64?) throws -> Status? {
        let part: SQL = "SELECT \(id) AS id"
        return try read(db, part: part, viewer, StatusVisibility.entry(viewer: viewer)).first
    }

    /// The statuses among `ids` that the viewer may see, keyed by the requested id, which may be that of a boost.
    /// - Parameter condition: An additional condition on the status `e` and its author `ea`.
    static func find(
        _ db: Database, ids: [Int64], for viewer: Int64?, where condition: SQL = "1 = 1"
    ) throws -> [Int64: Status] {
        try read(db, ids: ids, for: viewer, where: "\(StatusVisibility.entry(viewer: viewer)) AND \(condition)")
    }

    /// The statuses among `ids` that meet a condition, regardless of visibility.
    static func read(
        _ db: Database, ids: [Int64], for viewer: Int64?, where condition: SQL
    ) throws -> [Int64: Status] {
        var found: [Int64: Status] = [:]
        var rest = Array(Set(ids))[...]
        while !rest.isEmpty {
            let some = rest.prefix(batch)
            rest = rest.dropFirst(batch)
            let part: SQL = "SELECT value AS id FROM (\(ids: Array(some))) ids"
            for status in try read(db, part: part, viewer, condition) { found[status.pageID] = status }
        }
        return found
    }

    private static func read(
        _ db: Database, part: SQL, _ viewer: Int64?, _ condition: SQL
    ) throws -> [Status] {
        let candidates: SQL = """
            SELECT w.id, w.id FROM (\(part)) w CROSS JOIN status e ON e.id = w.id
            CROSS JOIN account ea ON ea.id = e.account_id WHERE \(condition)
            """
        let query = StatusRow.query(candidates, order: "DESC", viewer: viewer)
        return try StatusRow.read(query, for: viewer, in: db)
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
