import ArgumentParser
import FeedCore
import FeedFiles
import FeedStore
import FeedTerminal
import NIOPosix

/// `feedserver check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Look for damage in the data folder and the database.",
        discussion: """
            Reads the whole database and every file. The server may be running; only to rebuild an index does it have \
            to be stopped. Exits with 1 if a problem remains.
            """)

    @OptionGroup var data: DataOption
    @Flag(help: "Repair indexes and counts, forget missing media, and remove files to which nothing refers.")
    var repair = false

    func run() async throws {
        try await Failure.reported {
            let report = try await data.use { database in
                let blobs = try BlobStore(folder: data.folder, threads: .singleton)
                return try await CheckRun(database: database, blobs: blobs, isRepairing: repair).run()
            }
            for line in Self.lines(report) { print(SafeText.line(line)) }
            guard report.isClean else { throw ExitCode(1) }
        }
    }

    private static func lines(_ report: CheckRun.Report) -> [String] {
        var lines = report.findings.flatMap { finding in
            finding.isRepaired
                ? ["repaired: \(finding.text)"] : ["problem: \(finding.text)", "remedy: \(finding.remedy)"]
        }
        if report.unlisted > 0 { lines.append("and \(Plural.text(report.unlisted, "more problem"))") }
        if let omission = report.omission { lines.append("note: \(omission)") }
        let repaired = report.findings.count(where: \.isRepaired)
        let found = Plural.text(report.findings.count + report.unlisted, "problem")
        return lines + [
            "checked the database and \(Plural.text(report.blobs, "stored file")) (\(ProgressBar.bytes(report.bytes))): "
                + "found \(found)" + (repaired > 0 ? ", repaired \(repaired)" : "")
        ]
    }
}
