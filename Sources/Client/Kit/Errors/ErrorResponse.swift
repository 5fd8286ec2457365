import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

/// A response with an error status, as a ``FeedClientError``.
struct ErrorResponse {
    /// Longer values of `Retry-After` are treated as this many seconds.
    static let maximumRetryAfter = 86_400

    let status: Int
    let headers: HTTPHeaders
    let body: ByteBuffer
    /// Whether the request carried a credential.
    let hadCredentials: Bool
    /// The decoded path of the request; empty if it does not matter.
    var path = ""

    /// The error, with the server's own message if the response contains one.
    var error: FeedClientError {
        let failure = try? JSONDecoder().decode(Entity.Failure.self, from: Data(body.readableBytesView))
        return FeedClientError(
            code, failure.flatMap { message($0.error) } ?? Self.message(for: status),
            hint: failure.flatMap { hint(of: $0) } ?? hint,
            status: status, retryAfter: retryAfter)
    }

    /// The server's hint, besides its message. Whoever is not logged in needs no hint about HTTP.
    private func hint(of failure: Entity.Failure) -> String? {
        if status == 401, !hadCredentials, failure.error == "The access token is invalid" { return nil }
        return failure.error_description ?? Self.hints[message(failure.error)]
    }

    /// The server's message without words that mean something only to programs: Mastodon's "Validation failed: ", and
    /// "Record not found" for something that the path names.
    private func message(_ text: String) -> String {
        let prefix = "Validation failed: "
        if status == 422, text.hasPrefix(prefix), text != prefix { return String(text.dropFirst(prefix.count)) }
        return status == 404 && text == "Record not found" ? missingRecord ?? text : text
    }

    /// Names the record in the path, such as "No status 7504".
    private var missingRecord: String? {
        for (folder, noun) in Self.records where path.utf8.starts(with: (folder + "/").utf8) {
            let id = path.utf8.dropFirst(folder.utf8.count + 1).prefix { $0 != UInt8(ascii: "/") }
            return "No \(noun) \(Substring(id))"
        }
        return nil
    }

    /// Explanations that the messages of servers leave out.
    private static let hints = ["Expires at is too soon": "A poll has to be open for at least 5 minutes."]

    private static let records = [
        (Paths.statuses, "status"), (Paths.scheduledStatuses, "scheduled post"), (Paths.lists, "list"),
        (Paths.listTimeline, "list"), (Paths.notifications, "notification"),
    ]

    /// The message of a response that has none.
    static func message(for status: Int) -> String { "The server responded with \(status)" }

    private var code: FeedClientError.Code {
        switch status {
        case 401, 403: .unauthorized
        case 404, 410: .notFound
        case 412: .integrity
        case 429, 503: .tryLater
        // A disk that is full, unlike a quota that is used up, is only a matter of time.
        case 507: retryAfter == nil ? .insufficientStorage : .tryLater
        case 500...: .network
        default: .failed
        }
    }

    private var hint: String? {
        switch status {
        case 300..<400: headers.first(name: "Location").map { "It redirects to \($0)." } ?? "Check the address."
        case 401: hadCredentials ? "Log in again with feedclient login URL." : "Log in with feedclient login URL."
        case 403: "This account is not allowed to do that."
        case 404, 410: "Check the name or the address."
        case 507 where retryAfter == nil:
            "The space of this account is used up; delete files that are no longer needed."
        case 429, 503, 507:
            "Try again " + (retryAfter.map { $0 == 1 ? "in 1 second." : "in \($0) seconds." } ?? "later.")
        case 500...: "The server has an internal problem; try again later."
        // The server's message explains what is invalid.
        case 422: nil
        default: "Check the address and the input."
        }
    }

    private var retryAfter: Int? {
        guard let value = headers.first(name: "Retry-After") else { return nil }
        if let seconds = Int(value) { return Self.clamped(seconds) }
        // The number exceeds `Int`.
        if value.isDigits { return Self.maximumRetryAfter }
        return HTTPDate.seconds(value).map { Self.clamped(Int($0) - Int(Date().timeIntervalSince1970)) }
    }

    private static func clamped(_ seconds: Int) -> Int { max(0, min(seconds, maximumRetryAfter)) }
}
