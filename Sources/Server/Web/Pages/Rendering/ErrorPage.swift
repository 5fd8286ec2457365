import FeedCore
import HTTPTypes
import NIOCore

/// Renders errors as pages.
struct ErrorPage: Sendable {
    let assets: PageAssets

    /// Renders an error as a page. It shows the navigation of the viewer, so no cache may keep it.
    /// - Parameter form: A form that can be sent after a login.
    func page(
        for problem: ErrorResponse, _ request: Request, _ context: RequestContext, form: PageForm? = nil
    ) throws -> Response {
        let code = problem.status.code
        var page = try assets.page(for: request, context)
        let message = page.text.translated(problem.message)
        page.setTitle(message, heading: page.text.translated(problem.status.reasonPhrase))
        var error = TemplateValues()
        error.set(.code, String(code))
        error.set(.message, message)
        error.set(.hint, problem.hint.map(page.text.translated))
        error.set(.loginURL, form == nil ? nil : "/login")
        page.set(.error, .object(error))
        page.show(form.map { [$0] } ?? [])
        page.set(.noindex, true)
        var headers = problem.headers
        headers[.contentSecurityPolicy] = PageController.policy
        headers[.cacheControl] = "no-store"
        headers[.contentType] = "text/html; charset=utf-8"
        return Response(status: problem.status, headers: headers, body: .init(byteBuffer: .init(bytes: page.html())))
    }

    /// Responds to a page with a form, with the headers that protect the form. Errors become pages regardless of Accept,
    /// because these addresses are opened in browsers only.
    func form(_ body: () async throws -> Response) async throws -> Response {
        do {
            var response = try await body()
            response.headers[.cacheControl] = "no-store"
            response.headers[.frameOptions] = "DENY"
            return response
        } catch let problem as ErrorResponse {
            throw Self.page(problem)
        } catch let error as FeedError where error.status.code < 500 {
            throw Self.page(ErrorResponse(error))
        }
    }

    private static func page(_ problem: ErrorResponse) -> ErrorResponse {
        var problem = problem
        problem.isPage = true
        problem.headers[.frameOptions] = "DENY"
        return problem
    }
}
