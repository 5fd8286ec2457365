import FeedAPI
import FeedCore
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1

/// An error response: `{"error":…}`, with the hint, if any, as `error_description`.
struct ErrorResponse: Error {
    let status: HTTPResponse.Status
    let message: String
    var hint: String?
    var headers: HTTPFields = [:]
    /// Whether it is shown as a page to every client.
    var isPage = false

    init(status: HTTPResponse.Status, message: String, hint: String? = nil, headers: HTTPFields = [:]) {
        self.status = status
        self.message = message
        self.hint = hint
        self.headers = headers
    }

    init(_ error: FeedError) {
        let error = error.forClients
        self.init(status: error.status, message: error.message, hint: error.hint)
        if let seconds = error.retryAfter { headers[.retryAfter] = String(seconds) }
        if error.kind == .unauthorized { headers[.wwwAuthenticate] = "Bearer realm=\"feedserver\"" }
    }

    var response: Response {
        var json = JSONWriter(capacity: 128)
        json.object {
            $0.field("error", message)
            if let hint { $0.field("error_description", hint) }
        }
        var response = Response(json: json, status: status)
        response.headers.append(contentsOf: headers)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

extension FeedError {
    /// The HTTP status of this error.
    var status: HTTPResponse.Status {
        switch kind {
        case .malformed: .badRequest
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .conflict: .conflict
        case .tooLarge: .contentTooLarge
        case .unsupported: .unsupportedMediaType
        case .invalid: .unprocessableContent
        case .rateLimited: .tooManyRequests
        case .unavailable: .serviceUnavailable
        case .quota, .diskFull: .init(code: 507, reasonPhrase: "Insufficient Storage")
        case .storage: .internalServerError
        }
    }
}

/// Converts errors to responses with their public part, and logs the cause.
struct ErrorResponses: Sendable {
    let pages: ErrorPage
    private let logger = Logger(label: "feedserver")

    init(pages: ErrorPage) { self.pages = pages }

    /// Responds to browsers with a page, to other clients with JSON.
    func response(to error: any Error, _ request: Request, _ context: RequestContext) -> Response {
        let problem = problem(for: error, context)
        guard problem.isPage || Self.wantsPage(request), let page = try? pages.page(for: problem, request, context)
        else { return problem.response }
        return page
    }

    static func wantsPage(_ request: Request) -> Bool {
        guard !RequestPath.isAPI(request.uri.path) else { return false }
        return request.headers[.accept]?.contains("text/html") ?? false
    }

    private func problem(for error: any Error, _ context: RequestContext) -> ErrorResponse {
        switch error {
        case let error as FeedError:
            // An error without a cause is a refusal that the client can read.
            if error.status.code >= 500, error.cause != nil || error.kind == .storage { log(error, context) }
            return ErrorResponse(error)
        case is PreconditionFailed:
            return ErrorResponse(status: .preconditionFailed, message: "The file is not in the expected state")
        case let error as ErrorResponse: return error
        case is HTTPParserError: return ErrorResponse(status: .badRequest, message: "The body is malformed")
        case is NIOTooManyBytesError: return ErrorResponse(status: .contentTooLarge, message: "The body is too large")
        case is ChannelError, is CancellationError:
            // The client has left.
            return ErrorResponse(status: .badRequest, message: "The connection ended early")
        default:
            log(error, context)
            return ErrorResponse(status: .internalServerError, message: "Internal server error")
        }
    }

    private func log(_ error: any Error, _ context: RequestContext) {
        logger.error("request failed", metadata: ["error": "\(error)", "id": "\(context.requestID)"])
    }
}
