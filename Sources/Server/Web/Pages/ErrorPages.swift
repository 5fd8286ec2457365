import FeedCore
import HTTPTypes
import NIOCore

/// Renders errors as pages.
struct ErrorPages: Sendable {
    let reader: WebReader

    /// Renders an error as a page.
    func page(for problem: Problem) throws -> Response {
        let code = problem.status.code
        var page = try reader.page()
        page.setTitle(problem.message, heading: problem.status.reasonPhrase)
        var error = TemplateValues()
        error.set(.code, String(code))
        error.set(.message, problem.message)
        error.set(.hint, problem.hint)
        page.set(.error, .object(error))
        var headers = problem.headers
        headers[.contentSecurityPolicy] = PageController.policy
        headers[.contentType] = "text/html; charset=utf-8"
        return Response(status: problem.status, headers: headers, body: .init(byteBuffer: .init(bytes: page.html())))
    }

    /// Responds to a page with a form. Renders errors as pages regardless of Accept, because these addresses are opened
    /// in browsers only, and adds the headers that protect the form.
    func form(_ body: () async throws -> Response) async throws -> Response {
        do {
            return Self.secured(try await body())
        } catch let problem as Problem {
            return Self.secured(try page(for: problem))
        } catch let error as FeedError where error.status.code < 500 {
            return Self.secured(try page(for: Problem(error)))
        }
    }

    private static func secured(_ response: Response) -> Response {
        var response = response
        response.headers[.cacheControl] = "no-store"
        response.headers[.frameOptions] = "DENY"
        return response
    }
}
