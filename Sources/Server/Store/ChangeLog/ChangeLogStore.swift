package import FeedCore
import Synchronization

/// The change log in the database: the ordered log of all changes.
package struct ChangeLogStore: Sendable {
    /// The maximum number of rows read to catch up with other servers.
    private static let maximumCaughtUp = 256

    private let database: FeedDatabase

    package init(_ database: FeedDatabase) { self.database = database }

    /// The newest sequence number and the epoch of the database.
    package func position() async throws -> ChangePosition {
        try await database.read { db in
            let epoch = try db.fetchOne("SELECT value FROM meta WHERE key = 'epoch'", as: String.self) ?? ""
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
            let position = database.log.sequence
            let (rows, last) = try await database.read { db in
                // Usually, no other server has written, and one query is enough.
                let last = try db.lastChange()
                return (last > position ? try db.changes(after: position, limit: Self.maximumCaughtUp) : [], last)
            }
            guard last < position else { return database.log.extend(by: rows, upTo: last) }
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

    /// Deletes changes older than `time` (milliseconds since 1970) and those before them, at most 1,000 per call.
    /// - Returns: The number of deleted changes.
    package func prune(before time: Int64) async throws -> Int {
        let now = database.clock.now()
        return try await database.commits.write(freesSpace: true) { db in
            guard let last = try db.lastChange(before: time, now: now) else { return 0 }
            // The newest row is kept, because it determines the position of the log.
            let removed = try db.fetchAll(
                """
                DELETE FROM change WHERE sequence <= \(last) AND sequence < (SELECT max(sequence) FROM change)
                AND sequence IN (SELECT sequence FROM change ORDER BY sequence LIMIT 1000)
                RETURNING sequence
                """, as: Int64.self)
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
        let packed = StatusRow.pack(tags.map { Hashtag.key($0) })
        try execute(
            """
            INSERT INTO change (kind, subject, account, related, tags, visibility, mentions, at)
            VALUES (\(kind.rawValue), \(subject), \(account), \(related), \(packed), \(visibility?.rawValue),
            \(StatusRow.pack(mentions)), \(now))
            """)
    }

    /// Rows of the change log after `sequence`, oldest first.
    func changes(after sequence: Int64, limit: Int) throws -> [Change] {
        let query: SQL = """
            SELECT \(sql: ChangeColumn.columns) FROM change c
            WHERE c.sequence > \(sequence) ORDER BY c.sequence LIMIT \(limit)
            """
        return try fetchAll(query).map { row in
            let row = EntityRow(row, ChangeColumn.self)
            return try Change(
                sequence: row[.sequence], kind: Change.Kind(rawValue: row[.kind]) ?? .unknown, subject: row[.subject],
                account: row[.account], related: row[.related],
                tags: StatusRow.tags(row[.tags]).map { Hashtag.key($0) },
                visibility: (row[.visibility] as Int?).flatMap(Visibility.init),
                mentions: StatusRow.unpack(row[.mentions]), at: row[.at])
        }
    }

    /// The newest sequence number of the change log, whose newest row is never pruned.
    func lastChange() throws -> Int64 {
        try fetchOne("SELECT max(sequence) FROM change", as: Int64.self) ?? 0
    }

    /// The part of the log that can be replayed.
    func changeWindow() throws -> ChangeWindow {
        let query: SQL = """
            SELECT (SELECT value FROM meta WHERE key = 'epoch'), (SELECT value FROM meta WHERE key = 'pruned'),
            (SELECT min(sequence) FROM change), (SELECT max(sequence) FROM change)
            """
        guard let row = try fetchOne(query) else { return ChangeWindow(epoch: "") }
        return try ChangeWindow(
            epoch: row[0] ?? "", pruned: (row[1] as String?).flatMap { Int64($0) }, first: row[2], last: row[3])
    }

    /// A row that is older than `time`, with which all before it can be removed: the last one among the 1,000 oldest.
    fileprivate func lastChange(before time: Int64, now: Int64) throws -> Int64? {
        // Times do not always increase, but without an index of them, each change costs less.
        let last: SQL = """
            SELECT max(sequence) FROM (SELECT sequence, at FROM change ORDER BY sequence LIMIT 1000) oldest
            WHERE at < \(time)
            """
        if let sequence = try fetchOne(last, as: Int64.self) { return sequence }
        // All of these were written while the clock was ahead.
        let first = try fetchOne("SELECT at FROM change ORDER BY sequence LIMIT 1", as: Int64.self)
        guard let first, first > now else { return nil }
        return try fetchOne(
            "SELECT sequence FROM change WHERE at < \(time) ORDER BY sequence LIMIT 1", as: Int64.self)
    }

    /// Records that rows up to a sequence number may have been removed from the log.
    fileprivate func recordPruned(upTo sequence: Int64) throws {
        guard try changeWindow().floor < sequence else { return }
        try FeedDatabase.setMeta("pruned", String(sequence), in: self)
    }

    /// A new id: milliseconds since 1970 shifted left by 16, plus a counter. Ids strictly increase within a feed, even
    /// across processes, after a clock change and after rows are deleted.
    func nextID(now: Int64) throws -> Int64 { try Self.id(from: fetchOne(Self.nextIDQuery(now: now))) }

    static func nextIDQuery(now: Int64) -> SQL {
        """
        UPDATE sequence SET last = CASE WHEN last >= \(now << 16) THEN last + 1 ELSE \(now << 16) END
        WHERE one = 1 RETURNING last
        """
    }

    /// - Parameter row: The row of ``nextIDQuery(now:)``.
    static func id(from row: Row?) throws -> Int64 {
        guard let row else { throw FeedError(.storage, "The database is damaged: the last id is missing") }
        return try row[0]
    }
}

private enum ChangeColumn: Int, EntityColumn {
    case sequence, kind, subject, account, related, at, tags, visibility, mentions

    static let columns = list(of: "c")
}

/// Reads the position of the change log for many requests with few queries. All requests that arrive during a query
/// share the next query, which therefore sees all changes that were committed before they arrived.
final class LogPositionReader: Sendable {
    private enum Signal: Sendable {
        /// The shared query has completed.
        case finished
        /// The request runs the query for itself and for the given requests.
        case runQuery(for: [CheckedContinuation<Signal, any Error>])
    }

    private struct State {
        var isRunning = false
        var waiting: [CheckedContinuation<Signal, any Error>] = []
    }

    private let state = Mutex(State())

    /// Returns once a query that started after this call has completed.
    func read(_ query: @Sendable () async throws -> Void) async throws {
        var signal = Signal.runQuery(for: [])
        if !begin() {
            signal = try await withCheckedThrowingContinuation { continuation in
                let isFree = state.withLock { state in
                    guard state.isRunning else {
                        state.isRunning = true
                        return true
                    }
                    state.waiting.append(continuation)
                    return false
                }
                if isFree { continuation.resume(returning: .runQuery(for: [])) }
            }
        }
        guard case .runQuery(for: let others) = signal else { return }
        defer { startNextQuery() }
        do {
            try await query()
            for other in others { other.resume(returning: .finished) }
        } catch {
            for other in others { other.resume(throwing: error) }
            throw error
        }
    }

    private func begin() -> Bool {
        state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// Makes the first waiting request run the next query on behalf of all waiting requests.
    private func startNextQuery() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isRunning = !state.waiting.isEmpty
            return state.waiting
        }
        waiting.first?.resume(returning: .runQuery(for: Array(waiting.dropFirst())))
    }
}
