package import FeedCore

/// Stores the read positions of accounts in the database.
package struct MarkerStore: Sendable {
    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// The markers an account has set for the given timelines.
    package func markers(of account: Int64, _ timelines: Set<Marker.Timeline>) async throws -> [Marker] {
        try await database.read { db in
            try Self.markers(of: account, in: db).filter { timelines.contains($0.timeline) }
        }
    }

    /// Moves markers in one transaction. A marker may also be moved backwards.
    /// - Parameter versions: The versions that the caller has seen; `nil` for a marker that did not exist. Markers that
    ///   are missing here are moved in any case.
    /// - Returns: The moved markers.
    /// - Throws: ``FeedError`` `.conflict`, without moving any, if a marker has been moved elsewhere since then.
    package func move(
        _ positions: [Marker.Timeline: Int64], from versions: [Marker.Timeline: Int?] = [:], of account: Int64
    ) async throws -> [Marker] {
        let now = database.clock.now()
        return try await database.commits.write { db in
            try db.requireActiveAccount(account)
            try Self.check(positions, from: versions, of: account, in: db)
            for (timeline, id) in positions { try Self.move(timeline, to: id, of: account, at: now, in: db) }
            return try Self.markers(of: account, in: db).filter { positions.keys.contains($0.timeline) }
        }
    }
}

extension MarkerStore {
    static func markers(of account: Int64, in db: Database) throws -> [Marker] {
        let query: SQL = """
            SELECT timeline, last_read_id, version, updated_at FROM marker WHERE account_id = \(account)
            ORDER BY timeline
            """
        return try db.fetchAll(query).compactMap { row in
            guard let timeline = try Marker.Timeline(rawValue: row[0]) else { return nil }
            return try Marker(timeline: timeline, lastReadID: row[1], version: row[2], updatedAt: row[3])
        }
    }

    /// A marker that is already at its new position is no conflict.
    private static func check(
        _ positions: [Marker.Timeline: Int64], from versions: [Marker.Timeline: Int?], of account: Int64,
        in db: Database
    ) throws {
        guard !versions.isEmpty else { return }
        let markers = try markers(of: account, in: db)
        for (timeline, id) in positions {
            let marker = markers.first { $0.timeline == timeline }
            guard let seen = versions[timeline], seen != marker?.version, id != marker?.lastReadID else { continue }
            throw FeedError(
                .conflict, "Conflict during update, please try again",
                hint: "The marker has been moved elsewhere; read it first.")
        }
    }

    private static func move(
        _ timeline: Marker.Timeline, to id: Int64, of account: Int64, at now: Int64, in db: Database
    ) throws {
        try db.execute(
            """
            INSERT INTO marker (account_id, timeline, last_read_id, updated_at)
            VALUES (\(account), \(timeline.rawValue), \(id), \(now))
            ON CONFLICT (account_id, timeline) DO UPDATE SET
            last_read_id = excluded.last_read_id, version = marker.version + 1, updated_at = excluded.updated_at
            WHERE marker.last_read_id <> excluded.last_read_id
            """)
        if try db.changesCount > 0 { try db.log(.markerMoved, account: account, at: now) }
    }
}
