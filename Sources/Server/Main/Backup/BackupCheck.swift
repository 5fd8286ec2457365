import FeedCore
import FeedFiles
import FeedFolders
import FeedStore
import FeedTerminal
import Foundation
import NIOPosix

/// Looks for damage in all backups of a folder: reads their databases, and the content of every file once.
struct BackupCheck {
    let folder: BackupFolder

    private static let otherBackup = "Restore an earlier or a later backup, with --at."

    /// - Returns: The findings, and the number of backups.
    /// - Throws: ``FeedError`` `.notFound` if the folder contains no backup.
    func run() async throws -> (FeedCheck.Report, backups: Int) {
        let (manifests, problems) = try folder.manifests()
        if problems.isEmpty { _ = try BackupSelection.newest(of: manifests) }
        var report = FeedCheck.Report()
        for problem in problems {
            report.add(CheckFinding(problem.plainMessage, remedy: problem.hint ?? Self.otherBackup))
        }
        var checked: Set<BlobHash> = []
        for manifest in manifests.reversed() {
            do {
                try await check(manifest, &checked, &report)
            } catch let error as FeedError {
                report.add(CheckFinding(error.plainMessage, remedy: error.hint ?? Self.otherBackup))
            }
        }
        return (report, manifests.count)
    }

    private func check(
        _ manifest: BackupManifest, _ checked: inout Set<BlobHash>, _ report: inout FeedCheck.Report
    ) async throws {
        guard let name = manifest.name else { return }
        try await requireIntact(name, manifest)
        let database = try DatabaseBackup(path: folder.root.path(name.databaseFile))
        defer { database.close() }
        try await database.requireOwn()
        // Of the files of earlier backups, most have been checked.
        let total = checked.isEmpty ? try await BlobReferences.bytes(in: database) : 0
        let missing = Set(manifest.blobs.missing)
        var lost = 0
        try await ProgressReporter.during("checking the files of \(name)", total: total) { progress in
            try await BlobReferences.forEachPage(in: database) { page in
                let blobs = page.filter { missing.contains($0.hash.description) || !checked.contains($0.hash) }
                let states = try await folder.check(blobs, threads: .singleton) { progress.advance($0) }
                for (blob, state) in zip(blobs, states) {
                    if missing.contains(blob.hash.description), [.missing, .damaged].contains(state) {
                        lost += 1
                        continue
                    }
                    guard checked.insert(blob.hash).inserted else { continue }
                    report.blobs += 1
                    if state == .intact { report.bytes += blob.size ?? 0 }
                    if let finding = finding(blob, state) { report.add(finding) }
                }
            }
        }
        if lost > 0 {
            report.notes.append(
                "\(Plural.text(lost, "file")) had no content when the backup from \(manifest.time) was made")
        }
    }

    private func requireIntact(_ name: BackupName, _ manifest: BackupManifest) async throws {
        let damaged = FeedError(
            .storage, "the database of the backup from \(manifest.time) is damaged", hint: Self.otherBackup)
        let blob = try await ProgressReporter.during("checking \(name)", total: manifest.database.bytes) { progress in
            try await NIOThreadPool.singleton.runIfActive {
                guard let file = try openDatabase(name) else { return nil as Blob? }
                defer { close(file) }
                return try? HashedFile.hash(file) { progress.advance($0) }
            }
        }
        guard blob?.hash.description == manifest.database.sha256 else { throw damaged }
    }

    /// - Returns: `nil` if it cannot be opened.
    /// - Throws: ``FeedError`` `.forbidden`.
    private func openDatabase(_ name: BackupName) throws(FeedError) -> Int32? {
        do { return try folder.openDatabase(name) } catch {
            guard error.kind != .forbidden else { throw error }
            return nil
        }
    }

    private func finding(_ blob: BlobReference, _ state: BlobState) -> CheckFinding? {
        let path = BlobStore.path(blob.hash, in: folder.root.path)
        let again = "run feedserver backup, which copies what the feed still has."
        switch state {
        case .intact, .otherSize: return nil
        case .missing:
            return CheckFinding("\(blob.name): its content \(path) is missing", remedy: "To replace it, " + again)
        case .damaged:
            return CheckFinding(
                "\(blob.name): its content \(path) is damaged", remedy: "Remove \(path), then " + again)
        case .forbidden:
            return CheckFinding(
                "\(blob.name): this user may not read its content \(path)",
                remedy: "Run the command as the owner of the backups.")
        }
    }
}
