import FeedCore
import FeedFiles
import FeedStore
import FeedTerminal

/// Looks for damage in a feed, which may be in use, and repairs what can be repaired.
struct FeedCheck {
    struct Report {
        var findings: [CheckFinding] = []
        /// The number of findings that are not listed.
        var unlisted = 0
        var blobs = 0
        var bytes: Int64 = 0
        /// Remarks that are no problems.
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
