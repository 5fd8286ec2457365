import GRDB

extension TimelineStore {
    /// The id of the newest status or notification that was shown; `nil` if none is known.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func readPosition(_ position: ReadPosition) async throws -> String? {
        try await database.read { db in try storedPosition(position, in: db)?.key.id }
    }

    /// Moves a read position forward; an older one has no effect.
    /// - Returns: The position that has yet to be sent to the server, if any.
    func moveReadPosition(_ position: ReadPosition, to id: String) async throws -> StatusKey? {
        guard let key = StatusKey(id) else { return nil }
        // Usually there is nothing new, and nothing is written.
        let stored = try await database.read { db in try storedPosition(position, in: db) }
        if let stored, stored.key >= key { return stored.isSent ? nil : stored.key }
        try await setPosition(position, to: key, isSent: false)
        return key
    }

    /// Records that the server knows a read position.
    func confirmReadPosition(_ position: ReadPosition, at key: StatusKey) async throws {
        try await setPosition(position, to: key, isSent: true)
    }

    private func setPosition(_ position: ReadPosition, to key: StatusKey, isSent: Bool) async throws {
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO read_position (owner, timeline, key, is_sent) VALUES (?, ?, ?, ?)
                    ON CONFLICT (owner, timeline) DO UPDATE SET key = excluded.key, is_sent = excluded.is_sent
                    WHERE excluded.key >= read_position.key
                    """, arguments: [try Self.ownerID(owner, in: db), position.rawValue, key.text, isSent])
        }
    }

    private func storedPosition(
        _ position: ReadPosition, in db: Database
    ) throws -> (key: StatusKey, isSent: Bool)? {
        let sql = """
            SELECT key, is_sent FROM read_position JOIN owner ON owner.id = read_position.owner
            WHERE owner.name = ? AND timeline = ?
            """
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [owner, position.rawValue]),
            let key = String.fromDatabaseValue(row[0])
        else { return nil }
        return (StatusKey(text: key), Int64.fromDatabaseValue(row[1]) == 1)
    }
}
