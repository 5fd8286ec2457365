import FeedCore

/// Compares the search index with the statuses.
struct SearchCheck: Sendable {
    /// The number of statuses that are corrected per transaction, so that posting remains possible.
    private static let batch = 50

    let database: FeedDatabase

    /// - Parameter isRepairing: Whether to index what is missing and to remove what is left over.
    func findings(in snapshot: any DatabaseReading, isRepairing: Bool) async throws -> [CheckFinding] {
        let leftOver = try await snapshot.read { try $0.fetchAll(Self.leftOver, as: Int64.self) }
        let missing = try await snapshot.read { db in
            // A build finds them itself.
            try SearchIndexing.isIncomplete(in: db) ? [] : db.fetchAll(Self.missing, as: Int64.self)
        }
        if isRepairing {
            try await database.repair(leftOver, batch: Self.batch) { try StatusIndex.remove(Array($0), in: $1) }
            try await database.repair(missing, batch: Self.batch) { try StatusIndex.refresh(Array($0), in: $1) }
        }
        return [
            Self.finding("the search index contains deleted statuses", leftOver, isRepaired: isRepairing),
            Self.finding("the search index lacks statuses", missing, isRepaired: isRepairing),
        ].compactMap(\.self)
    }

    private static func finding(_ text: String, _ ids: [Int64], isRepaired: Bool) -> CheckFinding? {
        guard let first = ids.first else { return nil }
        return CheckFinding(
            "\(text): \(ids.count) (id \(first)\(ids.count > 1 ? ", …" : ""))", remedy: CheckFinding.repair,
            isRepaired: isRepaired)
    }

    private static let leftOver: SQL = """
        SELECT x.status_id FROM status_search x
        WHERE NOT EXISTS (SELECT 1 FROM status s WHERE s.id = x.status_id) ORDER BY x.status_id LIMIT \(DerivedValueCheck.limit)
        """
    private static let missing: SQL = """
        SELECT s.id FROM status s WHERE s.boost_of_id IS NULL AND \(StatusVisibility.published("s"))
        AND NOT EXISTS (SELECT 1 FROM status_search x WHERE x.is_restricted IN (0, 1) AND x.status_id = s.id)
        ORDER BY s.id LIMIT \(DerivedValueCheck.limit)
        """
}
