import FeedCore

/// The operations that ``FeedDatabase`` requires from an engine: SQLite or PostgreSQL.
protocol DatabaseBackend: Sendable {
    /// Whether the schema was migrated when the database was opened.
    var isMigrated: Bool { get }
    /// Whether other servers may write to the database.
    var isShared: Bool { get }
    /// The maximum number of jobs per transaction.
    var maximumBatch: Int { get }

    /// Runs `body` on a consistent snapshot.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    /// Runs `body` on the writer's thread. Calls are executed in order, one at a time.
    func write(_ body: @escaping @Sendable (any WriterConnection) -> Void)
    /// - Throws: ``FeedError`` while the database is not writable.
    func requireWritable() throws
    /// Records an error thrown by a query.
    /// - Returns: The error to throw to the caller.
    func failed(_ error: any Error) -> any Error
    func isDiskFull(_ error: any Error) -> Bool
    /// Releases the disk space reserved for deletions.
    /// - Returns: Whether any space was reserved.
    func releaseReserve() -> Bool
    /// Reserves disk space for deletions from now on.
    func keepReserve()
    /// - Throws: ``FeedError`` `.diskFull` while only deletions may write.
    func requireReserve() throws(FeedError)
    /// A snapshot of the last commit.
    func snapshot() throws -> any DatabaseSnapshotting
    /// The size of the database in bytes.
    func bytes() async throws -> Int64
    /// Rewrites a SQLite database without unused space; makes PostgreSQL reuse the space of deleted rows.
    /// - Throws: ``FeedError`` `.conflict` if other processes would have to wait; `.diskFull`.
    func vacuum() async throws
    func stamp() -> ChangeStamp
    func lockImports() throws -> any ImportLocking
    /// Whether this server performs the maintenance.
    func isLeader() async -> Bool
    func close() throws
}

/// A lock that allows only one import into a feed at a time.
protocol ImportLocking: Sendable {
    func release()
}

/// A source of consistent reads: a feed, or a snapshot of one.
package protocol DatabaseReading: Sendable {
    /// Runs `body` on a consistent view.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
}

extension FeedDatabase: DatabaseReading {}

/// A view of a database that does not change, shared by several reads without a time limit. Writers are not blocked.
package protocol DatabaseSnapshotting: DatabaseReading {
    func close()
}
