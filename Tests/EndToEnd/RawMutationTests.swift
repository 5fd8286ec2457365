import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Mutated requests, byte for byte against the real server: every one gets a response without a server error or a
/// closed connection, and the server keeps running.
@Suite(.hangLimit)
struct RawMutationTests {
    private static let requests: [String] = [
        "GET /api/v1/timelines/public?limit=20&max_id=113&since_id=1 HTTP/1.1\nHost: feed.test\n\n",
        "GET /api/v1/timelines/home?min_id=7 HTTP/1.1\nHost: feed.test\nAuthorization: Bearer TOKEN\n\n",
        "GET /@ada HTTP/1.1\nHost: feed.test\nAccept: text/html\nIf-None-Match: \"x\", W/\"y\"\n\n",
        "GET /files/a.txt HTTP/1.1\nHost: feed.test\nRange: bytes=0-4,-2,9-\nIf-Range: \"x\"\n\n",
        "POST /api/v1/statuses HTTP/1.1\nHost: feed.test\nAuthorization: Bearer TOKEN\n"
            + "Content-Type: application/json\nContent-Length: 41\n\n{\"status\":\"hi \\u00e9\",\"visibility\":\"direct\"}",
        "POST /api/v1/statuses HTTP/1.1\nHost: feed.test\nAuthorization: Bearer TOKEN\n"
            + "Content-Type: application/x-www-form-urlencoded\nTransfer-Encoding: chunked\n\n"
            + "a\nstatus=%20\n0\n\n",
        "POST /oauth/token HTTP/1.1\nHost: feed.test\nExpect: 100-continue\nContent-Length: 24\n\ngrant_type=x&client_id=yz",
        "GET http://feed.test:80/tags/books?any[]=a&none[]=b HTTP/1.1\nHost: x\n\n",
        "GET /api/v2/search?q=%40ada&type=accounts&offset=1 HTTP/1.0\n\n",
        "POST /ViewStatus.aspx HTTP/1.1\nHost: feed.test\nContent-Length: 28\n\nuserName=ada&password=secretsecret",
        "OPTIONS /api/v1/statuses HTTP/1.1\nHost: feed.test\nOrigin: http://x\nAccess-Control-Request-Method: PUT\n\n",
        "PUT /files/n.txt HTTP/1.1\nHost: feed.test\nAuthorization: Bearer TOKEN\nContent-Length: 3\n"
            + "Repr-Digest: sha-256=:AAAA:\n\nabc",
    ]
    private static let fragments =
        EdgeNumbers.texts + [
            "\r\n", "\n", "\r", " ", "%00", "%", "..", "//", "[]", "[0]", "&", "=", "\"", "{", "}", "[", "\u{0}", "é",
            "HTTP/1.1", "Host: ", "Content-Length: ", "Transfer-Encoding: ", "chunked", "bytes=", "Bearer ", "\\u0000",
        ]

    @Test func mutatedRequestsGetValidResponses() async throws {
        let server = try await FileServer.start()
        try await server.store("a.txt", Data("hello world".utf8))
        let seed = Soak.seed
        let failures = try await withThrowingTaskGroup(of: [String].self) { group in
            for worker in 0..<4 {
                group.addTask {
                    try await Wire.thread {
                        Self.work(server, Mutator(seed: seed &+ UInt64(worker), fragments: Self.fragments))
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(failures.isEmpty, "seed \(seed): \(failures.prefix(5))")
        #expect(try await RawHTTP.send(port: server.port, "GET", "/health").status == 200)
        #expect(try await server.process.stop() == 0)
    }

    private static func work(_ server: FileServer, _ start: Mutator) -> [String] {
        var mutator = start
        var failures: [String] = []
        for number in 0..<Soak.rounds(1000, soaking: 250_000) {
            let plain = mutator.one(of: requests).replacing("\n", with: "\r\n").replacing("TOKEN", with: server.ada)
            let request = Data(mutator.mutated(Array(plain.utf8)))
            do {
                let response = try exchange(server.port, request)
                guard response.starts(with: Data("HTTP/1.1 5".utf8)), !response.starts(with: Data("HTTP/1.1 501".utf8))
                else {
                    continue
                }
                failures.append("\(number): \(String(decoding: response.prefix(200), as: UTF8.self))")
            } catch {
                failures.append("\(number): \(error)")
            }
            failures[failures.count - 1] += " for " + String(decoding: request, as: UTF8.self).debugDescription
            if failures.count == 5 { break }
        }
        return failures
    }

    /// The start of the response. The rest of the request is never sent.
    private static func exchange(_ port: Int, _ request: Data) throws -> Data {
        let wire = try RawHTTP.connect(port: port)
        defer { close(wire) }
        _ = request.withUnsafeBytes { send(wire, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        shutdown(wire, Int32(SHUT_WR))
        var block = [UInt8](repeating: 0, count: 4096)
        let count = recv(wire, &block, block.count, 0)
        return Data(block.prefix(max(0, count)))
    }
}
