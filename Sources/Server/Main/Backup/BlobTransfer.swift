import FeedCore
import FeedFiles
import FeedStore

/// Copies all blobs to which a database refers.
struct BlobTransfer {
    let label: String
    let copier: BlobCopier

    /// - Returns: The copied blobs, and the value of ``BlobListDigest`` for all blobs.
    func run(in database: BackupDatabase) async throws -> (BlobTally, String) {
        let total = try await BlobReferences.bytes(in: database)
        var (tally, digest) = (BlobTally(), BlobListDigest())
        try await WorkProgress.during(label, total: total) { progress in
            try await BlobReferences.forEachPage(in: database) { page in
                let outcomes = try await copier.copy(page) { progress.advance($0) }
                for (blob, outcome) in zip(page, outcomes) {
                    tally.add(outcome, of: blob)
                    digest.add(blob.hash)
                }
            }
        }
        try await copier.sync()
        return (tally, digest.text)
    }
}
