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
                return try await CheckRun(
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
    private static func show(_ report: CheckRun.Report, of subject: String) throws {
        for line in lines(report, subject) { print(SafeText.line(line)) }
        guard report.isClean else { throw ExitCode(1) }
    }

    private static func lines(_ report: CheckRun.Report, _ subject: String) -> [String] {
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

/// Looks for damage in a feed, which may be in use, and repairs what can be repaired.
struct CheckRun {
    struct Report {
        var findings: [CheckFinding] = []
        /// The number of findings that are not listed.
        var unlisted = 0
        var blobs = 0
        var bytes: Int64 = 0
        /// What is worth knowing, but no problem.
        var notes: [String] = []

        var isClean: Bool { unlisted == 0 && findings.allSatisfy(\.isRepaired) }

        /// The largest number of findings that are listed.
        private static let limit = 10_000

        mutating func add(_ finding: CheckFinding) {
            if findings.count < Self.limit { findings.append(finding) } else { unlisted += 1 }
        }
    }

    let database: FeedDatabase
    let blobs: BlobStore
    let owner: DataFolderOwner?
    let isRepairing: Bool

    private var files: FileStore { FileStore(database) }

    func run() async throws -> Report {
        var report = Report()
        let check = DatabaseCheck(database)
        let structure = try await ProgressReporter.during("checking the database") { progress in
            progress.show(0, of: 0)
            return try await check.structure(isRepairing: isRepairing)
        }
        for finding in structure { report.add(finding) }
        let (states, values) = try await blobs.whileKeeping {
            let snapshot = try database.snapshot()
            defer { snapshot.close() }
            let values = try await ProgressReporter.during("counting", unit: .items) { progress in
                try await check.values(in: snapshot, isRepairing: isRepairing) {
                    progress.show(Int64($0), of: Int64($1))
                }
            }
            return (try await checkBlobs(in: snapshot), values)
        }
        for finding in values + states.findings { report.add(finding) }
        (report.blobs, report.bytes, report.unlisted) = (states.blobs, states.bytes, report.unlisted + states.unlisted)
        try await findUnreferenced(&report)
        return report
    }

    private func checkBlobs(in snapshot: any DatabaseReading) async throws -> Report {
        var report = Report()
        let total = try await BlobReferences.bytes(in: snapshot)
        try await ProgressReporter.during("checking files", total: total) { progress in
            try await BlobReferences.forEachPage(in: snapshot) { page in
                let states = try await blobs.check(page) { progress.advance($0) }
                for (blob, state) in zip(page, states) {
                    report.blobs += 1
                    if state == .intact { report.bytes += blob.size ?? 0 }
                    if let finding = try await finding(blob, state) { report.add(finding) }
                }
            }
        }
        return report
    }

    /// The length of `blobs/ab/cd/` and a hash.
    private static let relativeLength = 76

    private func finding(_ blob: BlobReference, _ state: BlobState) async throws -> CheckFinding? {
        let path = blobs.path(blob.hash)
        let remedy =
            "Copy \(path.suffix(Self.relativeLength)) from the folder of a backup to \(path), or upload the file again."
        switch state {
        case .intact: return nil
        case .missing: return CheckFinding("\(blob.name): its content \(path) is missing", remedy: remedy)
        case .forbidden:
            return CheckFinding(
                "\(blob.name): this user may not read its content \(path)",
                remedy: owner?.remedy ?? "Run the command as the owner of the data folder.")
        case .damaged: return CheckFinding("\(blob.name): its content \(path) is damaged", remedy: remedy)
        case .otherSize(let size):
            if isRepairing { try await files.setSize(size, ofBlob: blob.hash) }
            return CheckFinding(
                "\(blob.name): listed with \(blob.size ?? 0) bytes, but has \(size)", remedy: CheckFinding.repair,
                isRepaired: isRepairing)
        }
    }

    /// Finds blobs to which nothing refers. Uploads wait during each step, because a blob is unreferenced until its file
    /// is named.
    private func findUnreferenced(_ report: inout Report) async throws {
        try await ProgressReporter.during("looking for unreferenced files", total: 256, unit: .items) { progress in
            for prefix in UInt8.min ... .max {
                progress.advance(1)
                for some in try await candidates(try await blobs.list(prefix: prefix)).chunks(of: 100) {
                    guard let hashes = try await blobs.whileCollecting({ try await unreferenced(Array(some)) }) else {
                        report.notes.append("unreferenced files were not looked for, because a backup is running")
                        return
                    }
                    for hash in hashes {
                        report.add(
                            CheckFinding(
                                "nothing refers to \(blobs.path(hash))", remedy: CheckFinding.repair,
                                isRepaired: isRepairing
                            ))
                    }
                }
            }
        }
    }

    private func candidates(_ hashes: [BlobHash]) async throws -> [BlobHash] {
        let used = try await files.used(among: hashes)
        return hashes.filter { !used.contains($0) }
    }

    /// Must be called while no blobs are published.
    private func unreferenced(_ hashes: [BlobHash]) async throws -> [BlobHash] {
        let unused = try await candidates(hashes)
        let listed = try await files.listedForCollection(among: unused)
        // Blobs that the collector has removed in the meantime are neither used nor listed.
        let unreferenced = unused.filter { !listed.contains($0) && blobs.contains($0) }
        if isRepairing { _ = try await blobs.remove(unreferenced, grace: 0) }
        return unreferenced
    }
}
