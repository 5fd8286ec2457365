import FeedAPI
import FeedCore
import FeedFiles
import HTTPTypes

/// Files by name: `/files/NAME`.
struct FileController: Sendable {
    let services: Services

    func addEndpoints(to endpoints: Endpoints) {
        endpoints.get(Paths.files, .account(.read), use: index)
        endpoints.post(Paths.files, .account(.writeMedia), use: post)
        endpoints.get("/files/:name", .open, use: show)
        endpoints.head("/files/:name", .open, use: show)
        endpoints.put("/files/:name", .account(.writeMedia), use: put)
        endpoints.delete("/files/:name", .account(.writeMedia), use: delete)
    }

    @Sendable func show(_ request: Request, _ context: FeedContext) async throws -> Response {
        try await serve(name: try context.segment("name"), to: request, context)
    }

    /// Responds to GET and HEAD for a stored file, under any path.
    func serve(name: String, to request: Request, _ context: FeedContext) async throws -> Response {
        guard let file = try await services.stores.files.file(named: try FileName.normalize(name)) else {
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
