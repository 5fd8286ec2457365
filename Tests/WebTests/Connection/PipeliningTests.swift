import FeedCore
import FeedTestSupport
import FeedWeb
import Foundation
import NIOCore
import TestKit
import Testing

/// Requests that are sent before the responses to earlier ones have arrived.
@Suite(.hangLimit)
struct PipeliningTests {
    private static func get(_ target: String, _ fields: String...) -> String {
        (["GET \(target) HTTP/1.1", "Host: a"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
    }

    private static let last = "Connection: close"

    /// One read may contain hundreds of heads. Meanwhile, the other connections of the event loop are served.
    @Test func thousandHeadsInOneWriteAreAnsweredInOrder() async throws {
        try await TestEndpoints.run { server in
            let connection = try RawConnection(port: server.port)
            let numbers = (0..<1000).map(String.init)
            try await connection.write(numbers.map { Self.get("/now?" + $0) }.joined())
            for _ in 0..<(2 * System.coreCount) {
                #expect(try await RawHTTP.send(port: server.port, "GET", "/now?other").text == "other")
            }
            try await connection.write(Self.get("/now?last", Self.last))
            let responses = try await connection.responses()
            #expect(responses.map(\.text) == numbers + ["last"])
            #expect(responses.dropLast().allSatisfy { $0.headers["connection"] == nil })
        }
    }

    /// Requests that need a task and those that do not take turns.
    @Test func answersFromMemoryDoNotOvertakeTasks() async throws {
        let gate = TaskGate()
        try await TestEndpoints.run(TestEndpoints.all(gate)) { server in
            let connection = try RawConnection(port: server.port)
            let targets = ["/now?0", "/held?1", "/now?2", "/now?3", "/held?4"]
            try await connection.write(targets.map { Self.get($0) }.joined() + Self.get("/now?5", Self.last))
            try await gate.awaitTasks(1)
            #expect(try await RawHTTP.send(port: server.port, "GET", "/now?other").text == "other")
            #expect(gate.begun == 1)
            gate.open()
            #expect(try await connection.responses().map(\.text) == (0...5).map(String.init))
        }
    }

    /// The client of a request behind another one waits for `100 Continue`, too.
    @Test func laterRequestMayExpectContinue() async throws {
        try await TestEndpoints.run { server in
            let connection = try RawConnection(port: server.port)
            let post = ["POST /api/echo HTTP/1.1", "Host: a", "Expect: 100-continue", "Content-Length: 5", Self.last]
            try await connection.write(Self.get("/now?first") + post.joined(separator: "\r\n") + "\r\n\r\n")
            let before = try await connection.read(until: "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(before.hasPrefix("HTTP/1.1 200") && before.contains("\r\n\r\nfirst"))
            try await connection.write("hello")
            #expect(try await connection.responses().map(\.text) == ["hello"])
        }
    }

    /// Whether a body is left, and what that means for the connection, depends on the request that is answered.
    @Test func refusalDoesNotCloseForTheRequestBehindIt() async throws {
        try await TestEndpoints.run { server in
            let connection = try RawConnection(port: server.port)
            let post = "POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
            try await connection.write(Self.get("/nope") + post + Self.get("/now?2", Self.last))
            let responses = try await connection.responses()
            #expect(responses.map(\.status) == [404, 200, 200])
            #expect(responses.dropFirst().map(\.text) == ["hello", "2"])
            #expect(responses.map { $0.headers["connection"] } == [nil, nil, "close"])
        }
    }

    private static let endings: [(name: String, bytes: String, answers: [Int])] = [
        ("1.1", get("/now?1"), [200, 200]), ("close", get("/now?1", last), [200]),
        ("1.0", "GET /now?1 HTTP/1.0\r\n\r\n", [200]),
        ("1.0 keep-alive", "GET /now?1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", [200]),
        ("upgrade", get("/now?1", "Connection: upgrade", "Upgrade: h2c"), [200]),
        ("CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", [400]),
        ("error", "GET /now?1 HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", [400]),
        ("no host", "GET /now?1 HTTP/1.1\r\n\r\n", [400]),
    ]

    /// Behind a request that the connection can answer, and in front of one.
    @Test(arguments: endings.indices)
    func nothingIsInterpretedAfterTheLastRequest(index: Int) async throws {
        let (name, bytes, answers) = Self.endings[index]
        try await TestEndpoints.run { server in
            let connection = try RawConnection(port: server.port)
            try await connection.write(Self.get("/now?0") + bytes + Self.get("/now?2", Self.last))
            let responses = try await connection.responses()
            #expect(responses.map(\.status) == [200] + answers, "\(name)")
            #expect(responses.map { $0.headers["connection"] == "close" }.filter { $0 }.count == 1, "\(name)")
            #expect(responses.last?.headers["connection"] == "close", "\(name)")
        }
    }
}
