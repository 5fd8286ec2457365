import FeedAPI
import FeedCore
import FeedFiles
import HTTPTypes

extension FileController {
    private static let pageMaximum = 200

    /// The caller's files, sorted by name; `after` is the last name of the previous page.
    @Sendable func index(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let base = try services.site.baseURL.text(for: request)
        let query = try request.query
        let limit = query.count(.limit, standard: 100, maximum: Self.pageMaximum)
        let found = try await services.stores.files.files(
            of: viewer.account.id, after: query["after"], limit: limit + 1)
        var response = list(Array(found.prefix(limit)), base: base, status: .ok)
        if found.count > limit, let last = found.prefix(limit).last {
            let address = base + "/files?limit=\(limit)&after=" + last.name.percentEncodedSegment
            response.headers[.link] = LinkHeader(next: address).value
        }
        return response
    }

    /// Stores every file part of a multipart form.
    @Sendable func post(_ request: Request, _ context: FeedContext) async throws -> Response {
        let viewer = try context.require()
        let base = try services.site.baseURL.text(for: request)
        let upload = FileUpload(services: services, owner: viewer.account, style: .strict)
        return list(try await upload.run(request, context), base: base, status: .created)
    }
}
