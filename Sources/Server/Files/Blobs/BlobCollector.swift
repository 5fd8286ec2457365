package import FeedCore

/// Removes blobs that no file and no account refers to any more.
package struct BlobCollector: Sendable {
    /// The result of a full collection.
    package struct Report: Sendable, Equatable {
        /// The number of removed blobs.
        package var blobs = 0
        /// The total size of the removed blobs in bytes.
        package var bytes: Int64 = 0
        /// Unfinished uploads of processes that have died.
        package var unfinished = 0
        /// Blobs in use.
        package var kept = 0
    }

    /// Uploads wait while one batch is removed.
    private static let batch = 100

    private let blobs: any BlobStoring
    private let files: any FileStoring

    package init(blobs: any BlobStoring, files: any FileStoring) {
        self.blobs = blobs
        self.files = files
    }

    /// Removes the blobs of replaced and deleted files.
    /// - Parameter account: Only files of this account; `nil` for all.
    package func collectReplaced(of account: Int64? = nil) async throws {
        var isDone = false
        while !isDone {
            // Most of the time there is nothing, and the lock would make uploads wait.
            guard try await !files.replaced(of: account, limit: 1).isEmpty else { return }
            isDone = try await blobs.whileCollecting {
                let replaced = try await files.replaced(of: account, limit: Self.batch)
                _ = try await remove(replaced.map(\.hash), grace: 0)
                try await files.forget(replaced)
                return replaced.count < Self.batch
            }
        }
    }

    /// Looks at every stored blob.
    /// - Parameter grace: Blobs younger than this many seconds are kept.
    package func collectAll(grace: Int64) async throws -> Report {
        var report = Report()
        report.unfinished = try await blobs.removeUnfinished()
        for prefix in UInt8.min ... .max {
            var rest = try await blobs.list(prefix: prefix)[...]
            while !rest.isEmpty {
                let some = Array(rest.prefix(Self.batch))
                rest = rest.dropFirst(Self.batch)
                let removed = try await blobs.whileCollecting { try await remove(some, grace: grace) }
                report.blobs += removed.count
                report.bytes += removed.reduce(0, +)
                report.kept += some.count - removed.count
            }
        }
        return report
    }

    private func remove(_ hashes: [String], grace: Int64) async throws -> [Int64] {
        let used = try await files.used(among: hashes)
        return try await blobs.remove(hashes.filter { !used.contains($0) }, grace: grace)
    }
}
