import FeedCore

/// Finds statuses that name attached files which do not exist, or which belong to another status.
struct MediaCheck: Sendable {
    /// The number of statuses per query.
    private static let page = 500
    /// The largest number of statuses that are found, and corrected.
    private static let limit = 100_000

    let database: FeedDatabase

    /// - Parameter isRepairing: Whether to remove the names of these files.
    func findings(in snapshot: any DatabaseReading, isRepairing: Bool) async throws -> [CheckFinding] {
        let ids = try await wrong(in: snapshot)
        guard !ids.isEmpty else { return [] }
        if isRepairing {
            try await database.repair(ids) { ids, db in
                for id in ids { try Self.correct(id, in: db) }
            }
        }
        let examples = ids.prefix(3).map(String.init).joined(separator: ", ")
        return [
            CheckFinding(
                "\(ids.count) statuses name media that is missing (id \(examples)\(ids.count > 3 ? ", …" : ""))",
                remedy: CheckFinding.repair, isRepaired: isRepairing)
        ]
    }

    private func wrong(in snapshot: any DatabaseReading) async throws -> [Int64] {
        var (wrongIDs, last): ([Int64], Int64) = ([], 0)
        while wrongIDs.count < Self.limit {
            let (ids, end) = try await snapshot.read { [last] db in try Self.wrong(after: last, in: db) }
            wrongIDs += ids
            guard let end else { break }
            last = end
        }
        return wrongIDs
    }

    /// - Returns: The wrong statuses of a page, and its last status; `nil` if it is the last page.
    private static func wrong(after last: Int64, in db: Database) throws -> (ids: [Int64], end: Int64?) {
        let rows = try db.fetchAll(
            "SELECT id, media_ids FROM status WHERE id > \(last) AND media_ids <> '' ORDER BY id LIMIT \(page)")
        let named = try rows.map { try (status: $0[0] as Int64, media: StatusRow.unpack($0[1])) }
        let owners = try owners(of: Set(named.flatMap(\.media)), in: db)
        let wrong = named.filter { status, media in media.contains { owners[$0] != status } }
        return (wrong.map(\.status), rows.count == page ? named.last?.status : nil)
    }

    /// The statuses to which media is attached.
    private static func owners(of media: Set<Int64>, in db: Database) throws -> [Int64: Int64] {
        let rows = try db.fetchAll(
            "SELECT id, status_id FROM media WHERE status_id IS NOT NULL AND id IN (\(ids: Array(media)))")
        return try Dictionary(rows.map { try ($0[0], $0[1]) }) { first, _ in first }
    }

    private static func correct(_ status: Int64, in db: Database) throws {
        let query: SQL = "SELECT media_ids FROM status WHERE id = \(status)"
        guard let packed = try db.fetchOne(query, as: String.self) else { return }
        let named = StatusRow.unpack(packed)
        let owners = try owners(of: Set(named), in: db)
        try db.execute(
            """
            UPDATE status SET media_ids = \(StatusRow.pack(named.filter { owners[$0] == status }))
            WHERE id = \(status)
            """)
        try StatusIndex.refresh([status], in: db)
    }
}
