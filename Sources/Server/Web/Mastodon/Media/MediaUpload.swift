import FeedCore
import FeedFiles
import FeedStore
import Logging
import Synchronization

/// Processes uploads and stores the results. Blobs that are not used in the end are listed for collection.
struct MediaUpload: Sendable {
    let services: MediaServices
    let account: Int64
    let logger: Logger

    private var uploads: FileServices { services.uploads }
    private var quota: Int64? { uploads.limits.accountBytes }

    /// Processes a file when it is the turn of the account.
    func process(_ path: String) async throws -> ProcessedMedia {
        try await services.turns.run(.account(account)) {
            try await services.processing.process(path, limits: uploads.limits.media)
        }
    }

    /// Processes a file, and a custom thumbnail if there is one.
    func process(_ path: String, thumbnail custom: String?) async throws -> MediaOutcome {
        let processed = try await process(path)
        do {
            guard let custom else {
                return MediaOutcome(processed: processed, thumbnail: try await thumbnail(of: processed))
            }
            let thumbnail = try await self.thumbnail(from: custom)
            if let unused = processed.thumbnail { await discard([unused]) }
            return MediaOutcome(processed: processed, thumbnail: thumbnail)
        } catch {
            await discard(processed.blobs)
            throw error
        }
    }

    /// Processes a custom thumbnail.
    /// - Throws: ``FeedError`` `.invalid` if the file is not an image.
    func thumbnail(from path: String) async throws -> StoredMedia.Thumbnail {
        let processed = try await process(path)
        do {
            guard processed.format.kind == .image else { throw FeedError.invalid("Thumbnail must be an image") }
            if let small = try await thumbnail(of: processed) {
                await discard([processed.content])
                return small
            }
            return StoredMedia.Thumbnail(
                blob: processed.content, format: processed.format, width: processed.meta.width,
                height: processed.meta.height)
        } catch {
            await discard(processed.blobs)
            throw error
        }
    }

    /// The thumbnail that processing has made, if any.
    private func thumbnail(of processed: ProcessedMedia) async throws -> StoredMedia.Thumbnail? {
        let thumbnail = try await uploads.blobs.thumbnail(of: processed)
        if thumbnail == nil, let unused = processed.thumbnail { await discard([unused]) }
        return thumbnail
    }
}

extension MediaUpload {
    /// Stores a new attachment.
    func create(_ outcome: MediaOutcome, _ draft: MediaChanges) async throws -> StoredMedia {
        var draft = draft
        draft.thumbnail = outcome.thumbnail
        return try await keep(outcome.blobs) { [draft] in
            try await services.media.create(outcome.processed, draft, by: account, quota: quota)
        }
    }

    /// Completes an attachment whose upload has been answered already.
    func complete(_ id: Int64, _ result: Result<MediaOutcome, any Error>) async {
        do {
            let outcome = try result.get()
            var draft = MediaChanges()
            draft.thumbnail = outcome.thumbnail
            let stored = try await keep(outcome.blobs) { [draft] in
                try await services.media.complete(id, outcome.processed, draft, quota: quota)
            }
            if stored == nil { await discard(outcome.blobs) }
        } catch {
            log(error)
            let message = (error as? FeedError)?.forClients.plainMessage ?? "The file could not be processed"
            try? await services.media.fail(id, message)
        }
    }

    /// Logs what is not the fault of the upload. There is no response any more that could fail.
    private func log(_ error: any Error) {
        guard !(error is CancellationError), (error as? FeedError)?.kind ?? .storage == .storage else { return }
        logger.error("an upload could not be processed", metadata: ["error": "\(error)"])
    }

    /// Changes an attachment.
    func update(_ id: Int64, _ draft: MediaChanges) async throws -> StoredMedia {
        try await keep(draft.thumbnail.map { [$0.blob] } ?? []) {
            try await services.media.update(id, of: account, draft, quota: quota)
        }
    }

    /// Stores rows that refer to published blobs, which the collector does not remove meanwhile.
    func keep<Value: Sendable>(
        _ blobs: [Blob], _ store: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard !blobs.isEmpty else { return try await store() }
        do {
            return try await uploads.blobs.whilePublishing {
                try requirePresent(blobs)
                return try await store()
            }
        } catch {
            await discard(blobs)
            throw error
        }
    }

    /// A blob may have been removed since it was published, if another upload of the same content was discarded.
    private func requirePresent(_ blobs: [Blob]) throws(FeedError) {
        do {
            for blob in blobs { _ = try uploads.blobs.open(blob, name: "media") }
        } catch {
            throw FeedError(
                .unavailable, "The upload could not be stored", hint: "Upload the file again.", cause: error,
                retryAfter: 1)
        }
    }

    /// Lists published blobs for collection.
    func discard(_ blobs: [Blob]) async {
        guard !blobs.isEmpty else { return }
        try? await uploads.files.recordUnused(blobs, of: account)
    }
}

/// The result of processing an upload, ready to be stored.
struct MediaOutcome: Sendable {
    var processed: ProcessedMedia
    var thumbnail: StoredMedia.Thumbnail?

    /// The published blobs to which the stored attachment will refer.
    var blobs: [Blob] { [processed.content] + (thumbnail.map { [$0.blob] } ?? []) }
}

/// The parts of the server that receive media.
struct MediaServices: Sendable {
    let uploads: FileServices
    let media: MediaStore
    let processing: any MediaProcessing
    /// Media that is still being processed after the response to its upload.
    let queue: MediaQueue
    /// Limits the processes per account, so that no account can fill the queue alone.
    let turns = ConcurrencyLimiter(.media)
}

/// Runs the processing that may continue after the response to an upload.
package final class MediaQueue: Sendable {
    private let jobs: AsyncStream<MediaJob>
    private let continuation: AsyncStream<MediaJob>.Continuation
    /// The time that `/api/v2/media` waits for the processing before it responds.
    let responseTime: Duration

    package init(responseTime: Duration = .seconds(1)) {
        self.responseTime = responseTime
        (jobs, continuation) = AsyncStream.makeStream()
    }

    /// Runs all jobs until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs { group.addTask { await job.run() } }
        }
    }

    func add(_ job: MediaJob) { continuation.yield(job) }
}

/// The processing of one upload.
final class MediaJob: Sendable {
    typealias Outcome = Result<MediaOutcome, any Error>

    private struct State {
        var outcome: Outcome?
        /// Called with the outcome once nobody waits for it any more.
        var late: (@Sendable (Outcome) async -> Void)?
    }

    private let process: @Sendable () async throws -> MediaOutcome
    private let state = Mutex(State())
    private let signal: AsyncStream<Void>
    private let done: AsyncStream<Void>.Continuation

    init(_ process: @Sendable @escaping () async throws -> MediaOutcome) {
        self.process = process
        (signal, done) = AsyncStream.makeStream()
    }

    fileprivate func run() async {
        let outcome: Outcome
        do { outcome = .success(try await process()) } catch { outcome = .failure(error) }
        let late = state.withLock { state in
            state.outcome = outcome
            return state.late
        }
        done.finish()
        await late?(outcome)
    }

    /// Waits for the outcome. May be called once.
    /// - Returns: `nil` if the processing takes longer than `limit`.
    func outcome(within limit: Duration) async -> Outcome? {
        await withDiscardingTaskGroup { group in
            group.addTask { [done] in
                // Ends early when the processing is done.
                try? await Task.sleep(for: limit)
                done.finish()
            }
            for await _ in signal {}
            group.cancelAll()
        }
        return state.withLock { $0.outcome }
    }

    /// Passes the outcome to `body` when it is available.
    /// - Returns: The outcome, if it is available already; `body` is not called then.
    func handOver(_ body: @Sendable @escaping (Outcome) async -> Void) -> Outcome? {
        state.withLock { state in
            if let outcome = state.outcome { return outcome }
            state.late = body
            return nil
        }
    }
}
