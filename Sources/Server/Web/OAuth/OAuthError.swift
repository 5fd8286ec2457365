import FeedCore
import HTTPTypes

/// OAuth 2.0 error responses (RFC 6749 §5.2): the code is `error`, the text `error_description`.
enum OAuthError {
    static func invalidRequest(_ text: String) -> Problem { problem("invalid_request", text) }

    static let invalidGrant = problem(
        "invalid_grant",
        "The provided authorization grant is invalid, expired, revoked, does not match the redirect URI, or "
            + "was issued to another client.")

    static let invalidScope = problem("invalid_scope", "The requested scope is invalid, unknown, or malformed.")

    static let unsupportedGrant = problem(
        "unsupported_grant_type", "The authorization grant type is not supported by this server.")

    /// - Parameter usedBasic: Whether the client used HTTP Basic; the response must then name that scheme.
    static func invalidClient(usedBasic: Bool) -> Problem {
        let text = "Client authentication failed due to unknown client or wrong secret."
        let headers: HTTPFields = usedBasic ? [.wwwAuthenticate: "Basic realm=\"feedserver\""] : [:]
        return Problem(status: .unauthorized, message: "invalid_client", hint: text, headers: headers)
    }

    static func problem(_ code: String, _ text: String, status: HTTPResponse.Status = .badRequest) -> Problem {
        Problem(status: status, message: code, hint: text)
    }
}
