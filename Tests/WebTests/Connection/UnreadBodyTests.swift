import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// Responses to requests whose body was not read.
@Suite(.hangLimit)
struct UnreadBodyTests {
    private static func head(_ target: String, length: Int, _ fields: [String] = []) -> String {
        (["POST \(target) HTTP/1.1", "Host: a", "Content-Length: \(length)"] + fields).joined(separator: "\r\n")
            + "\r\n\r\n"
    }

    private static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n" }

    /// A client that waits for `100 Continue` learns of the refusal before it sends the body.
    @Test(arguments: [["Expect: 100-continue"], []])
    func refusalDoesNotWaitForTheBody(fields: [String]) async throws {
        try await TestEndpoints.run { server in
            let connection = try RawConnection(port: server.port)
            try await connection.write(Self.head("/api/refuse", length: 1 << 30, fields))
            let responses = try await connection.responses()
            #expect(responses.map(\.status) == [413] && responses.first?.text == "too large")
            #expect(responses.first?.headers["connection"] == "close")
        }
    }

    /// Closing with unread bytes would reset the connection, and with it the response.
    @Test func clientThatSendsASmallBodyReadsTheRefusal() async throws {
        try await TestEndpoints.run { server in
            let connection = try RawConnection(port: server.port)
            let body = Data(repeating: 0x78, count: 900 * 1024)
            let request = Data(Self.head("/api/refuse", length: body.count).utf8) + body + Data(Self.get("/now?1").utf8)
            #expect(try await connection.write(request) == request.count)
            #expect(try await connection.responses().map(\.status) == [413])
        }
    }

    @Test func clientThatSendsALargeBodyIsCutOff() async throws {
        try await TestEndpoints.run { server in
            let connection = try RawConnection(port: server.port)
            let body = Data(repeating: 0x78, count: 64 << 20)
            let sent = try await connection.write(Data(Self.head("/api/refuse", length: body.count).utf8) + body)
            #expect(sent < body.count)
            try await server.awaitConnections(0)
            #expect(try await server.send("/now?1").text == "1")
        }
    }

    /// A success does not end the connection. The body is dropped, and the next request follows.
    @Test func connectionContinuesAfterASuccess() async throws {
        try await TestEndpoints.run { server in
            let connection = try RawConnection(port: server.port)
            let body = Self.get("/now?hidden") + String(repeating: "x", count: 50_000)
            try await connection.write(Self.head("/api/ignore", length: body.utf8.count) + body + Self.get("/now?1"))
            connection.finishSending()
            let responses = try await connection.responses()
            #expect(responses.map(\.text) == ["ignored", "1"])
            #expect(responses.first?.headers["connection"] == nil)
        }
    }

    /// The server cannot know whether a client that got no `100 Continue` will send the body.
    @Test func connectionEndsWhenABodyMayOrMayNotFollow() async throws {
        try await TestEndpoints.run { server in
            let connection = try RawConnection(port: server.port)
            try await connection.write(Self.head("/api/ignore", length: 10, ["Expect: 100-continue"]))
            let responses = try await connection.responses()
            #expect(responses.map(\.text) == ["ignored"] && responses.first?.headers["connection"] == "close")
        }
    }
}
