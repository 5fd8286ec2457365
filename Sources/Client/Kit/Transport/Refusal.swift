import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

/// What a server's refusal means.
struct Refusal {
    /// Seconds that count as the longest wait, whatever a server says.
    static let longestWait = 86_400

    let status: Int
    let headers: HTTPHeaders
    let body: ByteBuffer
    let hadCredentials: Bool

    var error: FeedClientError {
        let words = try? JSONDecoder().decode(Entity.Failure.self, from: Data(body.readableBytesView))
        let message = words?.error ?? "The server answered \(status)"
        return FeedClientError(
            code, message, hint: words?.error_description ?? hint, status: status, retryAfter: retryAfter)
    }

    private var code: FeedClientError.Code {
        switch status {
        case 401, 403: .unauthorized
        case 404, 410: .notFound
        case 412: .integrity
        case 429, 503: .tryLater
        case 500...: .network
        default: .failed
        }
    }

    private var hint: String? {
        switch status {
        case 300..<400: headers.first(name: "Location").map { "It points to \($0)." } ?? "Check the address."
        case 401: hadCredentials ? "Log in again with feedclient login URL." : "Log in with feedclient login URL."
        case 403: "It is not for this account, or not for anybody."
        case 404, 410: "Check the name or the address."
        case 429, 503: "Try again " + (retryAfter.map { "in \($0) seconds." } ?? "later.")
        case 500...: "The server has a problem of its own; try again later."
        // The server's own words say what is wrong with what was given.
        case 422: nil
        default: "Check the address, and what was asked."
        }
    }

    private var retryAfter: Int? {
        guard let value = headers.first(name: "Retry-After") else { return nil }
        if let seconds = Int(value) { return Self.bounded(seconds) }
        // More digits than fit.
        if value.isDigits { return Self.longestWait }
        return HTTPDate.seconds(value).map { Self.bounded(Int($0) - Int(Date().timeIntervalSince1970)) }
    }

    private static func bounded(_ seconds: Int) -> Int { max(0, min(seconds, longestWait)) }
}
