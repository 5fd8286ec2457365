import FeedCore
import FeedFiles
import HTTPTypes
import Hummingbird

extension FileController {
    /// Stores or replaces a file. Whatever refuses it without its bytes is asked first, then once more when they are there.
    @Sendable func put(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try await services.require(request, scope: "write:media")
        let name = try FileName.normalise(try context.segment("name"))
        let rule = PutRule(owner: viewer.account.id, conditions: Conditions(method: .put, headers: request.headers))
        try rule.check(try await services.files.file(named: name))
        try refuseUnread(request)
        context.wantBody()
        let finished = try await receive(request)
        let file = StoredFile(
            name: name, ownerID: viewer.account.id, blob: finished.blob,
            type: MediaType.sniff(finished.head, name: name), modifiedAt: services.surroundings.now())
        let isNew = try await services.files.put(file, replacing: rule.check)
        var headers: HTTPFields = [.eTag: EntityTag(hash: finished.blob.hash).text]
        headers[.location] = try services.baseURL.text(for: request) + "/files/" + name.percentEncodedSegment
        return Response(status: isNew ? .created : .noContent, headers: headers)
    }

    private func refuseUnread(_ request: Request) throws {
        if request.headers.contains(.contentRange) {
            throw FeedError.malformed("A part of a file cannot be put", hint: "Send the whole file.")
        }
        if request.headers[.contentEncoding] != nil {
            throw FeedError.malformed("Content-Encoding is not supported", hint: "Send the bytes as they are.")
        }
        if let length = request.headers[.contentLength].flatMap(Int64.init), length > services.limits.fileBytes {
            throw FeedError(.tooLarge, "The file is larger than \(services.limits.fileBytes) bytes")
        }
    }

    private func receive(_ request: Request) async throws -> BlobWriter.Finished {
        let writer = try await services.blobs.begin(limit: services.limits.fileBytes)
        do {
            for try await piece in request.body { try await writer.write(piece) }
            return try await writer.finish()
        } catch {
            await writer.discard()
            throw error
        }
    }
}

/// Who may replace what, and when.
struct PutRule: Sendable {
    let owner: Int64
    let conditions: Conditions

    /// - Throws: ``FeedError`` `.forbidden` for another's file; ``PreconditionFailed``.
    @Sendable func check(_ present: StoredFile?) throws {
        if let present, present.ownerID != owner {
            throw FeedError(.forbidden, "This name belongs to somebody else", hint: "Choose another name.")
        }
        let representation = present.map {
            Representation(tag: EntityTag(hash: $0.blob.hash), modified: $0.modifiedAt / 1000, size: $0.blob.size)
        }
        guard conditions.allowWrite(over: representation) else { throw PreconditionFailed() }
    }
}

/// The file is not in the state the request expects (RFC 9110 §13).
struct PreconditionFailed: Error {}
