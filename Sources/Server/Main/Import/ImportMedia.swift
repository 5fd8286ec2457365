import FeedCore
import FeedFiles
import FeedStore

/// Processes the files that the lines of an import name, and stores them with the staged records.
struct ImportMedia: Sendable {
    /// The number of files after which those of the next line begin another transaction.
    private static let batch = 64
    /// The maximum number of attempts to process the files of a line. The collector may remove their blobs before they
    /// are recorded, for example because an import that was killed had the same files.
    private static let attempts = 5

    let database: FeedDatabase
    let blobs: BlobStore
    let folder: ImportFolder
    let limits: MediaLimits
    private let pool: MediaPool
    private let width: Int

    init(
        _ database: FeedDatabase, _ blobs: BlobStore, folder: ImportFolder, limits: MediaLimits,
        settings: MediaPool.Settings = MediaPool.Settings()
    ) {
        self.database = database
        self.blobs = blobs
        self.folder = folder
        self.limits = limits
        pool = MediaPool(blobs: blobs, settings: settings)
        width = settings.processes
    }

    /// - Parameter progress: Called with the share that is done.
    /// - Throws: ``FeedError`` with the line of a file that is refused.
    func store(_ files: [ImportFile], in session: ImportSession, progress: (Double) -> Void) async throws {
        var rest = files[...]
        while !rest.isEmpty {
            var count = min(Self.batch, rest.count)
            let last = rest[rest.startIndex + count - 1].line
            while count < rest.count, rest[rest.startIndex + count].line == last { count += 1 }
            try await store(Array(rest.prefix(count)), in: session)
            rest = rest.dropFirst(count)
            progress(Double(files.count - rest.count) / Double(files.count))
        }
    }

    private func store(_ files: [ImportFile], in session: ImportSession) async throws {
        for attempt in 1... {
            let imported = try await process(files)
            do {
                try Self.checkKinds(imported)
                try await publish(imported, in: session)
                return
            } catch is MissingBlob where attempt < Self.attempts {
                // Processing publishes it again. It must not be listed for collection.
            } catch {
                await discard(imported.flatMap(\.blobs))
                throw (error as? MissingBlob)?.cause ?? error
            }
        }
    }

    private func publish(_ imported: [ImportedFile], in session: ImportSession) async throws {
        try await blobs.whilePublishing {
            for file in imported {
                for blob in file.blobs {
                    do {
                        _ = try blobs.open(blob, name: file.file.path.description)
                    } catch {
                        throw MissingBlob(cause: error)
                    }
                }
            }
            try await session.attach(imported)
        }
    }

    private static func checkKinds(_ imported: [ImportedFile]) throws {
        for (line, files) in Dictionary(grouping: imported, by: \.file.line) {
            guard case .status? = files.first?.file.place else { continue }
            do {
                try AttachmentRule.check(files.map(\.processed.format.kind))
            } catch {
                throw error.atLine(line)
            }
        }
    }

    private func discard(_ blobs: [Blob]) async { try? await FileStore(database).recordUnused(blobs, of: nil) }
}

/// A published blob has been removed, or cannot be read.
private struct MissingBlob: Error, CustomStringConvertible {
    let cause: any Error

    var description: String { "\(cause)" }
}

extension ImportMedia {
    /// Processes files at the same time, as many as there are processes.
    /// - Throws: The error of the first file that has one.
    private func process(_ files: [ImportFile]) async throws -> [ImportedFile] {
        var results: [Int: Result<ImportedFile, any Error>] = [:]
        await withTaskGroup(of: (Int, Result<ImportedFile, any Error>).self) { group in
            var hasFailed = false
            for (index, file) in files.enumerated() where !hasFailed {
                if index >= width, let (done, result) = await group.next() {
                    results[done] = result
                    if case .failure = result { hasFailed = true }
                }
                group.addTask { (index, await outcome(of: file)) }
            }
            for await (done, result) in group { results[done] = result }
        }
        let ordered = results.sorted { $0.key < $1.key }.map(\.value)
        do {
            return try ordered.map { try $0.get() }
        } catch {
            await discard(ordered.compactMap { try? $0.get() }.flatMap(\.blobs))
            throw error
        }
    }

    private func outcome(of file: ImportFile) async -> Result<ImportedFile, any Error> {
        do {
            return .success(try await process(file))
        } catch let error as FeedError where error.kind != .storage && error.kind != .diskFull {
            let isPicture = file.place == .avatar || file.place == .header
            let error = (isPicture ? error.ofImage : error).prefixed(with: file.path.description)
            let text = [error.plainMessage, error.hint].compactMap(\.self).joined(separator: ". ")
            return .failure(FeedError(.invalid, text, cause: error).atLine(file.line))
        } catch {
            return .failure(error)
        }
    }

    private func process(_ file: ImportFile) async throws -> ImportedFile {
        let processed = try await pool.process(limits: limits) { [folder, limits] in
            try folder.open(file.path, limits: limits)
        }
        do {
            guard case .status = file.place else { return try await picture(file, processed) }
            var attached = file
            attached.changes.thumbnail = try await blobs.thumbnail(of: processed)
            let used = [processed.content] + (attached.changes.thumbnail.map { [$0.blob] } ?? [])
            await discard(processed.blobs.filter { !used.contains($0) })
            return ImportedFile(attached, processed, blobs: used)
        } catch {
            await discard(processed.blobs)
            throw error
        }
    }

    /// An avatar or a header.
    private func picture(_ file: ImportFile, _ processed: ProcessedMedia) async throws -> ImportedFile {
        guard let picture = processed.picture(limits) else {
            throw FeedError.invalid("it must be an image of at most \(limits.profileImageBytes) bytes")
        }
        await discard(processed.blobs.filter { !picture.blobs.contains($0) })
        return ImportedFile(file, processed, blobs: picture.blobs)
    }
}
