import FeedCore
import FeedFiles
import FeedFolders
import FeedStore
import FeedTerminal
import Foundation
import NIOPosix

/// Makes one backup while the server may be running. First the garbage collector is held off, then the database is
/// copied as it is at one moment, then the blobs to which the copy refers. The manifest, written last, makes the backup
/// complete.
struct BackupWriter {
    struct Report {
        var name: BackupName
        var manifest: BackupManifest
        var blobs: BlobTally
    }

    let database: FeedDatabase
    let blobs: BlobStore
    /// The data folder.
    let source: String
    let folder: BackupFolder

    func run() async throws -> Report {
        do {
            return try await blobs.whileKeeping { try await copy() }
        } catch {
            try? folder.removeIncomplete()
            throw error
        }
    }

    private func copy() async throws -> Report {
        let name = try BackupName.next(from: WallClock.system.now(), taken: folder.names())
        let staging = try folder.stage()
        let path = staging.path(name.databaseFile)
        try await ProgressReporter.during("copying the database", unit: database.isShared ? .items : .bytes) {
            progress in
            try await database.backUp(to: path) { progress.show($0, of: $1) }
        }
        let copy = try DatabaseBackup(path: path)
        defer { copy.close() }
        try await copy.requireIntact()
        try await copy.requireOwn()
        let (tally, digest) = try await copyBlobs(of: copy)
        guard tally.failed.count <= BackupManifest.maximumMissing else {
            throw FeedError(
                .storage,
                "the content of more than \(BackupManifest.maximumMissing) files is missing, damaged or not readable",
                hint: "Run feedserver check, and restore an earlier backup.")
        }
        let manifest = try await manifest(name, copy, in: staging, tally, digest: digest)
        try folder.add(name, from: staging, manifest: manifest)
        try folder.removeIncomplete()
        return Report(name: name, manifest: manifest, blobs: tally)
    }

    private func copyBlobs(of copy: DatabaseBackup) async throws -> (BlobTally, String) {
        let copier = try BlobCopier(from: Folder(source), to: folder.root, threads: .singleton)
        return try await BlobTransfer(label: "copying files", copier: copier).run(in: copy)
    }

    private func manifest(
        _ name: BackupName, _ copy: DatabaseBackup, in staging: Folder, _ tally: BlobTally, digest: String
    ) async throws -> BackupManifest {
        let facts = try await copy.facts()
        let size = staging.size(ofFile: name.databaseFile) ?? 0
        let file = try await ProgressReporter.during("hashing the database", total: size) { progress in
            try await NIOThreadPool.singleton.runIfActive {
                let opened = try staging.openFile(name.databaseFile)
                defer { close(opened) }
                return try HashedFile.hash(opened) { progress.advance($0) }
            }
        }
        return BackupManifest(
            version: FeedserverCommand.version, name: name, schema: facts.schema, epoch: facts.epoch,
            lastChange: facts.lastChange, counts: facts.counts,
            database: .init(bytes: file.size, sha256: file.hash.description),
            blobs: .init(
                count: tally.count, bytes: tally.bytes, sha256: digest,
                missing: tally.failed.map(\.hash.description).sorted()))
    }
}

/// Copies all blobs to which a database refers.
struct BlobTransfer {
    let label: String
    let copier: BlobCopier

    /// - Returns: The copied blobs, and the value of ``BlobListDigest`` for all blobs.
    func run(in database: DatabaseBackup) async throws -> (BlobTally, String) {
        let total = try await BlobReferences.bytes(in: database)
        var (tally, digest) = (BlobTally(), BlobListDigest())
        try await ProgressReporter.during(label, total: total) { progress in
            try await BlobReferences.forEachPage(in: database) { page in
                let outcomes = try await copier.copy(page) { progress.advance($0) }
                for (blob, outcome) in zip(page, outcomes) {
                    tally.add(outcome, of: blob)
                    digest.add(blob.hash)
                }
            }
        }
        try await copier.sync()
        return (tally, digest.hexadecimal)
    }
}

/// Paths given on the command line.
enum FolderPath {
    /// Refuses two folders of which one contains the other: a backup would contain earlier backups, and an empty data
    /// folder would not stay empty.
    /// - Throws: ``FeedError`` `.conflict`.
    static func refuseNesting(_ backup: String, data: String) throws(FeedError) {
        guard FolderNesting.overlap(resolved(backup), resolved(data)) else { return }
        throw FeedError(
            .conflict, "the data folder and the backup folder must not contain each other",
            hint: "Choose a folder elsewhere, preferably on another disk.")
    }

    /// The absolute path without symbolic links; the last segments need not exist.
    private static func resolved(_ path: String) -> String {
        var url = URL(fileURLWithPath: path).standardizedFileURL
        var rest: [String] = []
        while url.path != "/" {
            if let real = realpath(url.path, nil) {
                defer { free(real) }
                return ([String(cString: real)] + rest).joined(separator: "/")
            }
            rest.insert(url.lastPathComponent, at: 0)
            url.deleteLastPathComponent()
        }
        return "/" + rest.joined(separator: "/")
    }
}

extension FeedError {
    /// The same error with the name of the full disk.
    func onDisk(of folder: String) -> FeedError {
        guard kind == .diskFull else { return self }
        return FeedError(
            .diskFull, "the disk that holds \(folder) is full",
            hint: "Free some space on it, then run the command again; it continues where it stopped.", cause: cause)
    }
}

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
        for name in BackupSelection.expired(among: try folder.manifests().found.compactMap(\.name), keeping: count) {
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
