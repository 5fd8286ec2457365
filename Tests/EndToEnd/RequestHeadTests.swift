import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Request headers, byte for byte, against the real server.
@Suite(.hangLimit)
struct RequestHeadTests {
    private static let rows: [(request: String, status: Int)] = [
        ("GET /health HTTP/1.1\nHost: a\nContent-Length: 9223372036854775808\n\n", 413),
        ("PUT /files/x HTTP/1.1\nHost: a\nContent-Length: 9223372036854775808\n\nabc", 413),
        ("POST /oauth/token HTTP/1.1\nHost: a\nTransfer-Encoding: gzip, chunked\n\n0\n\n", 501),
        ("GET / HTTP/1.1\nHost: []\nConnection: close\n\n", 400), ("GET / HTTP/1.1\nHost: [x]\n\n", 400),
        ("GET http://other.test/health HTTP/1.1\nHost: a\nConnection: close\n\n", 200),
        ("GET http:///health HTTP/1.1\nHost: a\n\n", 400), ("GET ftp://a/health HTTP/1.1\nHost: a\n\n", 400),
        ("GET //tags/books HTTP/1.1\nHost: a\nConnection: close\n\n", 308),
        ("POST //api/v1/statuses HTTP/1.1\nHost: a\nContent-Length: 0\nConnection: close\n\n", 401),
        ("GET /tags/a%00b HTTP/1.1\nHost: a\nConnection: close\n\n", 422),
        ("GET /files/a%00b HTTP/1.1\nHost: a\nConnection: close\n\n", 400),
        (
            "POST /oauth/token HTTP/1.1\nHost: a\nContent-Encoding: gzip\nContent-Length: 3\nConnection: close\n\nabc",
            415
        ),
    ]

    @Test func everyHeadGetsTheExpectedResponse() async throws {
        // The server waits for the rest of a refused body until a time limit ends the connection.
        let server = try await ServerProcess.start(environment: ["FEED_TIMEOUT": ""])
        for row in Self.rows {
            let bytes = Data(row.request.replacing("\n", with: "\r\n").utf8)
            let response = try RawHTTP.parse(try await RawHTTP.exchange(port: server.port, bytes))
            #expect(response.status == row.status, "\(row.request): \(response.status) \(response.text)")
            if response.status >= 400 { #expect(response.text.hasPrefix("{\"error\":"), "\(row.request)") }
        }
    }

    @Test func hostOfTheTargetAppearsInURLs() async throws {
        let server = try await ServerProcess.start()
        let request = "GET http://other.test/api/v1/instance HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let response = try RawHTTP.parse(try await RawHTTP.exchange(port: server.port, Data(request.utf8)))
        #expect(response.text.contains("\"uri\":\"other.test\""))
    }

    @Test func repeatedSlashesRedirectToThisServer() async throws {
        let server = try await ServerProcess.start()
        for path in ["//tags/books?max_id=1", "///tags/books?max_id=1"] {
            let response = try await RawHTTP.send(port: server.port, "GET", path)
            #expect(response.headers["location"] == "/tags/books?max_id=1")
        }
    }
}
