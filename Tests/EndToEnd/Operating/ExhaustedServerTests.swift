import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Servers whose connections or file descriptors are used up.
@Suite(.hangLimit)
struct ExhaustedServerTests {
    private static let request = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
    /// The connections that a test holds do not time out, however long it takes.
    private static let patience = ["FEED_TIMEOUT": "\(Wait.seconds)"]

    /// With 256 open files, the server has 64 connections, of which one address gets 16.
    @Test func oneAddressLeavesConnectionsToOthers() async throws {
        let server = try await ServerProcess.start(environment: Self.patience, openFiles: 256)
        let greedy = try HeldConnections(60, port: server.port, sending: Data(Self.request.utf8))
        try await Wait.until("the log names the address") {
            server.log.contains("refusing connections: too many connections from one address")
        }
        let refused = try await RawHTTP.exchange(port: server.port, Data(Self.request.utf8))
        #expect(refused.isEmpty || refused.starts(with: Data("HTTP/1.1 503 ".utf8)))
        for _ in 0..<20 {
            #expect(try await RawHTTP.send(port: server.port, "GET", "/health", from: "127.0.0.2").status == 200)
        }
        let others = try (2...8).map {
            try HeldConnections(16, port: server.port, from: "127.0.0.\($0)", sending: Data(Self.request.utf8))
        }
        try await Wait.until("a refusal") {
            // While all places for refusals are taken, connections are closed without a response.
            let response = try? await RawHTTP.send(port: server.port, "GET", "/health", from: "127.0.0.9")
            guard let response, response.status == 503 else { return false }
            #expect(response.headers["retry-after"] == "5" && response.text.contains("The server is busy"))
            return true
        }
        let lines = server.log.split(separator: "\n").filter { $0.contains("refusing connections") }
        #expect(lines.count < 10 && lines.first?.contains("from=127.0.0.1") == true, "\(lines)")
        withExtendedLifetime(greedy) {}
        withExtendedLifetime(others) {}
    }

    /// A burst of clients finds room in the queue of the listener, as much as the system allows, while nobody accepts. In a
    /// shorter queue, connecting fails after two minutes.
    @Test func burstOfConnectionsFindsRoomInTheQueue() async throws {
        let server = try await ServerProcess.start()
        let text = try String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
        let allowed = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        kill(server.processID, SIGSTOP)
        defer { kill(server.processID, SIGCONT) }
        #expect(throws: Never.self) { _ = try HeldConnections(min(600, allowed), port: server.port) }
    }

    /// The descriptors run out below the limit of connections. The listener survives, does not use up a core, and accepts
    /// again when descriptors are released.
    @Test(.enabled(if: Tool.isInstalled("prlimit"), "apt install util-linux"))
    func serverSurvivesWithoutDescriptors() async throws {
        let server = try await ServerProcess.start(environment: Self.patience)
        let early = try HeldConnections(1, port: server.port)
        #expect(try early.ask(Self.request, until: "OK").hasPrefix("HTTP/1.1 200"))
        let idle = try await Self.ticksInTwoSeconds(server)
        let (used, sockets) = try Self.descriptors(server)
        let limited = try await Tool.run("prlimit", ["--pid", "\(server.processID)", "--nofile=\(used + 20)"])
        try #require(limited.code == 0, "\(limited.error)")
        var held: HeldConnections? = try HeldConnections(100, port: server.port)
        try await Wait.until("the log reports it") { server.log.contains("cannot accept connections") }
        try #require(kill(server.processID, 0) == 0, "the server has ended: \(server.log)")
        // The socket of `feedserver stats` is a listening socket, too.
        async let asked = server.admin("stats")
        // A busy loop uses up to 200 ticks, less on a busy machine, and never ends, unlike the work of refusing
        // connections and of answering `stats`.
        try await Wait.until("the processor is idle, as before with \(idle) ticks") {
            try await Self.ticksInTwoSeconds(server) < idle + 40
        }
        // Of the 20 descriptors, connections leave 16 to the process, less what is accepted at once. `stats` is asking.
        #expect(try Self.descriptors(server).sockets <= sockets + 9)
        #expect(try early.ask(Self.request, until: "OK").hasPrefix("HTTP/1.1 200"))
        #expect(server.log.components(separatedBy: "cannot accept connections").count < 5)
        held = nil
        _ = held
        _ = try await asked
        try await Wait.until("connections are accepted again") {
            (try? await RawHTTP.send(port: server.port, "GET", "/health").status) == 200
        }
        #expect(try await server.stop() == 0)
    }

    private static func descriptors(_ server: ServerProcess) throws -> (all: Int, sockets: Int) {
        let folder = "/proc/\(server.processID)/fd"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let sockets = names.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?.hasPrefix("socket:")
                == true
        }
        return (names.count, sockets.count)
    }

    /// The processor time that a process uses in two seconds, in hundredths of a second.
    private static func ticksInTwoSeconds(_ server: ServerProcess) async throws -> Int {
        let (before, start) = (try ticks(server.processID), ContinuousClock.now)
        try await Task.sleep(for: .seconds(2))
        try #require(kill(server.processID, 0) == 0, "the server has ended: \(server.log)")
        // On a busy machine, the test may have slept for longer.
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return Int(Double(try ticks(server.processID) - before) * 2 / seconds)
    }

    /// The processor time that a process has used, in hundredths of a second.
    private static func ticks(_ process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The name in parentheses may contain spaces.
        let fields = try #require(text.components(separatedBy: ") ").last).split(separator: " ")
        return try #require(Int(fields[11])) + (try #require(Int(fields[12])))
    }
}
