import FeedCore
import FeedFiles
import FeedFolders
import FeedStore
import FeedTerminal
import FeedWeb
import Foundation
import NIOPosix

/// Fills an empty data folder, and with `--database` an empty PostgreSQL database, from a backup.
struct BackupRestoring {
    struct Report {
        var manifest: BackupManifest
        var blobs: BlobTally
    }

    let folder: BackupFolder
    let manifest: BackupManifest
    let data: DataOptions

    func run() async throws -> Report {
        guard let name = manifest.name else { throw FeedError.notFound }
        try DatabaseBackup.requireKnown(schema: manifest.schema)
        let target = try DataFolderRestore(folder: data.folder)
        try await copyDatabase(name, to: target)
        let blobs = try await copyBlobs(to: target)
        try await publish(target)
        return Report(manifest: manifest, blobs: blobs)
    }

    private func copyDatabase(_ name: BackupName, to target: DataFolderRestore) async throws {
        let expected = manifest.database
        let damaged = FeedError(
            .storage, "the database of the backup from \(manifest.time) is damaged",
            hint: "Choose an earlier backup with --at.")
        guard folder.root.size(ofFile: name.databaseFile) == expected.bytes else { throw damaged }
        do {
            let copied = try await ProgressReporter.during("restoring the database", total: expected.bytes) {
                progress in
                try await NIOThreadPool.singleton.runIfActive {
                    let source = try folder.openDatabase(name)
                    defer { close(source) }
                    return try HashedFile.copy(source, to: SQLiteDatabase.fileName, in: target.staging) {
                        progress.advance($0)
                    }
                }
            }
            guard copied.hash.description == expected.sha256 else { throw damaged }
        } catch let error as UnreadableFile {
            throw FeedError(damaged.kind, damaged.message, hint: damaged.hint, cause: error)
        }
    }

    private func copyBlobs(to target: DataFolderRestore) async throws -> BlobTally {
        let database = try DatabaseBackup(path: target.stagedDatabase)
        defer { database.close() }
        try await database.requireOwn()
        let copier = try BlobCopier(from: folder.root, to: target.root, threads: .singleton)
        let (tally, digest) = try await BlobTransfer(label: "restoring files", copier: copier).run(in: database)
        guard tally.count == manifest.blobs.count, digest == manifest.blobs.sha256 else {
            throw FeedError(
                .storage, "the manifest of the backup from \(manifest.time) does not match its database",
                hint: "Choose an earlier backup with --at.")
        }
        return tally
    }

    private func publish(_ target: DataFolderRestore) async throws {
        let staged = try FeedDatabase(folder: target.staging.path, clock: .system, version: FeedserverCommand.version)
        do {
            // An interrupted restore may have been one of another backup.
            let id = target.id + " " + manifest.time
            try await staged.finishRestoring(id)
            if target.isResumed { try await removeUnreferenced(staged) }
            if let url = try data.postgres() { try await copy(staged, to: url, id: id) }
        } catch {
            try? staged.close()
            throw error
        }
        try staged.close()
        if try data.postgres() == nil { try target.moveDatabaseIntoPlace() }
        try target.finish()
    }

    /// Removes blobs of another backup.
    private func removeUnreferenced(_ staged: FeedDatabase) async throws {
        let blobs = try BlobStore(folder: data.folder, threads: .singleton)
        _ = try await GarbageCollector(blobs: blobs, files: FileStore(staged)).collectAll(grace: 0)
    }

    private func copy(_ staged: FeedDatabase, to url: PostgresAddress, id: String) async throws {
        let target = try FeedDatabase(
            postgres: url, creating: true, acceptsIncompleteCopy: true, clock: .system,
            version: FeedserverCommand.version)
        defer { try? target.close() }
        // The last restore may have been interrupted after this step.
        if try await target.isRestored(by: id), try await !target.hasIncompleteCopy() { return }
        try await ProgressReporter.during("copying rows", unit: .items) { progress in
            _ = try await DatabaseCopy(from: staged, to: target).run(replacesIncomplete: true) {
                progress.show(Int64($0), of: Int64($1))
            }
        }
    }
}
