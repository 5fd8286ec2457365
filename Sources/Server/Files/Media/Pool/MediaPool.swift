package import FeedCore
import Foundation
import NIOPosix
import Synchronization

/// Processes uploads in child processes, one process per upload, so that a fault in a decoder can neither crash nor
/// take over the server. A process limits itself before it reads a byte; see `MediaSandbox`.
///
/// ``MediaChildProcess`` starts the program itself (`/proc/self/exe`) with the upload as a descriptor, and two locked files
/// of the blob store for the copy without metadata and the thumbnail, which is made of that copy. Nothing that the
/// process says is trusted: once it has ended, its ``MediaReport`` is checked and the files are hashed again before
/// they are published.
package final class MediaPool: MediaProcessing {
    /// The limits of a pool, and the program that it runs.
    package struct Settings: Sendable {
        /// The number of processes at the same time: one core is left to the server.
        package var processes = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
        /// The maximum number of waiting uploads.
        package var waiting = 32
        /// The time after which a process is killed. Its CPU time has a much lower limit (`MediaSandbox`), but on a
        /// busy machine, a process with low priority waits long for it.
        package var deadline = Duration.seconds(300)
        /// The priority of the processes: 0 is usual, 19 the lowest. Low, because requests come first.
        package var niceness: Int32 = 10
        /// The program with the subcommand `process-media`: this one, even if its file has been replaced.
        package var program = "/proc/self/exe"

        package init() {}
    }

    private let blobs: BlobStore
    private let settings: Settings
    private let slots: ProcessSlots
    private let report: @Sendable (String) -> Void
    private let reportCrash: @Sendable (MediaCrash) -> Void

    /// - Parameters:
    ///   - report: Called with the restrictions that the kernel has refused.
    ///   - reportCrash: Called when a process has ended without a report.
    package init(
        blobs: BlobStore, settings: Settings = Settings(), report: @escaping @Sendable (String) -> Void = { _ in },
        reportCrash: @escaping @Sendable (MediaCrash) -> Void = { _ in }
    ) {
        self.blobs = blobs
        self.settings = settings
        self.report = report
        self.reportCrash = reportCrash
        slots = ProcessSlots(maximumRunning: settings.processes, maximumWaiting: settings.waiting)
    }

    /// The numbers of running and of waiting uploads.
    package var running: Int { slots.running }
    package var waiting: Int { slots.waiting }

    /// - Throws: also ``FeedError`` `.storage` if the disk fails. Must not be called inside
    ///   ``BlobStore/whilePublishing(_:)``, which it uses itself.
    package func process(_ path: String, limits: MediaLimits) async throws -> ProcessedMedia {
        try await process(limits: limits) {
            let upload = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard upload >= 0 else { throw BlobError.failed("open", errno) }
            return upload
        }
    }

    /// Like ``process(_:limits:)``, for a file that the caller opens.
    /// - Parameter opening: Returns a descriptor, which is closed afterwards. Called when it is the file's turn.
    package func process(
        limits: MediaLimits, opening: @escaping @Sendable () throws -> Int32
    ) async throws -> ProcessedMedia {
        try await slots.run { [self] in
            try Task.checkCancellation()
            let content = try await blobs.begin(limit: limits.uploadBytes)
            do {
                let thumbnail = try await blobs.begin(limit: Self.thumbnailBytes)
                do {
                    let report = try await run(opening, content, thumbnail, limits)
                    return try await publish(report, content, thumbnail)
                } catch {
                    await thumbnail.discard()
                    throw error
                }
            } catch {
                await content.discard()
                throw error
            }
        }
    }

    /// The maximum size of a thumbnail: a PNG can be slightly larger than its pixels.
    package static let thumbnailBytes: Int64 = 2 << 20

    private func run(
        _ opening: @Sendable () throws -> Int32, _ content: BlobWriter, _ thumbnail: BlobWriter, _ limits: MediaLimits
    ) async throws -> MediaReport {
        let upload = try opening()
        defer { close(upload) }
        let process = MediaChildProcess(
            [settings.program] + MediaArguments(limits).words, deadline: settings.deadline, niceness: settings.niceness)
        let outcome: MediaChildProcess.Outcome
        do {
            outcome = try await content.fill { content in
                try await thumbnail.fill { thumbnail in
                    try await process.run(.init(upload: upload, content: content, thumbnail: thumbnail))
                }
            }
        } catch let error as SystemCallError {
            throw BlobError.failed(error.call, error.code)
        }
        try Task.checkCancellation()
        guard outcome.isSuccess, let report = MediaReport(parsing: outcome.output) else {
            let crash = MediaCrash(reason: outcome.reason)
            reportCrash(crash)
            throw Self.error(crash, isLate: outcome.isLate)
        }
        if !report.missingRestrictions.isEmpty { self.report(report.missingRestrictions.joined(separator: ", ")) }
        return report
    }

    private static func error(_ crash: MediaCrash, isLate: Bool) -> FeedError {
        FeedError(
            .invalid, "Validation failed: The file could not be processed",
            hint: isLate
                ? "It takes too long to decode. Save it in another format, or with fewer pixels."
                : "It may be damaged. Open it in another program and save it again.",
            cause: crash)
    }

    private func publish(
        _ report: MediaReport, _ content: BlobWriter, _ thumbnail: BlobWriter
    ) async throws -> ProcessedMedia {
        let (format, meta, isAnimated, blurhash) = try report.result.processed
        let whole = try await content.seal(beside: nil)
        guard meta.thumbnailWidth != nil else {
            try await blobs.whilePublishing { try await content.publish(whole) }
            await thumbnail.discard()
            return ProcessedMedia(
                format: format, meta: meta, isAnimated: isAnimated, blurhash: blurhash, content: whole.blob)
        }
        let small = try await thumbnail.seal(beside: content)
        try await blobs.whilePublishing {
            // The lock of the content protects both files.
            try await thumbnail.publish(small)
            try await content.publish(whole)
        }
        return ProcessedMedia(
            format: format, meta: meta, isAnimated: isAnimated, blurhash: blurhash, content: whole.blob,
            thumbnail: small.blob)
    }
}

/// A process that has ended without a report, for the log.
package struct MediaCrash: Error, CustomStringConvertible {
    package let reason: String

    package var description: String { "process-media has failed: " + reason }
}

/// The arguments of the subcommand `process-media`: the limits that it needs.
package struct MediaArguments: Sendable, Equatable {
    package static let command = "process-media"

    package var limits: MediaLimits

    package init(_ limits: MediaLimits) { self.limits = limits }

    /// The subcommand and its arguments.
    package var words: [String] {
        [Self.command] + [limits.imageBytes, limits.videoBytes, limits.pixels, limits.thumbnailPixels].map(String.init)
    }

    /// - Parameter numbers: The arguments.
    /// - Returns: `nil` if they are not valid.
    package init?(_ numbers: [Int]) {
        guard numbers.count == 4, numbers.allSatisfy({ (1...1 << 40).contains($0) }) else { return nil }
        limits = MediaLimits()
        limits.imageBytes = numbers[0]
        limits.videoBytes = numbers[1]
        limits.pixels = numbers[2]
        limits.thumbnailPixels = numbers[3]
    }
}

/// Limits the number of processes that run at the same time. A bounded number of others wait in the order of arrival.
package final class ProcessSlots: Sendable {
    private struct State {
        var running = 0
        var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var nextID = 0
        /// Callers that were cancelled before they began to wait.
        var cancelled: Set<Int> = []
    }

    /// The decision for a caller that wants to run.
    private enum Admission {
        case run
        case wait(id: Int)
        case refuse
    }

    private let maximumRunning: Int
    private let maximumWaiting: Int
    private let state = Mutex(State())

    package init(maximumRunning: Int, maximumWaiting: Int) {
        self.maximumRunning = max(1, maximumRunning)
        self.maximumWaiting = maximumWaiting
    }

    /// The number of waiting callers.
    package var waiting: Int { state.withLock { $0.waiting.count } }
    package var running: Int { state.withLock { $0.running } }

    /// Runs `body` as soon as there is a free slot.
    /// - Throws: ``FeedError`` `.unavailable` if too many wait, `CancellationError`, and any error thrown by `body`.
    package func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        switch admit() {
        case .run: break
        case .wait(let id): try await wait(id)
        case .refuse:
            throw FeedError(
                .unavailable, "Too many images are being processed", hint: "Try again in a few seconds.", retryAfter: 5)
        }
        defer { leave() }
        return try await body()
    }

    private func admit() -> Admission {
        state.withLock { state in
            if state.running < maximumRunning {
                state.running += 1
                return .run
            }
            guard state.waiting.count < maximumWaiting else { return .refuse }
            state.nextID += 1
            return .wait(id: state.nextID)
        }
    }

    private func wait(_ id: Int) async throws {
        let hasSlot = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.cancelled.remove(id) != nil { return false }
                    // A slot may have become free since the call to `admit`.
                    guard state.running >= maximumRunning else {
                        state.running += 1
                        return true
                    }
                    state.waiting.append((id, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            cancel(id)
        }
        // If it was cancelled at the moment at which it got its slot, it runs, and `body` notices.
        state.withLock { _ = $0.cancelled.remove(id) }
        guard hasSlot else { throw CancellationError() }
    }

    private func cancel(_ id: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.waiting.remove(at: index).continuation
        }
        continuation?.resume(returning: false)
    }

    /// Passes the slot on, or frees it.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.running -= 1
            return nil
        }
        next?.resume(returning: true)
    }
}
