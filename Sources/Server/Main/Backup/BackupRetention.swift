import FeedCore
import FeedFiles
import FeedFolders
import FeedStore
import FeedTerminal

/// Removes old backups and the blobs that only they contain.
struct BackupRetention {
    struct Report {
        var backups = 0
        var blobs = 0
        /// The total size of the removed blobs in bytes.
        var bytes: Int64 = 0
    }

    let folder: BackupFolder

    /// - Parameter count: The number of backups to keep.
    func run(keeping count: Int) async throws -> Report {
        var report = Report()
        for name in BackupChoice.expired(among: try folder.manifests().found.compactMap(\.name), keeping: count) {
            try folder.remove(name)
            report.backups += 1
        }
        let (kept, problems) = try folder.manifests()
        // Backups whose manifests cannot be read may need any of the blobs.
        guard problems.isEmpty else { return report }
        let databases = try kept.compactMap(\.name).map {
            try DatabaseBackup(path: folder.root.path($0.databaseFile))
        }
        defer { for database in databases { database.close() } }
        try await ProgressReporter.during("removing old files", total: 256, unit: .items) { progress in
            for prefix in UInt8.min ... .max {
                var used: Set<BlobHash> = []
                for database in databases {
                    used.formUnion(try await BlobReferences.hashes(prefix: prefix, in: database))
                }
                let removed = folder.removeBlobs(prefix: prefix, except: used)
                report.blobs += removed.count
                report.bytes += removed.reduce(0, +)
                progress.advance(1)
            }
        }
        return report
    }
}
