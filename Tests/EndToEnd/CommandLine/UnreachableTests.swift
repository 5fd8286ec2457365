import FeedTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

/// A request to an unreachable server is sent only once, and the message explains the reason.
@Suite(.hangLimit)
struct UnreachableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let words: String

        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let refused = "http://127.0.0.1:1"

    private static let rows = [
        Row(arguments: ["ping", "--server", refused], words: "Cannot connect to \(refused): connection refused\n"),
        Row(arguments: ["ping", "--server", "localhost:1"], words: ":1: connection refused"),
        Row(
            arguments: ["timeline", "public", "--server", refused],
            words: "Cannot connect to \(refused): connection refused\n"),
        Row(
            arguments: ["user", "@ada", "--server", refused],
            words: "Cannot connect to \(refused): connection refused\n"),
        Row(arguments: ["download", refused + "/x.bin"], words: "Cannot connect to \(refused): connection refused\n"),
        Row(
            arguments: ["ping", "--server", "http://nowhere.invalid"],
            words: "Cannot connect to http://nowhere.invalid: no such host\n"),
        Row(
            arguments: ["download", "http://nowhere.invalid/x.bin"],
            words: "Cannot connect to http://nowhere.invalid: no such host\n"),
    ]

    @Test(arguments: rows) func unreachableServerIsContactedOnce(row: Row) async throws {
        let home = try ClientHome()
        let done = try await Tool.run(
            Programs.feedclient, row.arguments + ["--verbose"], environment: home.environment, folder: home.folder.path)
        #expect(done.code == 5 && done.error.contains(row.words), "\(done.error)")
        #expect(Self.requests(done) == 1, "\(done.error)")
    }

    @Test(arguments: ["ping", "download"]) func tlsToAServerWithoutItIsAttemptedOnce(command: String) async throws {
        let server = try PlainServer()
        defer { server.stop() }
        let address = "https://127.0.0.1:\(server.port)"
        let home = try ClientHome()
        let done =
            command == "ping"
            ? try await home.run("ping", "--server", address) : try await home.run("download", address + "/x.bin")
        #expect(done.code == 5 && done.error.contains("it does not support TLS"), "\(done.error)")
        #expect(!done.error.contains("NIOSSL"))
        #expect(server.connections == 1)
    }

    @Test func storedTimelineIsSuggested() async throws {
        let server = try await ServerProcess.start()
        let home = try ClientHome()
        let before = try await home.run("timeline", "--server", server.address)
        #expect(before.code == 0)
        try await server.stop()
        let after = try await home.run("timeline", "--server", server.address)
        #expect(after.code == 5 && after.error.contains("with --offline"), "\(after.error)")
        let never = try await home.run("timeline", "@ada", "--server", server.address)
        #expect(never.code == 5 && !never.error.contains("--offline"), "\(never.error)")
    }

    @Test func logoutSucceedsWhenTheServerIsGone() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        try await server.stop()
        let posted = try await home.run("post", "x", "-v")
        #expect(posted.code == 5 && Self.requests(posted) == 1)
        let done = try await home.run("logout", "-v")
        #expect(done.code == 0 && Self.requests(done) == 1 && done.error.contains(": connection refused"))
        #expect(try await home.run("accounts").text.isEmpty)
    }

    private static func requests(_ done: Finished) -> Int {
        done.error.split(separator: "\n").filter { $0.hasPrefix("> ") }.count
    }
}

/// Responds to every connection as a server without TLS does, and counts the connections.
private final class PlainServer: Sendable {
    let port: Int
    private let listener: Int32
    private let count = Atomic(0)

    var connections: Int { count.load(ordering: .relaxed) }

    init() throws {
        listener = try Sockets.listen()
        port = try Sockets.port(of: listener)
        Thread.detachNewThread { self.turnAll() }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func turnAll() {
        while let connection = Sockets.accept(listener) {
            count.add(1, ordering: .relaxed)
            var hello = [UInt8](repeating: 0, count: 4096)
            _ = recv(connection.descriptor, &hello, hello.count, 0)
            _ = connection.send(Data("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8))
            connection.close()
        }
        close(listener)
    }
}
