import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation
import Synchronization

/// Downloads several files at the same time, with one progress for all.
struct BatchDownload {
    private struct Ended: Sendable {
        let source: String
        let result: Result<DownloadResult, any Error>
    }

    let sources: [String]
    /// `nil` for the current folder.
    let folder: String?
    let options: DownloadOptions
    let isJSON: Bool
    let progress: ProgressOptions

    /// Prints the path of each file as soon as it is there, and the errors of the others.
    /// - Throws: The error of the only file that failed; `ExitCode.partlyDone` if some succeeded; `CancellationError`.
    func run(_ client: FeedClient) async throws {
        try checkFolder()
        let wanted = try sources.filter { try !isPresent($0) }
        let shown = CombinedProgress(count: wanted.count, progress)
        defer { shown.reporter.clear() }
        var limits = DownloadLimits()
        limits.unfinished = max(limits.unfinished, wanted.count)
        let errors = Mutex<[FeedClientError]>([])
        try await client.withDownloads(limits) { queue in
            try await download(wanted, queue, shown) { ended in
                if let error = try report(ended, shown) { errors.withLock { $0.append(error) } }
            }
        }
        shown.finish()
        let failed = errors.withLock(\.self)
        guard let first = failed.first else { return }
        throw failed.count < sources.count ? ExitCode.partlyDone : ExitCode(first)
    }

    private func checkFolder() throws {
        var isFolder: ObjCBool = false
        guard let folder else { return }
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw FeedClientError(
                .usage, "\(folder) is not a folder", hint: "Several files need an existing folder; create it first.")
        }
    }

    /// Whether an earlier command has downloaded the file, so that a list can be continued.
    private func isPresent(_ source: String) throws -> Bool {
        guard !options.restarts, let path = try? FeedClient.destination(of: source, at: folder),
            FileManager.default.fileExists(atPath: path), !UnfinishedDownload.exists(at: path)
        else { return false }
        StandardError.line(SafeText.line(path) + " exists already; --restart replaces it")
        return true
    }

    private func download(
        _ sources: [String], _ queue: DownloadQueue, _ shown: CombinedProgress,
        onEnd: @escaping @Sendable (Ended) throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Ended.self) { group in
            for source in sources {
                group.addTask { Ended(source: source, result: await result(of: source, queue, shown)) }
            }
            for try await ended in group { try onEnd(ended) }
        }
    }

    private func result(
        of source: String, _ queue: DownloadQueue, _ shown: CombinedProgress
    ) async -> Result<DownloadResult, any Error> {
        do {
            let task = try await queue.add(source, to: folder, options: options)
            for await progress in task.progress { shown.update(task.id, progress) }
            do {
                let result = try await task.result
                shown.end(task.id, size: result.size)
                return .success(result)
            } catch {
                shown.end(task.id, size: nil)
                throw error
            }
        } catch {
            return .failure(error)
        }
    }

    /// - Returns: The error of the download, which has been printed.
    /// - Throws: `CancellationError`.
    private func report(_ ended: Ended, _ shown: CombinedProgress) throws -> FeedClientError? {
        switch ended.result {
        case .success(let result):
            shown.reporter.clear()
            print(try isJSON ? EntityJSON.line(DownloadCommand.Report(result)) : SafeText.line(result.path))
            return nil
        case .failure(let error as FeedClientError):
            shown.reporter.clear()
            StandardError.report("\(ended.source): \(error.message)", hint: error.hint)
            return error
        case .failure(let error): throw error
        }
    }
}

/// A list of what to download.
enum DownloadList {
    /// The largest list, in bytes.
    private static let maximumSize = 16 << 20

    /// - Parameter path: The file; `-` for standard input.
    /// - Throws: ``FeedClientError`` `.notFound` if it cannot be read, `.failed` if it is too large or not UTF-8.
    static func read(_ path: String) throws -> [String] {
        guard let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
            throw FeedClientError(.notFound, "Cannot read \(path)", hint: "Check the path of the list.")
        }
        let data = try file.read(upToCount: maximumSize + 1) ?? Data()
        guard data.count <= maximumSize, let text = String(data: data, encoding: .utf8) else {
            throw FeedClientError(
                .failed, "\(path) is not a list", hint: "It needs one name or URL per line, in UTF-8.")
        }
        return sources(in: text)
    }

    /// The lines, without blank ones and those that begin with `#`.
    static func sources(in text: String) -> [String] {
        text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }
            .map { String($0).trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
