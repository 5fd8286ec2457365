import FeedTestSupport
import Foundation
import TestKit
import Testing

/// SIGHUP.
@Suite(.hangLimit)
struct ReloadTests {
    /// The title of the instance, and the number of requests that are allowed.
    private static func state(of server: ServerProcess) async throws -> (title: String, rate: String) {
        let response = try await RawHTTP.send(port: server.port, "GET", "/api/v1/instance")
        let object = try JSONSerialization.jsonObject(with: response.body) as? [String: Any]
        return (object?["title"] as? String ?? "", response.headers["x-ratelimit-limit"] ?? "")
    }

    /// Replaces the file, sends SIGHUP and waits for a line of the log.
    private static func reload(
        _ server: ServerProcess, _ path: String, _ content: String, until words: String
    ) async throws {
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        let count = server.log.components(separatedBy: words).count
        kill(server.processID, SIGHUP)
        try await Wait.until("the log says \(words)") { server.log.components(separatedBy: words).count > count }
    }

    @Test func reloadChangesTheRunningServer() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("feed.json", #"{"title": "Before", "rateLimit": 1000}"#)
        let server = try await ServerProcess.start(["--config", path], enforcesRateLimits: true)
        #expect(try await Self.state(of: server) == ("Before", "1000"))
        let new = #"{"title": "After", "rateLimit": 2000, "openRegistration": true, "limits": {"statusCharacters": 7}}"#
        try await Self.reload(
            server, path, new,
            until: "reloaded the settings: changed openRegistration, rateLimit, title, limits.statusCharacters")
        #expect(try await Self.state(of: server) == ("After", "2000"))
        let instance = try await RawHTTP.send(port: server.port, "GET", "/api/v2/instance").text
        #expect(instance.contains(#""max_characters":7"#) && instance.contains(#""registrations":{"enabled":true"#))
        #expect(try await RawHTTP.send(port: server.port, "GET", "/").text.contains("<title>After</title>"))
        try await server.addAccount("ada")
        let token = try await server.token("ada")
        let refused = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses",
            headers: ["Authorization: Bearer " + token, "Content-Type: application/json"],
            body: Data(#"{"status":"12345678"}"#.utf8))
        #expect(refused.status == 422 && refused.text.contains("7 are allowed"), "\(refused.text)")
        try await Self.reload(server, path, new, until: "reloaded the settings: nothing has changed")
        #expect(try await server.stop() == 0)
    }

    @Test func settingsThatNeedARestartAreNamed() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("feed.json", "{}")
        let server = try await ServerProcess.start(["--config", path, "--log-level", "info"])
        let new = #"{"title": "After", "host": "127.0.0.2", "logFormat": "json", "logLevel": "error", "port": 1}"#
        // The options of the command line precede the file: the port and the level stay.
        let words = "reloaded the settings: changed title; restart the server to change host, logFormat"
        try await Self.reload(server, path, new, until: words)
        #expect(try await Self.state(of: server).title == "After")
        try await Self.reload(
            server, path, new, until: "nothing has changed; restart the server to change host, logFormat")
        try await Self.reload(server, path, "{}", until: "reloaded the settings: changed title\n")
        #expect(try await server.stop(SIGINT) == 0)
    }

    @Test func logLevelIsReloaded() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("feed.json", #"{"logLevel": "critical"}"#)
        let server = try await ServerProcess.start(["--config", path])
        // At the old level, this line would not be logged.
        try await Self.reload(server, path, #"{"logLevel": "notice"}"#, until: "changed logLevel")
        #expect(try await server.stop() == 0)
    }

    @Test func trustedProxiesAreReloaded() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("feed.json", "{}")
        let server = try await ServerProcess.start(["--config", path])
        let headers = ["X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: https"]
        func instance() async throws -> String {
            try await RawHTTP.send(port: server.port, "GET", "/api/v2/instance", headers: headers).text
        }
        #expect(try await instance().contains("http://127.0.0.1:"))
        try await Self.reload(server, path, #"{"trustedProxy": "127.0.0.1"}"#, until: "changed trustedProxy")
        #expect(try await instance().contains("https://127.0.0.1:"))
        #expect(try await server.stop() == 0)
    }

    @Test(arguments: [
        ("{\n\"title\": }", "line 2: expected a value, found \"}\""),
        ("{\"title\": \"After\", \"rateLimit\": 0}", "line 1: rateLimit: must be a whole number of at least 1"),
        ("{\"titel\": \"After\"}", "line 1: titel: unknown key; Did you mean title?"),
    ])
    func brokenFileChangesNothing(content: String, message: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("feed.json", #"{"title": "Before", "rateLimit": 1000}"#)
        let server = try await ServerProcess.start(["--config", path], enforcesRateLimits: true)
        let words = "cannot reload the settings; the old ones stay in force: \(path): \(message)"
        try await Self.reload(server, path, content, until: words)
        #expect(try await Self.state(of: server) == ("Before", "1000"))
        try FileManager.default.removeItem(atPath: path)
        kill(server.processID, SIGHUP)
        try await Wait.until("the log says so") { server.log.contains("cannot read the configuration file \(path)") }
        #expect(try await Self.state(of: server) == ("Before", "1000"))
        try await Self.reload(server, path, #"{"title": "After", "rateLimit": 5}"#, until: "changed rateLimit, title")
        #expect(try await Self.state(of: server) == ("After", "5"))
        #expect(try await server.stop() == 0)
    }

    @Test func reloadWithoutAFileChangesNothing() async throws {
        let server = try await ServerProcess.start()
        kill(server.processID, SIGHUP)
        try await Wait.until("the log says so") { server.log.contains("reloaded the settings: nothing has changed") }
        #expect(try await RawHTTP.send(port: server.port, "GET", "/health").status == 200)
        #expect(try await server.stop() == 0)
    }

    /// Filling the folder takes long enough.
    @Test func hangupDuringTheStartIsAppliedOnceTheServerIsReady() async throws {
        let folder = try TemporaryFolder()
        let (output, log) = (try folder.file("out", ""), try folder.file("log", ""))
        func text(_ path: String) -> String {
            String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
        }
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: Programs.feedserver)
        process.arguments = ["serve", "--demo", "--data", folder.path + "/data", "--port", "0"]
        process.standardInput = .nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try await Wait.until("the folder is being filled") { text(log).contains("with a demo feed") }
        kill(process.processIdentifier, SIGHUP)
        try await Wait.until("the server listens") { text(output).hasSuffix("\n") }
        try await Wait.until("the log says so") { text(log).contains("reloaded the settings: nothing has changed") }
        #expect(process.isRunning)
    }

    /// Otherwise a server that was started in a terminal would stay, invisible, when the terminal is closed.
    @Test func closedTerminalStopsTheServer() async throws {
        let folder = try TemporaryFolder()
        let output = try folder.file("out", "")
        var terminal: PseudoTerminal? = try PseudoTerminal()
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: Programs.feedserver)
        process.arguments = ["serve", "--data", folder.path + "/data", "--port", "0"]
        process.standardInput = .nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = terminal?.handle
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try await Wait.until("the server listens") {
            FileManager.default.contents(atPath: output)?.last == UInt8(ascii: "\n")
        }
        process.standardError = nil
        terminal = nil
        try await Wait.until("the server has exited") {
            // Again, because a process that another test is starting may keep the terminal open for a moment.
            kill(process.processIdentifier, SIGHUP)
            return !process.isRunning
        }
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        _ = terminal
    }
}
