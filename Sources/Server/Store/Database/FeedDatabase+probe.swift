import FeedCore

extension FeedDatabase {
    /// Writes to the database, as the answer to the question whether it can store anything.
    /// - Parameter folder: The data folder, to whose disk files are uploaded.
    /// - Throws: ``FeedError`` with the reason why nothing can be stored.
    package func probe(folder: String) async throws {
        guard !DiskSpace.isFull(at: folder) else {
            throw FeedError(.diskFull, "The disk is full", hint: "Free some space; nothing was lost.")
        }
        try await setMeta("probed_at", String(clock.now()))
    }
}
