import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Connections of old, careless or hostile clients.
@Suite(.hangLimit)
struct ConnectionTests {
    private static func exchange(_ server: ServerProcess, _ text: String) async throws -> String {
        String(
            decoding: try await RawHTTP.exchange(port: server.port, Data(text.replacing("\n", with: "\r\n").utf8)),
            as: UTF8.self)
    }

    @Test func pipelinedRequestsGetResponsesInOrder() async throws {
        let server = try await ServerProcess.start()
        let one = "GET /health HTTP/1.1\nHost: a\n\n"
        let responses = try await Self.exchange(
            server,
            one + "GET /badges/admin.png HTTP/1.1\nHost: a\nRange: bytes=0-0\n\n" + one
                + "GET /nope HTTP/1.1\nHost: a\nConnection: close\n\n")
        let codes = responses.matches(of: /HTTP\/1\.1 (\d+)/).map { String($0.1) }
        #expect(codes == ["200", "206", "200", "404"])
    }

    @Test func http10ClientGetsAResponseAndIsDisconnected() async throws {
        let server = try await ServerProcess.start()
        let response = try await Self.exchange(server, "GET /health HTTP/1.0\n\n")
        #expect(response.hasPrefix("HTTP/1.0 200") && response.hasSuffix("\r\n\r\nOK") && !response.contains("chunked"))
    }

    /// A response to HEAD has no body, even for errors: a client would take one for the next response.
    @Test func errorResponsesToHeadHaveNoBody() async throws {
        let server = try await ServerProcess.start()
        for path in ["/files/nope", "/nope", "/api/v1/statuses/1"] {
            let responses = try await Self.exchange(
                server,
                "HEAD \(path) HTTP/1.1\nHost: a\nAccept: text/html\n\n"
                    + "GET /health HTTP/1.1\nHost: a\nConnection: close\n\n")
            let second = try #require(responses.components(separatedBy: "\r\n\r\n").dropFirst().first)
            #expect(responses.hasPrefix("HTTP/1.1 404") && second.hasPrefix("HTTP/1.1 200"), "\(path)")
        }
    }

    /// The log fills a pipe: neither requests nor shutdown wait for a reader.
    @Test func unreadLogPipeDoesNotBlockTheServer() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/log"
        try #require(mkfifo(pipe, 0o600) == 0)
        // Opened for reading and writing, so that the server can open it too; it is never read.
        let reader = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let server = try await ServerProcess.start(environment: ["FEED_TIMEOUT": ""], logsTo: pipe)
        // Each request logs a line, and a pipe buffers 64 KB.
        for _ in 0..<1500 {
            #expect(try await RawHTTP.send(port: server.port, "GET", "/@nobody").status == 404)
        }
        #expect(try await server.stop() == 0)
    }

    @Test func logOnAFullDiskDoesNotAffectTheServer() async throws {
        let server = try await ServerProcess.start(environment: ["FEED_TIMEOUT": ""], logsTo: "/dev/full")
        for _ in 0..<3 { #expect(try await RawHTTP.send(port: server.port, "GET", "/health").status == 200) }
        #expect(try await server.stop() == 0)
    }

    static let malformed = [
        "GET / HTTP/1.1\nHost: a b\nConnection: close\n\n", "GET / HTTP/1.1\nHost: \nConnection: close\n\n",
        "GET /health HTTP/1.1\nHost: a\nX: a\u{7F}b\n\n", "GET /health HTTP/1.1\n\n",
        "GET /health HTTP/1.1\nHost: a\nHost: b\n\n",
        "GET / HTTP/1.1\nHost: a\nBad Header: x\n\n",
        "POST /ViewStatus.aspx HTTP/1.1\nHost: a\nContent-Length: 5\nTransfer-Encoding: chunked\n\n0\n\n",
        "POST /ViewStatus.aspx HTTP/1.1\nHost: a\nContent-Length: 5\nContent-Length: 6\n\nabcde",
        "POST /ViewStatus.aspx HTTP/1.1\nHost: a\nContent-Length: -5\n\n", "nonsense\n\n",
        "GET /health HTTP/1.1\nHost: a\n" + String(repeating: "X: y\n", count: 1001) + "\n",
        "GET /health HTTP/1.1\nHost: a\nX: " + String(repeating: "y", count: 100_000) + "\n\n",
        "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\nHost: a\n\n",
    ]

    @Test func malformedRequestGets400AndIsDisconnected() async throws {
        let server = try await ServerProcess.start(environment: ["FEED_TIMEOUT": ""])
        for request in Self.malformed {
            let response = try await Self.exchange(server, request)
            #expect(response.hasPrefix("HTTP/1.1 400 "), "\(request.prefix(60)): \(response.prefix(60))")
            #expect(response.components(separatedBy: "HTTP/1.1 ").count == 2)
        }
        #expect(try await RawHTTP.send(port: server.port, "GET", "/health").status == 200)
    }

    /// A client that sends a large body without `Expect` can still read why it was rejected.
    @Test func rejectionArrivesWhileTheBodyIsBeingSent() async throws {
        let server = try await ServerProcess.start()
        let body = Data(repeating: 7, count: 8 << 20)
        for _ in 0..<10 {
            let response = try await RawHTTP.send(port: server.port, "PUT", "/files/x.bin", body: body)
            #expect(
                response.status == 401 && response.headers["connection"] == "close"
                    && response.text.contains("\"error\""))
        }
    }

    /// Only the server's timeout ends this connection: the client neither continues nor disconnects.
    @Test func endlessHeadersTimeOut() async throws {
        let server = try await ServerProcess.start(environment: ["FEED_TIMEOUT": ""])
        let response = try await RawHTTP.exchange(
            port: server.port, Data("GET /health HTTP/1.1\r\nHost: a\r\nX: ".utf8))
        #expect(response.isEmpty)
        #expect(try await RawHTTP.send(port: server.port, "GET", "/health").status == 200)
    }

    @Test func passwordsAndTokensAreNotLogged() async throws {
        let server = try await ServerProcess.start(["--log-level", "trace"])
        try await server.addAccount("ada", password: "pa55word")
        let token = try await server.token("ada")
        _ = try await RawHTTP.send(port: server.port, "GET", "/ViewStatus.aspx?userName=ada&password=pa55word")
        _ = try await RawHTTP.send(port: server.port, "GET", "/x%0a%1b[31m?access_token=\(token)")
        _ = try await RawHTTP.send(port: server.port, "GET", "/files/a", headers: ["Authorization: Bearer \(token)"])
        try await server.stop()
        let log = server.log
        #expect(!log.contains("pa55word") && !log.contains(token) && !log.contains("\u{1B}"))
    }
}
