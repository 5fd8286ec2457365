import FeedAPI
import FeedCore
import FeedFiles
import FeedStore
import HTTPTypes

/// Media attachments: upload, read, change, delete.
struct MediaController: Sendable {
    let services: MediaServices
    let contexts: EntityContexts

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.post(Paths.media, .account(.writeMedia), use: post)
        endpoints.post(Paths.mediaUpload, .account(.writeMedia), use: postWithoutWaiting)
        endpoints.get(Paths.media + "/:id", .account(.writeMedia), use: show)
        endpoints.put(Paths.media + "/:id", .account(.writeMedia), use: update)
        endpoints.delete(Paths.media + "/:id", .account(.writeMedia), use: delete)
    }

    /// Responds when the upload has been processed.
    @Sendable func post(_ request: Request, _ context: RequestContext) async throws -> Response {
        let processor = try processor(context)
        let (upload, path) = try await receive(request, context)
        let outcome = try await Self.process(upload, path, processor)
        return try response(for: try await processor.create(outcome, upload.draft), to: request)
    }

    /// Responds with 202 if the processing takes longer than a second.
    @Sendable func postWithoutWaiting(_ request: Request, _ context: RequestContext) async throws -> Response {
        let processor = try processor(context)
        let (upload, path) = try await receive(request, context)
        let job = MediaJob { try await Self.process(upload, path, processor) }
        services.queue.add(job)
        if let outcome = await job.outcome(within: services.queue.responseTime) {
            return try response(for: try await processor.create(try outcome.get(), upload.draft), to: request)
        }
        let media = try await begin(job, upload.draft, processor)
        if let outcome = job.handOver({ await processor.complete(media.id, $0) }) {
            await processor.complete(media.id, outcome)
        }
        return try response(for: media, to: request, status: .accepted)
    }

    /// Responds with 206 while the upload is being processed.
    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let media = try await services.media.media(id: try context.id(), of: viewer.account.id)
        guard let media else { throw FeedError.notFound }
        guard !media.hasFailed(at: services.uploads.clock.now()) else {
            throw FeedError(
                .invalid, media.failure ?? "The file could not be processed", hint: "Upload it again, or another file.")
        }
        return try response(for: media, to: request, status: media.content == nil ? .partialContent : .ok)
    }

    @Sendable func update(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require().account
        let (id, processor) = (try context.id(), try processor(context))
        // Before the body is received.
        guard try await services.media.media(id: id, of: viewer.id) != nil else { throw FeedError.notFound }
        let upload = try await MediaUploadForm.receive(
            request, context, services: services.uploads, owner: viewer, acceptsFile: false)
        var draft = upload.draft
        do {
            if let path = upload.thumbnailPath { draft.thumbnail = try await processor.thumbnail(from: path) }
        } catch {
            await upload.discard()
            throw error
        }
        await upload.discard()
        return try response(for: try await processor.update(id, draft), to: request)
    }

    @Sendable func delete(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await services.media.delete(try context.id(), of: viewer.account.id)
        var json = JSONWriter(capacity: 2)
        json.object { _ in }
        return Response(json: json)
    }

    private func processor(_ context: RequestContext) throws -> MediaUpload {
        MediaUpload(services: services, account: try context.require().account.id, logger: context.logger)
    }

    private func receive(
        _ request: Request, _ context: RequestContext
    ) async throws -> (upload: MediaUploadForm, path: String) {
        let upload = try await MediaUploadForm.receive(
            request, context, services: services.uploads, owner: try context.require().account, acceptsFile: true)
        guard let path = upload.path else {
            await upload.discard()
            throw FeedError.invalid("File can't be blank")
        }
        return (upload, path)
    }

    /// Processes an upload and removes its temporary files.
    private static func process(
        _ upload: MediaUploadForm, _ path: String, _ processor: MediaUpload
    ) async throws -> MediaOutcome {
        do {
            let outcome = try await processor.process(path, thumbnail: upload.thumbnailPath)
            await upload.discard()
            return outcome
        } catch {
            await upload.discard()
            throw error
        }
    }

    /// Stores an attachment that is still being processed.
    private func begin(_ job: MediaJob, _ draft: MediaChanges, _ processor: MediaUpload) async throws -> StoredMedia {
        do {
            return try await services.media.create(nil, draft, by: processor.account, quota: nil)
        } catch {
            let discard = { @Sendable (outcome: MediaJob.Outcome) in
                if case .success(let outcome) = outcome { await processor.discard(outcome.blobs) }
            }
            if let outcome = job.handOver(discard) { await discard(outcome) }
            throw error
        }
    }

    private func response(
        for media: StoredMedia, to request: Request, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var json = JSONWriter(capacity: 1024)
        json.media(media, try contexts.make(for: request))
        return Response(json: json, status: status)
    }
}

extension MediaChanges {
    /// Reads `description` and `focus`.
    init(_ values: RequestParameters) throws(FeedError) {
        self.init()
        description = try values.one("description")
        if let text = try values.one("focus"), !text.isEmpty { focus = try MediaFocus(parsing: text) }
    }
}

/// The content of media attachments, at addresses that cannot be guessed: `/media/RANDOM/NAME`.
struct MediaFileController: Sendable {
    /// A year, as long as HTTP caches keep anything (RFC 9111 §5.2.2.1).
    private static let caching = "public, max-age=31536000, immutable"

    let media: MediaStore
    let blobs: BlobStore
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get("/media/:key/:name", .open, use: show)
        endpoints.head("/media/:key/:name", .open, use: show)
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        let (key, name) = (try context.segment("key"), try context.segment("name"))
        guard let (media, isNoindex) = try await media.publicMedia(key: key), let file = media.file(named: name) else {
            throw FeedError(.notFound, "No such file")
        }
        var headers: HTTPFields = [.cacheControl: Self.caching]
        headers.setIndexing(isRefused: isNoindex)
        let content = FileResponse(
            representation: RepresentationMetadata(
                tag: EntityTag(hash: file.blob.hash), modified: media.createdAt / 1000, size: file.blob.size),
            type: file.format.mediaType, description: Self.description(name, file.format),
            common: headers, now: clock.now() / 1000)
        return try content.response(to: request) {
            .blob(try blobs.open(file.blob, name: name), context)
        }
    }

    /// Headers that keep the content from running as a page of this site.
    private static func description(_ name: String, _ format: MediaFormat) -> HTTPFields {
        [
            .contentSecurityPolicy: ContentType.securityPolicy(format.mediaType),
            .contentDisposition: ContentDisposition.value("inline", name: name),
        ]
    }
}
