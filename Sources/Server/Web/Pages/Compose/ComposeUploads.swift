import FeedAPI
import FeedCore
import FeedFiles
import FeedStore

/// The files of the form on which members post.
struct ComposeUploads: Sendable {
    private static let field = "file"

    let store: MediaStore
    /// `nil` if the server does not accept any media.
    let services: MediaServices?
    let counts: ComposeCounts
    let settings: ReloadableSettings

    private var limits: MediaLimits { settings.limits.media }

    /// Receives the form. A file that is too large does not prevent it.
    func receive(_ request: Request, _ context: RequestContext) async throws -> MultipartForm {
        let account = try context.require().account
        guard let services else {
            let limit = settings.limits.longFormBytes
            return MultipartForm(try await request.input(upTo: limit, context: context))
        }
        return try await MultipartForm.receive(
            request, context, services: services.uploads, owner: account.id, files: [Self.field],
            maximum: limits.uploadBytes, count: limits.perStatus, keepsRest: true)
    }

    /// Adds the files that were uploaded before, with what was typed about them.
    func addPresent(_ input: RequestParameters, to state: inout ComposeForm, of account: Account) async throws {
        let attributes = try input.objects("media_attributes") ?? []
        for id in try input.mediaIDs().prefix(limits.perStatus) {
            if let media = try await store.media(id: id, of: account.id)?.attachment {
                state.files.append(ComposeAttachment(media, attributes.first { $0["id"] == String(id) }))
            } else {
                state.isMissingFile = true
            }
        }
    }

    /// Stores the files that came with the form.
    /// - Throws: ``FeedError``; the files before the refused one are added nevertheless.
    func add(_ form: MultipartForm, to state: inout ComposeForm, _ context: RequestContext) async throws {
        let viewer = try context.require()
        for file in form.allFiles {
            guard let services, viewer.scopes.allows(.writeMedia) else { throw FeedError.notAllowed }
            try AttachmentRule.check(count: state.files.count + 1, limits)
            try MediaUploadForm.check(file.sealed, limits)
            try counts.count(.upload, viewer.account)
            let processor = MediaUpload(services: services, account: viewer.account.id, logger: context.logger)
            let outcome = try await processor.process(file.path, thumbnail: nil)
            guard let media = try await processor.create(outcome, MediaChanges()).attachment else { continue }
            var added = ComposeAttachment(media)
            added.upload = "\(file.sealed.blob.hash)"
            state.files.append(added)
        }
        if let refusal = form.refusal { throw refusal }
    }

    /// Removes a file from the form. One that no status has shown is deleted.
    func remove(_ id: Int64, from state: inout ComposeForm, of account: Account) async throws {
        guard state.files.contains(where: { $0.id == id }) else { return }
        state.files.removeAll { $0.id == id }
        do {
            try await store.delete(id, of: account.id)
        } catch let error as FeedError where error.kind == .invalid || error.kind == .notFound {
            // It belongs to the status that is edited, or has expired.
        }
    }
}

/// Counts posts and uploads where the form is answered rather than before, so that a refusal keeps what was typed.
struct ComposeCounts: Sendable {
    /// `nil` without rate limits.
    let rates: RateLimiter?

    /// - Throws: ``FeedError`` `.rateLimited`.
    func count(_ kind: RateLimiter.Kind, _ account: Account) throws(FeedError) {
        guard let rates else { return }
        let (state, now) = rates.consume(kind, .account(account.id))
        guard let state, state.isRefused else { return }
        throw .rateLimited(
            kind == .post ? "Too many posts" : "Too many uploads", retryAfter: state.secondsLeft(now: now))
    }
}
