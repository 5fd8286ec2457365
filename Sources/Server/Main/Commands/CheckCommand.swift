import ArgumentParser
import FeedCore
import FeedFiles
import FeedStore
import FeedTerminal
import Foundation
import NIOPosix

/// `feedserver check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Look for damage in the data folder and the database.",
        discussion: """
            Reads the whole database and every file. The server may be running; only to rebuild an index does it have \
            to be stopped. Exits with 1 if a problem remains.

            With DIR, the folder of feedserver backup, it checks all backups instead, and changes nothing.
            """)

    @OptionGroup var data: DataOptions
    @Argument(help: .init("A folder with backups, to be checked instead of the feed.", valueName: "dir"))
    var backups: String?
    @Flag(help: "Repair indexes and counts, forget missing media, and remove files to which nothing refers.")
    var repair = false

    func validate() throws {
        guard backups == nil || !repair else { throw ValidationError("--repair does not repair backups.") }
    }

    func run() async throws {
        try await Failure.reported {
            if let backups { return try await check(backups) }
            let report = try await data.use { database in
                let blobs = try BlobStore(folder: data.folder, threads: .singleton)
                return try await FeedCheck(
                    database: database, blobs: blobs, owner: DataFolderOwner(of: data.folder), isRepairing: repair
                ).run()
            }
            try Self.show(report, of: "the database")
        }
    }

    private func check(_ backups: String) async throws {
        let (report, count) = try await BackupCheck(folder: try BackupFolder.open(backups)).run()
        try Self.show(report, of: Plural.text(count, "backup"))
    }

    /// - Parameter subject: What was checked besides the stored files.
    private static func show(_ report: FeedCheck.Report, of subject: String) throws {
        for line in lines(report, subject) { print(SafeText.line(line)) }
        guard report.isClean else { throw ExitCode(1) }
    }

    private static func lines(_ report: FeedCheck.Report, _ subject: String) -> [String] {
        var lines = report.findings.flatMap { finding in
            finding.isRepaired
                ? ["repaired: \(finding.text)"] : ["problem: \(finding.text)", "remedy: \(finding.remedy)"]
        }
        if report.unlisted > 0 { lines.append("and \(Plural.text(report.unlisted, "more problem"))") }
        lines += report.notes.map { "note: \($0)" }
        let repaired = report.findings.count(where: \.isRepaired)
        let problems = Plural.text(report.findings.count + report.unlisted, "problem")
        return lines + [
            "checked \(subject) and \(Plural.text(report.blobs, "stored file")) (\(ByteSize.text(report.bytes))): "
                + "found \(problems)" + (repaired > 0 ? ", repaired \(repaired)" : "")
        ]
    }
}
