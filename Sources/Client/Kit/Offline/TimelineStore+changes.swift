import GRDB

extension TimelineStore {
    /// The position up to which the server's changes have been applied.
    struct ChangeState: Equatable, Sendable {
        /// `nil` if the server has no change feed.
        let position: String?
        /// When this was found out, in milliseconds since 1970.
        let time: Int64
    }

    /// The maximum age of a fetched status that is kept after a `resync`, in milliseconds: usually, the newest statuses
    /// have just been fetched.
    private static let verifiedAge: Int64 = 86_400_000

    /// - Returns: `nil` before the first call of ``TimelineSync/applyChanges()``.
    func changeState() async throws -> ChangeState? { try await database.read { db in try changeState(in: db) } }

    private func changeState(in db: Database) throws -> ChangeState? {
        let sql = "SELECT position, position_time FROM owner WHERE name = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [owner]),
            let time = Int64.fromDatabaseValue(row[1])
        else { return nil }
        return ChangeState(position: String.fromDatabaseValue(row[0]), time: time)
    }

    /// Replaces edited statuses and removes deleted ones in all timelines, and stores the new state. After a `resync`,
    /// nobody knows which of the stored statuses have been deleted, so they are removed.
    /// - Throws: ``FeedClientError`` `.disk`; `CancellationError`.
    func apply(_ changes: [Change], _ state: ChangeState) async throws {
        try await database.write { db in
            let account = try Self.ownerID(owner, in: db)
            let statuses = StatusRows(db: db, owner: account)
            for change in changes {
                if change.event == "resync" { try removeUnverified(statuses, at: state.time) }
                guard let key = change.id.flatMap({ StatusKey($0) }) else { continue }
                switch change.event {
                case "delete": try statuses.remove(key)
                case "status.update": if let entry = change.entry { try statuses.replace(key, entry.json) }
                default: break
                }
            }
            let sql = "UPDATE owner SET position = ?, position_time = ? WHERE id = ?"
            try db.execute(sql: sql, arguments: [state.position, state.time, account])
        }
    }

    /// Removes what was fetched before the last changes were applied, or more than a day ago.
    /// - Parameter now: Milliseconds since 1970.
    private func removeUnverified(_ statuses: StatusRows, at now: Int64) throws {
        let synced = try changeState(in: statuses.db)?.time ?? 0
        try statuses.removeFetched(upTo: max(synced, now.subtractingSaturating(Self.verifiedAge)))
    }
}
