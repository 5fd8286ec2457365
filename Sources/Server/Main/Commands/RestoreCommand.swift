import ArgumentParser
import FeedAPI
import FeedCore
import FeedFiles
import FeedTerminal

/// `feedserver restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Fill an empty data folder from a backup.",
        discussion: """
            Every file is compared with its hash. Apps notice that the feed has changed and read it again. \
            If a restore is interrupted, run the same command again.

              feedserver restore /mnt/backup/feed --data /var/lib/feed
              feedserver restore /mnt/backup/feed --at 2026-11-22 --data /var/lib/feed
            """)

    @OptionGroup var data: DataOptions
    @Argument(help: .init("The folder with backups.", valueName: "dir")) var path: String
    @Option(
        help: .init(
            "Restore the newest backup from this time or earlier: ISO 8601 such as 2026-11-22T08:00:00Z, or a date, "
                + "which means the end of that day in UTC (default: the newest backup).", valueName: "time"))
    var at: BackupTime?

    func validate() throws {
        guard !path.isEmpty else { throw ValidationError("The folder must not be empty.") }
    }

    func run() async throws {
        try await Failure.reported {
            do {
                try await restore()
            } catch let error as FeedError {
                throw error.onDisk(of: data.folder)
            }
        }
    }

    private func restore() async throws {
        try FolderPath.refuseNesting(path, data: data.folder)
        let folder = try BackupFolder.open(path)
        let (manifests, problems) = try folder.manifests()
        for problem in problems { StandardError.report(problem.plainMessage, hint: problem.hint) }
        let manifest = try BackupSelection.newest(of: manifests, at: at?.name)
        let report = try await BackupRestoring(folder: folder, manifest: manifest, data: data).run()
        print(Self.text(report))
        let lost = report.blobs.failed.filter { !manifest.blobs.missing.contains($0.hash.description) }
        if lost.count < report.blobs.failed.count {
            StandardError.line(
                "note: \(Plural.text(report.blobs.failed.count - lost.count, "file")) had no content when the backup was made"
            )
        }
        guard lost.isEmpty else { throw Self.incomplete(lost) }
    }

    private static func text(_ report: BackupRestoring.Report) -> String {
        let (counts, blobs) = (report.manifest.counts, report.blobs)
        return "restored the backup from \(report.manifest.time): \(Plural.text(counts.accounts, "account")), "
            + "\(Plural.text(counts.statuses, "status", "statuses")), \(Plural.text(counts.files, "file")) "
            + "(\(Plural.text(blobs.copied + blobs.skipped, "stored file")), \(ByteSize.text(blobs.bytes)))"
    }

    private static func incomplete(_ lost: [BlobReference]) -> FeedError {
        FeedError(
            .storage,
            "the feed is restored, but in the backup, the content of \(Plural.text(lost.count, "file")) is missing or "
                + "damaged, for example \(lost.first?.name ?? "")",
            hint: "feedserver check lists them. Another copy of the backup may still have their content.")
    }
}

extension BackupTime: ExpressibleByArgument {}
