import FeedCore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// Converts every error to a response with its public part, and logs the cause.
struct ProblemMiddleware: RouterMiddleware {
    typealias Context = FeedContext

    let pages: PageController

    func handle(
        _ request: Request, context: FeedContext, next: (Request, FeedContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPParserError {
            throw error
        } catch {
            let response = response(for: problem(for: error, context), to: request)
            // A response to HEAD has no body (RFC 9110 §9.3.2); a client would interpret a body as the start of the
            // next response.
            return request.method == .head ? response.createHeadResponse() : response
        }
    }

    /// Responds to browsers with a page, to other clients with JSON.
    private func response(for problem: Problem, to request: Request) -> Response {
        let wantsPage = request.headers[.accept]?.contains("text/html") ?? false
        guard wantsPage, !RequestPath.isAPI(request.uri.path), let page = try? pages.errorPage(problem, request) else {
            return problem.response
        }
        return page
    }

    private func problem(for error: any Error, _ context: FeedContext) -> Problem {
        switch error {
        case let error as FeedError:
            // An error without a cause is a refusal that the client can read.
            if error.status.code >= 500, error.cause != nil || error.kind == .storage {
                context.logger.error("request failed", metadata: ["error": "\(error)", "id": "\(context.requestID)"])
            }
            return Problem(error)
        case is PreconditionFailed:
            return Problem(status: .preconditionFailed, message: "The file is not in the expected state")
        case let error as Problem:
            return error
        case let error as any HTTPResponseError:
            return Problem(status: error.status, message: error.status.reasonPhrase)
        case is NIOTooManyBytesError:
            return Problem(status: .contentTooLarge, message: "The body is too large")
        default:
            context.logger.error("request failed", metadata: ["error": "\(error)", "id": "\(context.requestID)"])
            return Problem(status: .internalServerError, message: "Internal server error")
        }
    }
}
