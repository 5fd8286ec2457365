import FeedCore
import FeedFiles
import HTTPTypes

extension FileController {
    /// Stores or replaces a file. Permission, preconditions and quota are checked before the body is read, and again in
    /// the transaction that stores the file.
    @Sendable func put(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let name = try FileName.normalize(try context.segment("name"))
        let rule = FileWriteRule(
            viewer: viewer.account, conditions: Preconditions(request))
        let present = try await services.stores.files.fileToReplace(named: name)
        try rule.checkPut(present)
        let digest = try DigestField(request.headers.all)
        let admission = try await UploadAdmission(
            services: services, owner: viewer.account.id, replaced: present?.blob.size ?? 0)
        try refusePart(request)
        _ = try admission.checkBeforeReading(request)
        context.readBody()
        let (writer, sealed) = try await receive(request, admission, digest)
        let file = StoredFile(
            name: name, ownerID: viewer.account.id, blob: sealed.blob,
            type: MediaType.sniff(sealed.head, name: name), modifiedAt: services.clock.now())
        let isNew = try await services.blobs.whilePublishing {
            try await writer.publish(sealed)
            return try await services.stores.files.recordingUnused([file]) {
                try await services.stores.files.put(
                    file, quota: services.limits.accountBytes, replacing: rule.checkPut)
            }
        }
        // Without a quota, the space is not needed immediately, and the maintenance task frees it.
        if !isNew, services.limits.accountBytes != nil { await collectReplaced(of: viewer.account.id) }
        var headers: HTTPFields = [.eTag: EntityTag(hash: sealed.blob.hash).text]
        headers[.location] = try services.site.baseURL.text(for: request) + "/files/" + name.percentEncodedSegment
        return Response(status: isNew ? .created : .noContent, headers: headers)
    }

    /// Deletes a name, and its bytes unless another name refers to them.
    @Sendable func delete(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let name = try FileName.normalize(try context.segment("name"))
        let rule = FileWriteRule(
            viewer: viewer.account, conditions: Preconditions(request))
        guard try await services.stores.files.delete(named: name, rule.checkDelete) else {
            throw FeedError(.notFound, "No such file")
        }
        await collectReplaced(of: nil)
        return Response(status: .noContent)
    }

    /// Frees the space immediately. If that fails, the maintenance task tries again.
    private func collectReplaced(of account: Int64?) async {
        try? await GarbageCollector(blobs: services.blobs, files: services.stores.files).collectReplaced(of: account)
    }

    private func refusePart(_ request: Request) throws {
        if request.headers.contains(.contentRange) {
            throw FeedError.malformed("PUT does not support Content-Range", hint: "Send the whole file.")
        }
    }

    private func receive(
        _ request: Request, _ admission: UploadAdmission, _ digest: DigestField
    ) async throws -> (writer: any BlobWriting, sealed: SealedBlob) {
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

/// The permission and preconditions to replace or delete a file.
struct FileWriteRule: Sendable {
    let viewer: Account
    let conditions: Preconditions

    /// - Throws: ``FeedError`` `.forbidden` for another account's file; ``PreconditionFailed``.
    @Sendable func checkPut(_ present: StoredFile?) throws {
        if let present, present.ownerID != viewer.id {
            throw FeedError(.forbidden, "This name belongs to another account", hint: "Choose another name.")
        }
        try checkConditions(present)
    }

    /// Admins may delete any file.
    /// - Throws: ``FeedError`` `.forbidden` for another account's file; ``PreconditionFailed``.
    @Sendable func checkDelete(_ present: StoredFile) throws {
        guard present.ownerID == viewer.id || viewer.role == .admin else {
            throw FeedError(.forbidden, "This file belongs to another account")
        }
        try checkConditions(present)
    }

    private func checkConditions(_ present: StoredFile?) throws {
        let representation = present.map {
            Representation(tag: EntityTag(hash: $0.blob.hash), modified: $0.modifiedAt / 1000, size: $0.blob.size)
        }
        guard conditions.allowWrite(over: representation) else { throw PreconditionFailed() }
    }
}

/// A precondition of the request failed (RFC 9110 §13).
struct PreconditionFailed: Error {}
