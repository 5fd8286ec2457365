import FeedCore

/// What ``FeedDatabase`` needs of SQLite or PostgreSQL.
protocol DatabaseEngine: Sendable {
    /// Whether the schema was migrated when the database was opened.
    var isMigrated: Bool { get }
    /// Whether other servers may write to the database.
    var isShared: Bool { get }
    /// Jobs in one transaction at most.
    var maximumBatch: Int { get }

    /// Reads in one consistent view.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    /// Calls `body` on the writer's thread, one after the other.
    func write(_ body: @escaping @Sendable (any WriterConnection) -> Void)
    /// - Throws: ``FeedError`` while nothing may be written.
    func requireWritable() throws
    /// Notes an error of a query.
    /// - Returns: The error for the caller.
    func failed(_ error: any Error) -> any Error
    func isDiskFull(_ error: any Error) -> Bool
    /// Gives up space that was kept for deleting.
    /// - Returns: Whether there was any.
    func releaseReserve() -> Bool
    func fillReserve()
    func stamp() -> ChangeStamp
    func lockImports() throws -> any ImportLocking
    /// Whether this server is the one that does the maintenance.
    func isLeader() async -> Bool
    func close() throws
}

/// The one connection that writes.
protocol WriterConnection: SQLConnection {
    var isInsideTransaction: Bool { get }

    /// Commits unless `body` throws.
    /// - Parameter isRepeatable: Whether `body` may run again when the connection was lost before the commit.
    func inTransaction(isRepeatable: Bool, _ body: () throws -> Void) throws
    /// Undoes what `body` did if it throws.
    func inSavepoint(_ body: () throws -> Void) throws
}

/// Lets one import at a time into a feed.
protocol ImportLocking: Sendable {
    func release()
}
