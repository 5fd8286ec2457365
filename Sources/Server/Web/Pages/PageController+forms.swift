import FeedCore
import HTTPTypes

extension PageController {
    /// Responds to a page with a form. Renders errors as pages regardless of Accept, because these addresses are opened
    /// in browsers only, and adds the headers that protect the form.
    func form(_ request: Request, _ body: () async throws -> Response) async throws -> Response {
        do {
            return Self.secured(try await body())
        } catch let problem as Problem {
            return Self.secured(try errorPage(problem, request))
        } catch let error as FeedError where error.status.code < 500 {
            return Self.secured(try errorPage(Problem(error), request))
        }
    }

    private static func secured(_ response: Response) -> Response {
        var response = response
        response.headers[.cacheControl] = "no-store"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.frameOptions] = "DENY"
        return response
    }
}
