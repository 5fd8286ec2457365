import FeedAPI
import FeedCore
import HTTPTypes

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

/// An error response: `{"error":…}`, with the hint, if any, as `error_description`.
struct Problem: Error {
    let status: HTTPResponse.Status
    let message: String
    var hint: String?
    var headers: HTTPFields = [:]

    init(status: HTTPResponse.Status, message: String, hint: String? = nil, headers: HTTPFields = [:]) {
        self.status = status
        self.message = message
        self.hint = hint
        self.headers = headers
    }

    init(_ error: FeedError) {
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
