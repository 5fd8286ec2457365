package import FeedCore

/// The change log in the database: the ordered log of all changes.
package struct ChangeStore: Sendable {
    /// The maximum number of rows read to catch up with other servers.
    private static let maximumCaughtUp = 256

    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// The newest sequence number and the epoch of the database.
    package func position() async throws -> ChangePosition {
        try await database.read { db in
            let epoch = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'epoch'") ?? ""
            return ChangePosition(epoch: epoch, sequence: try db.lastChange())
        }
    }

    /// A value that almost always differs after a change by any process, and costs no query.
    package func stamp() -> ChangeStamp { database.engine.stamp() }

    /// Whether other servers append to the log, whose changes are only certain to be known after ``catchUp()``.
    package var isShared: Bool { database.engine.isShared }

    /// Advances the position past all changes that other servers have committed before the call, so that a client whose
    /// write was acknowledged by one server sees it on every other.
    package func catchUp() async throws {
        guard isShared else { return }
        try await database.position.read { [database] in
            // Read before the query, so that changes committed meanwhile do not appear to be lost.
            let known = database.log.sequence
            let (rows, last) = try await database.read { db in
                (try db.changes(after: known, limit: Self.maximumCaughtUp), try db.lastChange())
            }
            guard last < known else { return database.log.extend(by: rows, upTo: last) }
            // Every transaction renews the epoch of a log that is behind.
            try await database.commits.write { _ in }
        }
    }

    /// Rows after `sequence`, oldest first.
    package func changes(after sequence: Int64, limit: Int) async throws -> [Change] {
        try await database.read { try $0.changes(after: sequence, limit: limit) }
    }

    /// Records that the custom emoji of this server have changed.
    package func recordEmojiChange() async throws {
        let now = database.clock.now()
        try await database.commits.write { try $0.log(.emojiChanged, at: now) }
    }

    /// Deletes changes older than `time` (milliseconds since 1970), at most 1,000 per call.
    /// - Returns: The number of deleted changes.
    package func prune(before time: Int64) async throws -> Int {
        // The newest row is kept, because it determines the position of the log.
        let old = """
            SELECT sequence FROM change WHERE at < ? AND sequence < (SELECT max(sequence) FROM change) LIMIT 1000
            """
        return try await database.commits.write(freesSpace: true) { db in
            let removed = try Int64.fetchAll(
                db, sql: "DELETE FROM change WHERE sequence IN (\(old)) RETURNING sequence", arguments: [time])
            if let newest = removed.max() { try db.recordPruned(upTo: newest) }
            return removed.count
        }
    }
}

extension Database {
    /// Appends to the change log, in the transaction that makes the change.
    /// - Parameters:
    ///   - tags: The hashtags of a public status, in any spelling.
    ///   - visibility: The visibility of a deleted status or boost; `nil` if only its author may learn of the deletion.
    ///   - mentions: The accounts that a deleted status mentioned, unless everyone could see it.
    ///   - now: Milliseconds since 1970.
    func log(
        _ kind: Change.Kind, subject: Int64? = nil, account: Int64? = nil, related: Int64? = nil, tags: [String] = [],
        visibility: Visibility? = nil, mentions: [Int64] = [], at now: Int64
    ) throws {
        let statement = try cachedStatement(
            sql: """
                INSERT INTO change (kind, subject, account, related, tags, visibility, mentions, at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let packed = StatusRow.pack(tags.map { Hashtag.key($0) })
        try statement.execute(arguments: [
            kind.rawValue, subject, account, related, packed, visibility?.rawValue, StatusRow.pack(mentions), now,
        ])
    }

    /// Rows of the change log after `sequence`, oldest first.
    func changes(after sequence: Int64, limit: Int) throws -> [Change] {
        let statement = try cachedStatement(
            sql: """
                SELECT sequence, kind, subject, account, related, at, tags, visibility, mentions FROM change
                WHERE sequence > ? ORDER BY sequence LIMIT ?
                """)
        return try Row.fetchAll(statement, arguments: [sequence, limit]).map { row in
            Change(
                sequence: row[0], kind: Change.Kind(rawValue: row[1]) ?? .unknown, subject: row[2], account: row[3],
                related: row[4], tags: StatusRow.tags(row[6]).map { Hashtag.key($0) },
                visibility: (row[7] as Int?).flatMap(Visibility.init),
                mentions: StatusRow.unpack(row[8]), at: row[5])
        }
    }

    /// The newest sequence number of the change log, whose newest row is never pruned.
    func lastChange() throws -> Int64 {
        try Int64.fetchOne(cachedStatement(sql: "SELECT max(sequence) FROM change")) ?? 0
    }

    /// The part of the log that can be replayed.
    func changeWindow() throws -> ChangeWindow {
        let statement = try cachedStatement(
            sql: """
                SELECT (SELECT value FROM meta WHERE key = 'epoch'), (SELECT value FROM meta WHERE key = 'pruned'),
                (SELECT min(sequence) FROM change), (SELECT max(sequence) FROM change)
                """)
        guard let row = try Row.fetchOne(statement) else { return ChangeWindow(epoch: "") }
        return ChangeWindow(
            epoch: row[0], pruned: (row[1] as String?).flatMap { Int64($0) }, first: row[2], last: row[3])
    }

    /// Records that rows up to a sequence number may have been removed from the log.
    fileprivate func recordPruned(upTo sequence: Int64) throws {
        guard try changeWindow().floor < sequence else { return }
        try FeedDatabase.setMeta("pruned", String(sequence), in: self)
    }

    /// A new id: milliseconds since 1970 shifted left by 16, plus a counter. Ids strictly increase within a feed, even
    /// across processes, after a clock change and after rows are deleted.
    func nextID(now: Int64) throws -> Int64 {
        let statement = try cachedStatement(
            sql:
                "UPDATE sequence SET last = CASE WHEN last >= ?1 THEN last + 1 ELSE ?1 END WHERE one = 1 RETURNING last"
        )
        guard let id = try Int64.fetchOne(statement, arguments: [now << 16]) else {
            throw FeedError(.storage, "The database is damaged: the last id is missing")
        }
        return id
    }
}
