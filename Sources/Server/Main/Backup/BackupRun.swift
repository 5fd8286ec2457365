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
struct BackupRun {
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
        try await WorkProgress.during("copying the database", unit: database.isShared ? .items : .bytes) {
            progress in
            try await database.backUp(to: path) { progress.show($0, of: $1) }
        }
        let copy = try BackupDatabase(path: path)
        defer { copy.close() }
        try await copy.requireIntact()
        try await copy.requireOwn()
        let (tally, digest) = try await copyBlobs(of: copy)
        guard tally.failed.count <= BackupManifest.maximumMissing else {
            throw FeedError(
                .storage, "the content of more than \(BackupManifest.maximumMissing) files is missing or damaged",
                hint: "Run feedserver check, and restore an earlier backup.")
        }
        let manifest = try await manifest(name, copy, in: staging, tally, digest: digest)
        try folder.add(name, from: staging, manifest: manifest)
        try folder.removeIncomplete()
        return Report(name: name, manifest: manifest, blobs: tally)
    }

    private func copyBlobs(of copy: BackupDatabase) async throws -> (BlobTally, String) {
        let copier = try BlobCopier(from: Folder(source), to: folder.root, threads: .singleton)
        return try await BlobTransfer(label: "copying files", copier: copier).run(in: copy)
    }

    private func manifest(
        _ name: BackupName, _ copy: BackupDatabase, in staging: Folder, _ tally: BlobTally, digest: String
    ) async throws -> BackupManifest {
        let facts = try await copy.facts()
        let size = staging.size(ofFile: name.databaseFile) ?? 0
        let file = try await WorkProgress.during("hashing the database", total: size) { progress in
            try await NIOThreadPool.singleton.runIfActive {
                let opened = try staging.openFile(name.databaseFile)
                defer { close(opened) }
                return try HashedFile.hash(opened) { progress.advance($0) }
            }
        }
        return BackupManifest(
            version: Feedserver.version, name: name, schema: facts.schema, epoch: facts.epoch,
            lastChange: facts.lastChange, counts: facts.counts,
            database: .init(bytes: file.size, sha256: file.hash.description),
            blobs: .init(
                count: tally.count, bytes: tally.bytes, sha256: digest,
                missing: tally.failed.map(\.hash.description).sorted()))
    }
}
