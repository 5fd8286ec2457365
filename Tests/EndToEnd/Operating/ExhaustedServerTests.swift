import FeedTestSupport
import Foundation
import Testing

/// Servers whose connections or file descriptors are used up.
@Suite(.generousTimeLimit)
struct ExhaustedServerTests {
    /// With 256 open files, the server has 64 connections, of which one address gets 16.
    @Test func oneAddressLeavesConnectionsToOthers() async throws {
        let server = try await ServerProcess.start(openFiles: 256)
        let greedy = try HeldConnections(60, port: server.port)
        try await Wait.until("the log names the address") {
            server.log.contains("refusing connections: too many connections from one address")
        }
        for _ in 0..<20 {
            #expect(try await RawHTTP.send(port: server.port, "GET", "/health", from: "127.0.0.2").status == 200)
        }
        let refused = try await RawHTTP.exchange(
            port: server.port, Data("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
        #expect(refused.isEmpty || refused.starts(with: Data("HTTP/1.1 503 ".utf8)))
        let others = try (2...8).map { try HeldConnections(16, port: server.port, from: "127.0.0.\($0)") }
        try await Wait.until("a refusal") {
            // While all places for refusals are taken, connections are closed without a response.
            let bytes = try? await RawHTTP.exchange(
                port: server.port, Data("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".utf8), from: "127.0.0.9")
            guard let bytes, let response = try? RawHTTP.parse(bytes) else { return false }
            #expect(response.status == 503 && response.headers["retry-after"] == "5", "\(response.text)")
            return response.text.contains("The server is busy")
        }
        let lines = server.log.split(separator: "\n").filter { $0.contains("refusing connections") }
        #expect(lines.count < 10 && lines.first?.contains("from=127.0.0.1") == true, "\(lines)")
        withExtendedLifetime(greedy) {}
        withExtendedLifetime(others) {}
    }

    /// The descriptors run out below the limit of connections. The listener survives, does not use up a core, and accepts
    /// again when descriptors are released.
    @Test(.enabled(if: Tool.isInstalled("prlimit"), "apt install util-linux"))
    func serverSurvivesWithoutDescriptors() async throws {
        let server = try await ServerProcess.start()
        let early = try HeldConnections(1, port: server.port)
        let request = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(try early.ask(request, until: "OK").hasPrefix("HTTP/1.1 200"))
        let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.processID)/fd").count
        let limited = try await Tool.run("prlimit", ["--pid", "\(server.processID)", "--nofile=\(used + 20)"])
        try #require(limited.code == 0, "\(limited.error)")
        var held: HeldConnections? = try HeldConnections(100, port: server.port)
        try await Wait.until("the log reports it") { server.log.contains("cannot accept connections") }
        let before = try Self.ticks(server.processID)
        // The figure is bounded by the time: a busy loop would use up to 200 ticks.
        try await Task.sleep(for: .seconds(2))
        let busy = try Self.ticks(server.processID) - before
        #expect(busy < 100, "\(busy) ticks")
        #expect(try early.ask(request, until: "OK").hasPrefix("HTTP/1.1 200"))
        #expect(server.log.components(separatedBy: "cannot accept connections").count < 5)
        held = nil
        #expect(held == nil)
        try await Wait.until("connections are accepted again") {
            (try? await RawHTTP.send(port: server.port, "GET", "/health").status) == 200
        }
        #expect(try await server.stop() == 0)
    }

    /// The processor time of a process in hundredths of a second.
    private static func ticks(_ process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The name in parentheses may contain spaces.
        let fields = try #require(text.components(separatedBy: ") ").last).split(separator: " ")
        return try #require(Int(fields[11])) + (try #require(Int(fields[12])))
    }
}
