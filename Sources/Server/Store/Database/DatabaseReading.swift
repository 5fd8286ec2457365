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
