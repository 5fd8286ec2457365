import FeedCore
package import FeedFiles
package import FeedStore

/// Removes blobs to which no file or account refers.
package struct GarbageCollector: Sendable {
    /// The result of a full collection.
    package struct Report: Sendable, Equatable {
        /// The number of removed blobs.
        package var blobs = 0
        /// The total size of the removed blobs in bytes.
        package var bytes: Int64 = 0
        /// The number of removed unfinished uploads, left behind by processes that have ended.
        package var unfinished = 0
        /// The number of blobs that were kept.
        package var kept = 0
    }

    /// The number of blobs removed per batch. Uploads wait during a batch.
    private static let batch = 100

    private let blobs: BlobStore
    private let files: FileStore

    package init(blobs: BlobStore, files: FileStore) {
        self.blobs = blobs
        self.files = files
    }

    /// Removes the blobs of replaced and deleted files. Does nothing during a backup; a later call removes them.
    /// - Parameter account: Only files of this account; `nil` for all.
    package func collectReplaced(of account: Int64? = nil) async throws {
        var isDone = false
        while !isDone {
            // Usually there is nothing to remove, and acquiring the lock would make uploads wait.
            guard try await !files.replaced(of: account, limit: 1).isEmpty else { return }
            isDone =
                try await blobs.whileCollecting {
                    let replaced = try await files.replaced(of: account, limit: Self.batch)
                    _ = try await remove(replaced.compactMap(\.hash), grace: 0)
                    try await files.forget(replaced)
                    return replaced.count < Self.batch
                } ?? true
        }
    }

    /// Checks every stored blob and removes the unreferenced ones.
    /// - Parameter grace: Blobs younger than this many seconds are kept.
    /// - Throws: ``FeedError`` `.conflict` during a backup.
    package func collectAll(grace: Int64) async throws -> Report {
        var report = Report()
        report.unfinished = try await blobs.removeUnfinished()
        for prefix in UInt8.min ... .max {
            for some in try await blobs.list(prefix: prefix).chunks(of: Self.batch) {
                let removed = try await blobs.whileCollecting { try await remove(Array(some), grace: grace) }
                guard let removed else {
                    throw FeedError(
                        .conflict, "a backup or a check of this folder is running",
                        hint: "Run the command again when it has finished.")
                }
                report.blobs += removed.count
                report.bytes += removed.reduce(0, +)
                report.kept += some.count - removed.count
            }
        }
        return report
    }

    private func remove(_ hashes: [BlobHash], grace: Int64) async throws -> [Int64] {
        let used = try await files.used(among: hashes)
        return try await blobs.remove(hashes.filter { !used.contains($0) }, grace: grace)
    }
}
