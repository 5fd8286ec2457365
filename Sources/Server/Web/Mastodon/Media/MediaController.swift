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
        let upload = try upload(context)
        let (form, path) = try await receive(request, context)
        let outcome = try await Self.process(form, path, upload)
        return try response(for: try await upload.create(outcome, form.draft), to: request)
    }

    /// Responds with 202 if the processing takes longer than a second.
    @Sendable func postWithoutWaiting(_ request: Request, _ context: RequestContext) async throws -> Response {
        let upload = try upload(context)
        let (form, path) = try await receive(request, context)
        let job = MediaJob { try await Self.process(form, path, upload) }
        services.queue.add(job)
        if let outcome = await job.outcome(within: services.queue.responseTime) {
            return try response(for: try await upload.create(try outcome.get(), form.draft), to: request)
        }
        let media = try await begin(job, form.draft, upload)
        if let outcome = job.handOver({ await upload.complete(media.id, $0) }) {
            await upload.complete(media.id, outcome)
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
        let (id, upload) = (try context.id(), try upload(context))
        // Before the body is received.
        guard try await services.media.media(id: id, of: viewer.id) != nil else { throw FeedError.notFound }
        let form = try await MediaUploadForm.receive(
            request, context, services: services.uploads, owner: viewer, acceptsFile: false)
        var draft = form.draft
        do {
            if let path = form.thumbnailPath { draft.thumbnail = try await upload.thumbnail(from: path) }
        } catch {
            await form.discard()
            throw error
        }
        await form.discard()
        return try response(for: try await upload.update(id, draft), to: request)
    }

    @Sendable func delete(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try await services.media.delete(try context.id(), of: viewer.account.id)
        var json = JSONWriter(capacity: 2)
        json.object { _ in }
        return Response(json: json)
    }

    private func upload(_ context: RequestContext) throws -> MediaUpload {
        MediaUpload(services: services, account: try context.require().account.id, logger: context.logger)
    }

    private func receive(
        _ request: Request, _ context: RequestContext
    ) async throws -> (form: MediaUploadForm, path: String) {
        let form = try await MediaUploadForm.receive(
            request, context, services: services.uploads, owner: try context.require().account, acceptsFile: true)
        guard let path = form.path else {
            await form.discard()
            throw FeedError.invalid("File can't be blank")
        }
        return (form, path)
    }

    /// Processes an upload and removes its temporary files.
    private static func process(
        _ form: MediaUploadForm, _ path: String, _ upload: MediaUpload
    ) async throws -> MediaOutcome {
        do {
            let outcome = try await upload.process(path, thumbnail: form.thumbnailPath)
            await form.discard()
            return outcome
        } catch {
            await form.discard()
            throw error
        }
    }

    /// Stores an attachment that is still being processed.
    private func begin(_ job: MediaJob, _ draft: MediaChanges, _ upload: MediaUpload) async throws -> StoredMedia {
        do {
            return try await services.media.create(nil, draft, by: upload.account, quota: nil)
        } catch {
            let discard = { @Sendable (outcome: MediaJob.Outcome) in
                if case .success(let outcome) = outcome { await upload.discard(outcome.blobs) }
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
