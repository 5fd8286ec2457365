import FeedAPI
import FeedCore
import FeedFiles
import FeedStore
import Foundation
import HTTPTypes

/// Files by name: `/files/NAME`.
struct FileController: Sendable {
    let services: FileServices
    let baseURL: BaseURL

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.files, .account(.read), use: index)
        endpoints.post(Paths.files, .account(.writeMedia), use: post)
        endpoints.get(Paths.files + "/:name", .open, use: show)
        endpoints.head(Paths.files + "/:name", .open, use: show)
        endpoints.put(Paths.files + "/:name", .account(.writeMedia), use: put)
        endpoints.delete(Paths.files + "/:name", .account(.writeMedia), use: delete)
    }

    @Sendable func show(_ request: Request, _ context: RequestContext) async throws -> Response {
        try await serve(name: try context.segment("name"), to: request, context)
    }

    /// Responds to GET and HEAD for a stored file, under any path.
    func serve(name: String, to request: Request, _ context: RequestContext) async throws -> Response {
        guard let file = try await services.files.file(named: try FileName.normalize(name)) else {
            throw FeedError(.notFound, "No such file")
        }
        return try file.response(to: request, context, blobs: services.blobs, now: services.clock.now() / 1000)
    }

    /// The list of files, as returned by `GET /files` and by both kinds of upload.
    func list(_ files: [StoredFile], base: String, status: HTTPResponse.Status) -> Response {
        var json = JSONWriter()
        json.object { $0.array("files") { for file in files { $0.file(file, base: base) } } }
        return Response(json: json, status: status)
    }
}

extension JSONWriter {
    /// Writes a File entity.
    mutating func file(_ file: StoredFile, base: String) {
        object {
            $0.field("name", file.name)
            $0.field("size", Int(file.blob.size))
            $0.field("type", file.type)
            $0.field("modified", time: file.modifiedAt)
            $0.field("sha256", file.blob.hash.description)
            $0.key("url")
            $0.string(base, "/files/", file.name.percentEncodedSegment)
        }
    }
}

extension FileController {
    private static let pageMaximum = 200

    /// The caller's files, sorted by name; `after` is the last name of the previous page.
    @Sendable func index(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let base = try baseURL.text(for: request)
        let query = try request.query
        let limit = query.count(.limit, standard: 100, maximum: Self.pageMaximum)
        let files = try await services.files.files(
            of: viewer.account.id, after: query["after"], limit: limit + 1)
        var response = list(Array(files.prefix(limit)), base: base, status: .ok)
        if files.count > limit, let last = files.prefix(limit).last {
            let address = base + "/files?limit=\(limit)&after=" + last.name.percentEncodedSegment
            response.headers[.link] = LinkHeader(next: address).value
        }
        return response
    }

    /// Stores every file part of a multipart form.
    @Sendable func post(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        try refuseResumable(request)
        let base = try baseURL.text(for: request)
        let upload = FileUpload(services: services, owner: viewer.account, style: .strict)
        return list(try await upload.run(request, context), base: base, status: .created)
    }
}

extension FileController {
    /// Stores or replaces a file. Permission, preconditions and quota are checked before the body is read, and again in
    /// the transaction that stores the file.
    @Sendable func put(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let name = try FileName.normalize(try context.segment("name"))
        let rule = FileWriteRule(
            viewer: viewer.account, conditions: Preconditions(request))
        let existing = try await services.files.fileToReplace(named: name)
        try rule.checkPut(existing)
        let digest = try ContentDigest(request.headers.all)
        let admission = try await UploadRule(
            services: services, owner: viewer.account.id, replaced: existing?.blob.size ?? 0)
        try refusePart(request)
        _ = try admission.checkBeforeReading(request)
        context.readBody()
        let (writer, sealed) = try await receive(request, admission, digest)
        let file = StoredFile(
            name: name, ownerID: viewer.account.id, blob: sealed.blob,
            type: ContentType.sniff(sealed.head, name: name), modifiedAt: services.clock.now())
        let isNew = try await services.blobs.whilePublishing {
            try await writer.publish(sealed)
            return try await services.files.recordingUnused([file]) {
                try await services.files.put(
                    file, quota: services.limits.accountBytes, replacing: rule.checkPut)
            }
        }
        // Without a quota, the space is not needed immediately, and the maintenance task frees it.
        if !isNew, services.limits.accountBytes != nil { await collectReplaced(of: viewer.account.id) }
        var headers: HTTPFields = [.eTag: EntityTag(hash: sealed.blob.hash).headerValue]
        headers[.location] = try baseURL.text(for: request) + "/files/" + name.percentEncodedSegment
        return Response(status: isNew ? .created : .noContent, headers: headers)
    }

    /// Deletes a name, and its bytes unless another name refers to them.
    @Sendable func delete(_ request: Request, _ context: RequestContext) async throws -> Response {
        let viewer = try context.require()
        let name = try FileName.normalize(try context.segment("name"))
        let rule = FileWriteRule(
            viewer: viewer.account, conditions: Preconditions(request))
        guard try await services.files.delete(named: name, rule.checkDelete) else {
            throw FeedError(.notFound, "No such file")
        }
        await collectReplaced(of: nil)
        return Response(status: .noContent)
    }

    /// Frees the space immediately. If that fails, the maintenance task tries again.
    private func collectReplaced(of account: Int64?) async {
        try? await GarbageCollector(blobs: services.blobs, files: services.files).collectReplaced(of: account)
    }

    private func refusePart(_ request: Request) throws {
        if request.headers.contains(.contentRange) {
            throw FeedError.malformed("PUT does not support Content-Range", hint: "Send the whole file.")
        }
        try refuseResumable(request)
    }

    /// A part of a resumable upload must not be stored as if it were the whole file.
    private func refuseResumable(_ request: Request) throws {
        let isPart = request.headers[.uploadComplete]?.hasPrefix("?0") ?? false
        guard isPart || request.headers.contains(.tusResumable) else { return }
        throw FeedError.malformed(
            "Resumable uploads are not supported", hint: "Send the whole file with PUT /files/NAME.")
    }

    private func receive(
        _ request: Request, _ admission: UploadRule, _ digest: ContentDigest
    ) async throws -> (writer: BlobWriter, sealed: SealedBlob) {
        let writer = try await services.blobs.begin(limit: admission.limit(), excess: admission.excess)
        do {
            for try await piece in request.body { try await writer.write(piece) }
            let sealed = try await writer.seal(beside: nil)
            try digest.check(sealed.blob)
            return (writer, sealed)
        } catch {
            await writer.discard()
            throw error
        }
    }
}

/// Content-Disposition (RFC 6266): an ASCII name for old clients, the full name encoded as in RFC 8187.
enum ContentDisposition {
    static func value(_ kind: String, name: String) -> String {
        let plain = String(String.UnicodeScalarView(name.unicodeScalars.map { isPlain($0) ? $0 : "_" }))
        let value = kind + "; filename=\"" + plain + "\""
        return plain == name ? value : value + "; filename*=UTF-8''" + name.percentEncodedSegment
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F && scalar != "\"" && scalar != "\\"
            && scalar != "%"
    }
}

extension StoredFile {
    /// The response to GET or HEAD for this file.
    /// - Parameter now: Seconds since 1970.
    /// - Throws: ``FeedError`` `.storage` when the blob is missing.
    func response(to request: Request, _ context: RequestContext, blobs: BlobStore, now: Int64) throws
        -> Response
    {
        let content = FileResponse(
            representation: RepresentationMetadata(
                tag: EntityTag(hash: blob.hash), modified: modifiedAt / 1000, size: blob.size),
            type: type, description: description, common: [.cacheControl: "no-cache"], now: now)
        return try content.response(to: request) { .blob(try blobs.open(blob, name: name), context) }
    }

    /// Headers that describe the file and keep uploaded content from running as a page of this site.
    private var description: HTTPFields {
        var headers: HTTPFields = [.contentSecurityPolicy: ContentType.securityPolicy(type)]
        headers[.contentDisposition] = ContentDisposition.value(
            ContentType.isInline(type) ? "inline" : "attachment", name: name)
        if let digest = Digest.base64(hex: blob.hash.description) { headers[.reprDigest] = "sha-256=:\(digest):" }
        return headers
    }
}

/// The conditions for replacing or deleting a file: its ownership, and the preconditions of the request.
struct FileWriteRule: Sendable {
    let viewer: Account
    let conditions: Preconditions

    /// - Throws: ``FeedError`` `.forbidden` for another account's file; ``PreconditionFailed``.
    @Sendable func checkPut(_ existing: StoredFile?) throws {
        if let existing { try FileOwnershipRule.checkReplacing(existing, by: viewer) }
        try checkConditions(existing)
    }

    /// - Throws: ``FeedError`` `.forbidden` for another account's file; ``PreconditionFailed``.
    @Sendable func checkDelete(_ existing: StoredFile) throws {
        try FileOwnershipRule.checkDeleting(existing, by: viewer)
        try checkConditions(existing)
    }

    private func checkConditions(_ existing: StoredFile?) throws {
        let representation = existing.map {
            RepresentationMetadata(
                tag: EntityTag(hash: $0.blob.hash), modified: $0.modifiedAt / 1000, size: $0.blob.size)
        }
        guard conditions.allowWrite(over: representation) else { throw PreconditionFailed() }
    }
}

/// A precondition of the request failed (RFC 9110 §13).
struct PreconditionFailed: Error {}
