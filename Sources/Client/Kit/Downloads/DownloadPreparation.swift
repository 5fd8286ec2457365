import Foundation

/// The start of a download: the part file, locked for it, and the journal found beside it, which is decoded only
/// here.
struct DownloadPreparation: Sendable {
    /// The longest file name in bytes that leaves room for the names derived from it.
    private static let maximumName = 255 - PartFile.longestSuffix

    let part: PartFile
    let destination: String
    /// The journal; `.missing` if the download starts over in any case.
    let journal: DownloadStateFile
    let isEmpty: Bool

    /// Claims a destination for a download.
    /// - Parameter restarts: Whether an existing file and an unfinished download may be replaced. An unfinished
    ///   download of the same source that was allowed to replace the file remains so.
    /// - Throws: ``FeedClientError`` if the destination is occupied or cannot be written.
    init(
        _ destination: String, of source: String, restarts: Bool, calls: SystemCalls = .system
    ) throws(FeedClientError) {
        let exists = try Self.exists(destination)
        let hasPart = Self.isRegularFile(destination + PartFile.suffix)
        // If the caller does not permit a replacement, only the journal of a part file can.
        if exists, !restarts, !hasPart { throw PartFile.alreadyExists(destination) }
        let part = try PartFile(destination: destination, calls: calls)
        do throws(FeedClientError) {
            let journal = restarts ? .missing : try part.journal()
            let mayReplace = restarts || (hasPart && Self.permitsReplacing(journal, source))
            // The previous holder of the lock may have finished the file.
            if try Self.exists(destination), !mayReplace { throw PartFile.alreadyExists(destination) }
            (self.part, self.destination, self.journal) = (part, destination, journal)
            isEmpty = try part.size() == 0
        } catch {
            if !hasPart { part.removeIfUnused() }
            throw error
        }
    }

    /// Claims the part file of an unfinished download.
    /// - Throws: ``FeedClientError`` `.notFound` if there is no part file with a journal that contains its source.
    init(unfinished destination: String, calls: SystemCalls = .system) throws(FeedClientError) {
        let path = destination + PartFile.suffix
        // Without a part file, a journal is left over from a finished download.
        guard access(path, F_OK) == 0 else { throw Self.notFound(path) }
        part = try PartFile(destination: destination, calls: calls)
        self.destination = destination
        journal = try part.journal()
        guard let request = journal.request else { throw Self.notFound(path) }
        if try Self.exists(destination), !request.replacesExisting { throw PartFile.alreadyExists(destination) }
        isEmpty = try part.size() == 0
    }

    private static func permitsReplacing(_ journal: DownloadStateFile, _ source: String) -> Bool {
        guard let request = journal.request else { return false }
        return request.replacesExisting
            && FileIdentity.identity(of: request.url) == FileIdentity.identity(of: source)
    }

    /// Whether a file exists at the destination.
    /// - Throws: ``FeedClientError`` if the path cannot be the destination of a download.
    private static func exists(_ destination: String) throws(FeedClientError) -> Bool {
        guard URL(fileURLWithPath: destination).lastPathComponent.utf8.count <= maximumName else {
            throw FeedClientError(
                .failed, "The file name is too long",
                hint: "Choose a name of at most \(maximumName) bytes with -o.")
        }
        var status = stat()
        guard lstat(destination, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FeedClientError(
                .failed, "\(destination) exists and is not a regular file", hint: "Choose another path with -o.")
        }
        return true
    }

    private static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    static func notFound(_ path: String) -> FeedClientError {
        FeedClientError(
            .notFound, "No unfinished download at \(path)", hint: "Start the download again from its address.")
    }
}
