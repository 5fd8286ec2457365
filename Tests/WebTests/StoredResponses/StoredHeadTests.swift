import FeedCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestKit
import Testing

@testable import FeedWeb

/// The heads of stored responses.
@Suite(.hangLimit)
struct StoredHeadTests {
    private static let fields: HTTPHeaders = [
        "Cache-Control": "private, no-cache", "ETag": "\"a\"", "Content-Type": "text/plain", "Content-Length": "12",
        "X-RateLimit-Limit": "300", "X-RateLimit-Remaining": "299", "X-RateLimit-Reset": "2023-11-14T22:15:00.000Z",
        "X-Request-Id": "abc", "Date": "Tue, 14 Nov 2023 22:13:20 GMT", "Server": "feedserver",
    ]
    private static let values = StoredHead.Values(
        date: "Tue, 14 Nov 2023 22:13:20 GMT", requestID: "abc",
        rate: rate(RateLimit(300, perSeconds: 300), at: 1_700_000_000_000))

    /// The state of a limit after its first request.
    private static func rate(_ limit: RateLimit, at now: Int64) -> RateState {
        var window = RateWindow(limit)
        return window.take(.account(1), now: now)
    }

    /// With the same values, the bytes are those that SwiftNIO sends.
    @Test(arguments: [HTTPResponseStatus.ok, .notModified])
    func bytesAreThoseOfTheEncoder(status: HTTPResponseStatus) throws {
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: Self.fields)
        let channel = EmbeddedChannel(handler: HTTPResponseEncoder())
        try channel.writeOutbound(HTTPServerResponsePart.head(head))
        let expected = try #require(try channel.readOutbound(as: ByteBuffer.self))
        let stored = try #require(StoredHead(head))
        #expect(String(buffer: stored.bytes(Self.values, allocator: .init())) == String(buffer: expected))
        #expect(stored.hasRate && (stored.contentLength == 12))
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func onlyTheGapsDiffer() throws {
        let stored = try #require(StoredHead(HTTPResponseHead(version: .http1_1, status: .ok, headers: Self.fields)))
        let other = StoredHead.Values(
            date: "D", requestID: "I", rate: Self.rate(RateLimit(5, perSeconds: 1), at: 0))
        let expected = """
            HTTP/1.1 200 OK\r\nCache-Control: private, no-cache\r\nETag: "a"\r\nContent-Type: text/plain\r\n\
            Content-Length: 12\r\nX-RateLimit-Limit: 5\r\nX-RateLimit-Remaining: 4\r\n\
            X-RateLimit-Reset: 1970-01-01T00:00:01.000Z\r\nX-Request-Id: I\r\nDate: D\r\nServer: feedserver\r\n\r\n
            """
        #expect(String(buffer: stored.bytes(other, allocator: .init())) == expected)
    }

    @Test func someResponsesAreNotStored() {
        let heads: [(HTTPResponseStatus, HTTPHeaders)] = [
            (.ok, [:]), (.ok, ["Content-Length": "1", "Set-Cookie": "a=b"]), (.notModified, ["Set-Cookie": "a=b"]),
            (.ok, ["Content-Length": "1", "Connection": "close"]), (.ok, ["Transfer-Encoding": "chunked"]),
            (.partialContent, ["Content-Length": "1"]), (.notFound, ["Content-Length": "1"]),
        ]
        for (status, headers) in heads {
            #expect(StoredHead(HTTPResponseHead(version: .http1_1, status: status, headers: headers)) == nil)
        }
        let old = HTTPResponseHead(version: .http1_0, status: .ok, headers: ["Content-Length": "1"])
        #expect(StoredHead(old) == nil)
    }
}
