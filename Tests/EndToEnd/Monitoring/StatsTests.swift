import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedserver stats`.
@Suite(.hangLimit)
struct StatsTests {
    /// A line of `--json`.
    struct Stats: Decodable {
        let version: String
        let pid: Int32
        let engine: String
        let addresses: [String]
        let accounts: Int
        let statuses: Int
        let requests: Int
        let connections: Int
        let requests_per_second: Double
        let uptime_seconds: Int
        let database_bytes: Int
        let file_bytes: Int
        let memory_bytes: Int

        static func all(_ text: String) throws -> [Stats] {
            try text.split(separator: "\n").map { try JSONDecoder().decode(Stats.self, from: Data($0.utf8)) }
        }
    }

    /// Asks until a server has answered in time: on a busy machine, it may take longer than `stats` waits.
    static func answer(_ ask: () async throws -> Finished) async throws -> Finished {
        var done = try await ask()
        try await Wait.until("a server answers in time: \(done.error)") {
            if done.code != 0 { done = try await ask() }
            return done.code == 0
        }
        return done
    }

    /// The sockets of servers.
    private static func sockets(_ data: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: data + "/run")) ?? []
    }

    @Test func runningServerIsDescribed() async throws {
        let server = try await FileServer.start()
        try await server.store("a.txt", Data(repeating: 7, count: 1000))
        try await server.store("b.txt", Data(repeating: 7, count: 1000))
        for _ in 0..<5 { #expect(try await server.isAlive()) }
        let done = try await Self.answer { try await server.process.admin("stats", "--json") }
        let stats = try #require(try Stats.all(done.text).first)
        #expect(stats.pid == server.process.processID && stats.engine == "SQLite" && !stats.version.isEmpty)
        #expect(stats.addresses == [server.address] && stats.accounts == 3 && stats.statuses == 0)
        #expect(stats.requests >= 7 && stats.connections >= 0 && stats.requests_per_second >= 0)
        #expect(stats.file_bytes == 1000 && stats.database_bytes > 10_000 && stats.memory_bytes > 1_000_000)
        #expect(stats.uptime_seconds >= 0)
        let text = try await Self.answer { try await server.process.admin("stats") }.text
        for part in ["process \(stats.pid)", server.address, "requests/s", "3 accounts, 0 statuses", "SQLite"] {
            #expect(text.contains(part), "\(part): \(text)")
        }
        var status = stat()
        let sockets = Self.sockets(server.process.data)
        #expect(sockets.count == 1)
        #expect(lstat(server.process.data + "/run/" + sockets[0], &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFSOCK && status.st_mode & 0o777 == 0o600)
        #expect(stat(server.process.data + "/run", &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(try await server.process.stop() == 0)
        #expect(Self.sockets(server.process.data).isEmpty, "the socket has been removed")
    }

    @Test func withoutAServerThereIsAHint() async throws {
        let folder = try TemporaryFolder()
        for data in [folder.path + "/none", folder.path] {
            let done = try await Tool.run(Programs.feedserver, ["stats", "--data", data])
            #expect(done.code == 1 && done.text.isEmpty)
            #expect(done.error.hasPrefix("error: no server is running on \(data)\nhint: "), "\(done.error)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func socketOfACrashedServerIsRemoved() async throws {
        let server = try await ServerProcess.start()
        try await server.stop(SIGKILL)
        #expect(Self.sockets(server.data).count == 1)
        let done = try await server.admin("stats")
        #expect(done.code == 1 && done.error.contains("no server is running"), "\(done.error)")
        #expect(Self.sockets(server.data).isEmpty)
        // A failed connection does not remain either.
        let second = try await ServerProcess.start(folder: server.folder)
        try await second.stop(SIGKILL)
        let third = try await ServerProcess.start(folder: server.folder)
        #expect(Self.sockets(server.data).count == 1)
        _ = try await Self.answer { try await third.admin("stats") }
    }

    /// Not even when its queue of connections is full.
    @Test func serverThatDoesNotAnswerIsSkipped() async throws {
        let server = try await ServerProcess.start()
        let name = try #require(Self.sockets(server.data).first)
        let arguments = ["stats", "--data", server.data]
        kill(server.processID, SIGSTOP)
        defer { kill(server.processID, SIGCONT) }
        let ask = { try await Tool.run(Programs.feedserver, arguments, environment: ["FEED_TIMEOUT": ""]) }
        let silent = try await ask()
        #expect(silent.code == 1 && silent.error.contains("no server is running"), "\(silent.error)")
        var held: [Int32] = []
        defer { for descriptor in held { close(descriptor) } }
        while let descriptor = try? Sockets.connect(unix: server.data + "/run/" + name, isBlocking: false) {
            held.append(descriptor)
        }
        #expect(!held.isEmpty)
        let full = try await ask()
        #expect(full.code == 1 && full.error.contains("no server is running"), "\(full.error)")
        #expect(Self.sockets(server.data) == [name])
    }

    /// The path of a socket has at most 107 bytes, that of a folder many more.
    @Test func longPathsWork() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/" + (0..<4).map { _ in String(repeating: "d", count: 60) }.joined(separator: "/")
        let output = try folder.file("out", "")
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: Programs.feedserver)
        process.arguments = ["serve", "--data", data, "--port", "0"]
        process.standardInput = .nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = .nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        try await Wait.until("the server listens") {
            (try? String(contentsOfFile: output, encoding: .utf8))?.hasSuffix("\n") == true
        }
        let done = try await Self.answer {
            try await Tool.run(Programs.feedserver, ["stats", "--json", "--data", data])
        }
        #expect(try Stats.all(done.text).map(\.pid) == [process.processIdentifier])
        process.terminate()
        try await Wait.until("the server has exited") { !process.isRunning }
        #expect(Self.sockets(data).isEmpty)
    }
}
