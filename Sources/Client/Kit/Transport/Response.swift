import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

/// A response that was read as a whole.
struct Response: Sendable {
    let headers: HTTPHeaders
    let body: ByteBuffer
    /// Whether the server has confirmed what the client has (304), and sent no body.
    var isNotModified = false

    var bytes: [UInt8] { Array(body.readableBytesView) }

    /// The links to neighboring pages.
    var links: LinkHeader {
        // A field that is cut off does not affect the others.
        headers["Link"].reduce(into: LinkHeader()) { $0.add($1) }
    }

    /// Whether the body has a coding that the request did not permit.
    private var isCompressed: Bool {
        headers.first(name: "Content-Encoding").map { !["identity", "gzip", "deflate"].contains($0.lowercased()) }
            ?? false
    }

    /// The maximum number of values in a response. The largest one that servers send, a page of statuses, has some
    /// thousands; each takes far more memory than its text.
    private static let maximumValues = 250_000

    private struct TooManyValues: Error {}

    /// - Throws: ``FeedClientError`` `.failed` if the body is not the expected JSON.
    func decode<Value: Decodable>(_ type: Value.Type) throws(FeedClientError) -> Value {
        do {
            let isBounded = body.withUnsafeReadableBytes { JSONText.hasValues(atMost: Self.maximumValues, $0) }
            guard isBounded else { throw TooManyValues() }
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch {
            throw FeedClientError(
                .failed, "The server's response could not be understood",
                hint: isCompressed
                    ? "It is compressed in a way that the request does not allow."
                    : "Check whether this is the address of a feed server.", cause: error)
        }
    }
}

/// The positions at which pages begin (`max_id`). Stops reading when a server links to the same page again, or to a
/// newer one; otherwise, the pages might never end.
struct PageCursors {
    private var seen: Set<String> = []
    private var oldest: StatusKey?

    /// - Parameter first: Where the first page begins, if not with the newest entry.
    init(_ first: String? = nil) {
        if let first { _ = advance(to: first) }
    }

    /// - Returns: Whether the page that begins at `cursor` is older than those before.
    mutating func advance(to cursor: String) -> Bool {
        guard seen.insert(cursor).inserted else { return false }
        guard let key = StatusKey(cursor) else { return true }
        defer { oldest = key }
        return oldest.map { key < $0 } ?? true
    }
}

extension LinkHeader {
    /// The value of `max_id` in the URL of the next page.
    var nextMaxID: String? { next.flatMap { Self.queryItem("max_id", of: $0) } }

    /// The value of `min_id` in the URL of the previous page.
    var previousMinID: String? { previous.flatMap { Self.queryItem("min_id", of: $0) } }

    private static func queryItem(_ name: String, of url: String) -> String? {
        URLComponents(string: url)?.queryItems?.first { $0.name == name }?.value
    }
}
