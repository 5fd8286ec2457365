import FeedFiles
import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

@testable import FeedWeb

/// Responses from bytes in memory, whose bodies no task has to write.
struct MemoryRangeTests {
    private static let tag = EntityTag("t")

    private static func respond(
        _ method: HTTPRequest.Method = .get, _ fields: [(String, String)] = [], text: String = "0123456789"
    ) throws -> (response: Response, body: String) {
        let request = Request(
            method: method, target: "/", host: nil, isSecure: false, headers: .http1(.init(fields)))
        // A part of a larger buffer, which does not begin at its start.
        var buffer = ByteBuffer(string: "before" + text)
        buffer.moveReaderIndex(forwardBy: 6)
        let response = FileResponse.response(
            to: request, bytes: buffer, type: "text/plain", tag: tag, headers: [.cacheControl: "no-cache"])
        guard case .bytes(let bytes) = response.body.content else {
            Issue.record("the body is not in memory")
            return (response, "")
        }
        #expect(response.body.contentLength == bytes.readableBytes)
        return (response, String(buffer: bytes))
    }

    @Test func wholeContentIsSent() throws {
        let (response, body) = try Self.respond()
        #expect(response.status == .ok && body == "0123456789" && response.headers[.eTag] == Self.tag.headerValue)
        #expect(response.headers[.contentType] == "text/plain" && response.headers[.cacheControl] == "no-cache")
        #expect(try Self.respond(text: "").body.isEmpty)
    }

    @Test func rangeIsSent() throws {
        let (response, body) = try Self.respond(.get, [("Range", "bytes=2-4")])
        #expect(response.status == .partialContent && body == "234")
        #expect(response.headers[.contentRange] == "bytes 2-4/10")
    }

    @Test func severalRangesAreSentInParts() throws {
        let (response, body) = try Self.respond(.get, [("Range", "bytes=0-1,-2")])
        let type = try #require(response.headers[.contentType])
        let boundary = try #require(type.split(separator: "=").last)
        #expect(response.status == .partialContent && type.hasPrefix("multipart/byteranges; boundary="))
        let head = "Content-Type: text/plain\r\nContent-Range: bytes "
        #expect(
            body == "\r\n--\(boundary)\r\n\(head)0-1/10\r\n\r\n01\r\n--\(boundary)\r\n\(head)8-9/10\r\n\r\n89\r\n"
                + "--\(boundary)--\r\n")
    }

    @Test func preconditionsDecide() throws {
        for (fields, status) in [
            ([("If-None-Match", Self.tag.headerValue)], HTTPResponse.Status.notModified),
            ([("If-Match", "\"other\"")], .preconditionFailed), ([("Range", "bytes=10-")], .rangeNotSatisfiable),
            ([("If-Range", "\"other\""), ("Range", "bytes=0-1")], .ok),
            ([("If-None-Match", Self.tag.headerValue), ("If-Match", "\"other\"")], .preconditionFailed),
        ] {
            #expect(try Self.respond(.get, fields).response.status == status, "\(fields)")
        }
    }

    /// Without the content, its length is stated.
    @Test func headHasTheLength() throws {
        let (response, body) = try Self.respond(.head)
        #expect(response.status == .ok && body.isEmpty && response.headers[.contentLength] == "10")
    }
}
