import FeedAPI
import GRDB

extension OfflineStore {
    /// The id of the newest status or notification that was shown; `nil` if none is known.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    public func readPosition(_ position: ReadPosition) async throws -> String? {
        try await database.read { db in try storedPosition(position.rawValue, in: db)?.key.id }
    }

    /// The id of the newest status of a timeline that has been shown on this machine; `nil` if none is known.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    package func seenPosition(of name: TimelineName) async throws -> String? {
        try await database.read { db in try storedPosition(Self.seen(name), in: db)?.key.id }
    }

    /// Records that a timeline has been shown; an older position has no effect.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    package func markSeen(_ name: TimelineName, upTo id: String) async throws {
        guard let key = StatusKey(id), try await seenPosition(of: name) != id else { return }
        try await setPosition(Self.seen(name), to: key, isSent: true)
    }

    /// The name of the position in a timeline, which no ``ReadPosition`` has.
    private static func seen(_ name: TimelineName) -> String { "seen " + name.storedName }

    /// The newest status of the home timeline up to which the threads have been fetched.
    func threadPosition() async throws -> StatusKey? {
        try await database.read { db in try storedPosition(Self.threads, in: db)?.key }
    }

    /// - Parameter key: As in ``threadPosition()``; `nil` if threads are missing.
    func setThreadPosition(_ key: StatusKey?) async throws {
        if let key { return try await setPosition(Self.threads, to: key, isSent: true) }
        try await database.write { db in
            let sql = "DELETE FROM read_position WHERE owner = ? AND timeline = ?"
            try db.execute(sql: sql, arguments: [try Self.ownerID(owner, in: db), Self.threads])
        }
    }

    private static let threads = "threads"

    /// Moves a read position forward; an older one has no effect.
    /// - Returns: The position that has yet to be sent to the server, if any.
    func moveReadPosition(_ position: ReadPosition, to id: String) async throws -> StatusKey? {
        guard let key = StatusKey(id) else { return nil }
        // Usually there is nothing new, and nothing is written.
        let stored = try await database.read { db in try storedPosition(position.rawValue, in: db) }
        if let stored, stored.key >= key { return stored.isSent ? nil : stored.key }
        try await setPosition(position.rawValue, to: key, isSent: false)
        return key
    }

    /// Records that the server knows a read position.
    func confirmReadPosition(_ position: ReadPosition, at key: StatusKey) async throws {
        try await setPosition(position.rawValue, to: key, isSent: true)
    }

    private func setPosition(_ name: String, to key: StatusKey, isSent: Bool) async throws {
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO read_position (owner, timeline, key, is_sent) VALUES (?, ?, ?, ?)
                    ON CONFLICT (owner, timeline) DO UPDATE SET key = excluded.key, is_sent = excluded.is_sent
                    WHERE excluded.key >= read_position.key
                    """, arguments: [try Self.ownerID(owner, in: db), name, key.text, isSent])
        }
    }

    private func storedPosition(
        _ name: String, in db: Database
    ) throws -> (key: StatusKey, isSent: Bool)? {
        let sql = """
            SELECT key, is_sent FROM read_position JOIN owner ON owner.id = read_position.owner
            WHERE owner.name = ? AND timeline = ?
            """
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [owner, name]),
            let key = String.fromDatabaseValue(row[0])
        else { return nil }
        return (StatusKey(text: key), Int64.fromDatabaseValue(row[1]) == 1)
    }
}
