import FeedCore
import FeedTestSupport
import FeedWeb
import Foundation
import TestKit
import Testing

/// Each response belongs to its own request, even if a client sends malformed or ambiguous bytes.
@Suite(.hangLimit)
struct DesynchronizationTests {
    /// Two accounts, whose requests take turns on a connection.
    struct People: Sendable {
        let port: Int
        let tokens: [String: String]

        func request(_ name: String, _ method: String = "GET", _ lines: [String] = [], body: String = "") -> String {
            let head = [
                "\(method) /api/v1/accounts/verify_credentials HTTP/1.1", "Host: feed.test",
                "Authorization: Bearer \(tokens[name] ?? "")",
            ]
            return (head + lines).joined(separator: "\r\n") + "\r\n\r\n" + body
        }

        func webSocket(_ lines: [String] = []) -> String {
            let head = [
                "GET /api/v1/streaming/public HTTP/1.1", "Host: feed.test", "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ]
            return (head + lines).joined(separator: "\r\n") + "\r\n\r\n"
        }

        /// The accounts that are answered, or the status of other responses, until the server closes the connection.
        func answers(to bytes: String) async throws -> [String] {
            var rest = try await RawHTTP.exchange(port: port, Data(bytes.utf8))
            var found: [String] = []
            while !rest.isEmpty {
                let response = try RawHTTP.parse(rest)
                let length = response.headers["content-length"].flatMap { Int($0) } ?? 0
                let head = rest.count - response.body.count
                let body = String(decoding: response.body.prefix(length), as: UTF8.self)
                found.append(tokens.keys.first { body.contains("\"username\":\"\($0)\"") } ?? String(response.status))
                rest = Data(rest.dropFirst(head + length))
            }
            return found
        }
    }

    private static func run(_ body: @escaping @Sendable (People) async throws -> Void) async throws {
        let test = try TestServices()
        let tokens = ["ada": try await test.account("ada").token, "bob": try await test.account("bob").token]
        try await LiveServer.run(ConnectionLimits(), test, test.services) { server in
            try await body(People(port: server.port, tokens: tokens))
        }
    }

    @Test func eachAnswerBelongsToItsRequest() async throws {
        try await Self.run { people in
            let last = people.request("bob", "GET", ["Connection: close"])
            let hidden = people.request("bob")
            let table: [(String, [String])] = [
                (people.request("ada") + last, ["ada", "bob"]),
                (
                    people.request("ada") + people.request("bob") + people.request("ada") + last,
                    ["ada", "bob", "ada", "bob"]
                ),
                // A request in the body of another one is only a body.
                (
                    people.request("ada", "GET", ["Content-Length: \(hidden.utf8.count)"], body: hidden) + last,
                    ["ada", "bob"]
                ),
                (
                    people.request(
                        "ada", "GET", ["Transfer-Encoding: chunked"],
                        body: String(hidden.utf8.count, radix: 16) + "\r\n\(hidden)\r\n0\r\n\r\n") + last,
                    ["ada", "bob"]
                ),
                // What the connection does after a request depends on that request.
                ("GET /nope HTTP/1.1\r\nHost: a\r\n\r\n" + people.request("ada") + last, ["404", "ada", "bob"]),
                ("GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + last, ["200"]),
                (people.request("ada", "GET", ["Connection: close"]) + last, ["ada"]),
                (people.request("ada", "GET", ["Upgrade: h2c", "Connection: upgrade"]) + last, ["ada"]),
                ("CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n" + last, ["400"]),
                ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + last, ["400"]),
                (people.request("ada") + "nonsense\r\n\r\n" + last, ["ada", "400"]),
                (
                    people.request("ada", "GET", ["Content-Length: 3", "Content-Length: 4"], body: "abc") + last,
                    ["400"]
                ),
                (
                    people.request(
                        "ada", "GET", ["Content-Length: 3", "Transfer-Encoding: chunked"], body: "0\r\n\r\n") + last,
                    ["400"]
                ),
                (people.request("ada", "GET", ["Content-Length: -1"]) + last, ["400"]),
                (people.request("ada", "GET", ["Transfer-Encoding: gzip"]) + last, ["501"]),
                (people.request("ada", "GET", ["Transfer-Encoding : chunked"]) + last, ["400"]),
                (people.request("ada", "GET", ["Host: other.test"]) + last, ["400"]),
                // A refused body is dropped, and nothing after it is interpreted.
                (people.request("ada", "POST", ["Content-Length: 9"], body: "012345678") + last, ["405"]),
                ("\r\n" + people.request("ada") + last, ["ada", "bob"]),
                // The rest of a body would be taken for frames.
                (people.webSocket(["Content-Length: 5"]) + last, ["400"]),
                // A request is answered only once, even if its body turns out to be malformed.
                ("GET /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + last, ["200"]),
                // Empty lines in a body are only bytes.
                (people.request("ada", "GET", ["Content-Length: 8"], body: "\r\n\r\n\r\n\r\n") + last, ["ada", "bob"]),
                (
                    people.request(
                        "ada", "GET", ["Transfer-Encoding: chunked"],
                        body: "4\r\n\r\n\r\n\r\n2\r\n\n\n\r\n0\r\nX: y\r\n\r\n") + last, ["ada", "bob"]
                ),
            ]
            for (bytes, expected) in table {
                let answers = try await people.answers(to: bytes)
                #expect(answers == expected, "\(bytes.debugDescription)")
            }
        }
    }

    @Test func randomRequestsNeverGetTheAnswerOfAnother() async throws {
        try await Self.run { people in
            var random = SplitMix64(seed: 4040)
            for _ in 0..<120 {
                var (bytes, expected): (String, [String]) = ("", [])
                for _ in 0..<Int.random(in: 1...40, using: &random) {
                    let name = Bool.random(using: &random) ? "ada" : "bob"
                    let other = people.request(name == "ada" ? "bob" : "ada")
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: bytes += people.request(name, "GET", ["Content-Length: \(other.utf8.count)"], body: other)
                    case 1:
                        let chunk = String(other.utf8.count, radix: 16) + "\r\n\(other)\r\n0\r\n\r\n"
                        bytes += people.request(name, "GET", ["Transfer-Encoding: chunked"], body: chunk)
                    default: bytes += people.request(name)
                    }
                    expected.append(name)
                }
                let ends = [
                    "", "x", "GET", "GET / HTTP/1.1\r\n", "\0", people.request("ada").replacing("GET", with: "G\u{1}T"),
                ]
                let end = ends.randomElement(using: &random) ?? ""
                let last = people.request("bob", "GET", ["Connection: close"])
                let isComplete = end.isEmpty
                let answers = try await people.answers(to: bytes + end + last)
                #expect(answers.starts(with: expected), "\(end.debugDescription)")
                #expect(isComplete ? answers.dropFirst(expected.count) == ["bob"] : answers.count <= expected.count + 2)
                if !isComplete { #expect(!answers.dropFirst(expected.count).contains("ada")) }
            }
        }
    }
}
