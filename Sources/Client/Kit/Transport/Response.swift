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
