import ArgumentParser
import FeedCore
import FeedFiles
import FeedStore
import FeedTerminal
import NIOPosix

/// `feedserver backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the feed while the server is running.",
        discussion: """
            The folder may contain earlier backups; only files that they lack are copied. If a backup is interrupted, \
            the next one removes its remains.

              feedserver backup /mnt/backup/feed --keep 30
              feedserver restore /mnt/backup/feed --at 2026-11-22 --data /var/lib/feed
            """)

    @OptionGroup var data: DataOptions
    @Argument(help: .init("The folder for backups, outside the data folder.", valueName: "dir")) var path: String
    @Option(help: .init("Remove all but the newest backups (default: keep all).", valueName: "count")) var keep: Int?

    func validate() throws {
        guard !path.isEmpty else { throw ValidationError("The folder must not be empty.") }
        guard (keep ?? 1) > 0 else { throw ValidationError("--keep must be at least 1.") }
    }

    func run() async throws {
        try await Failure.reported {
            do {
                try await data.use { try await backUp($0) }
            } catch let error as FeedError {
                throw error.onDisk(of: path)
            }
        }
    }

    private func backUp(_ database: FeedDatabase) async throws {
        try FolderPath.refuseNesting(path, data: data.folder)
        let folder = try BackupFolder.claim(path)
        let blobs = try BlobStore(folder: data.folder, threads: .singleton)
        let report = try await BackupWriter(database: database, blobs: blobs, source: data.folder, folder: folder).run()
        print(Self.text(report))
        if let keep { try await removeOld(folder, keeping: keep) }
        for problem in try folder.manifests().problems {
            StandardError.report(problem.plainMessage, hint: problem.hint)
        }
        guard report.blobs.failed.isEmpty else { throw Self.incomplete(report.blobs.failed) }
    }

    private func removeOld(_ folder: BackupFolder, keeping count: Int) async throws {
        let removed = try await BackupRetention(folder: folder).run(keeping: count)
        guard removed.backups > 0 || removed.blobs > 0 else { return }
        print(
            "removed \(Plural.text(removed.backups, "old backup")) and \(Plural.text(removed.blobs, "file")) "
                + "(\(ByteSize.text(removed.bytes)))")
    }

    private static func text(_ report: BackupWriter.Report) -> String {
        let (counts, blobs) = (report.manifest.counts, report.blobs)
        return "\(report.name): \(Plural.text(counts.accounts, "account")), "
            + "\(Plural.text(counts.statuses, "status", "statuses")), \(Plural.text(counts.files, "file")); "
            + "database \(ByteSize.text(report.manifest.database.bytes)); "
            + "copied \(Plural.text(blobs.copied, "stored file")) (\(ByteSize.text(blobs.copiedBytes))), "
            + "\(blobs.skipped) unchanged (\(ByteSize.text(blobs.skippedBytes)))"
    }

    private static func incomplete(_ failed: [BlobReference]) -> FeedError {
        let names = failed.prefix(3).map(\.name).joined(separator: ", ") + (failed.count > 3 ? ", …" : "")
        return FeedError(
            .storage,
            "the backup lacks \(Plural.text(failed.count, "file")) whose content is missing, damaged or not readable: \(names)",
            hint: "Run feedserver check.")
    }
}
