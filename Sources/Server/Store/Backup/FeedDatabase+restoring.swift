import FeedCore
import Foundation

extension FeedDatabase {
    /// The key of the setting that identifies the restore from which the feed came.
    private static let restoreKey = "restored"

    /// Prepares a restored feed: clients must not continue at positions of the change log that they have from the time
    /// after the backup.
    /// - Parameter id: The id of the restore.
    package func finishRestoring(_ id: String) async throws {
        let epoch = UUID().uuidString.lowercased()
        let sequence = try await commits.write { db in
            try Self.setMeta("epoch", epoch, in: db)
            try Self.setMeta(Self.restoreKey, id, in: db)
            return try db.lastChange()
        }
        log.restart(epoch: epoch, at: sequence)
    }

    /// Whether the feed is the complete result of a restore.
    /// - Parameter id: The id of the restore.
    package func isRestored(by id: String) async throws -> Bool { try await meta(Self.restoreKey) == id }
}
