import FeedTestSupport
import Foundation
import TestKit
import Testing

@Suite(.hangLimit)
struct ServerShutdownTests {
    @Test func serverPrintsOneLineServesAndStops() async throws {
        let server = try await ServerProcess.start()
        let response = try await RawHTTP.send(port: server.port, "GET", "/health")
        #expect(response.status == 200 && response.text == "OK")
        #expect(try await server.stop() == 0)
        let output = try FileManager.default.contentsOfDirectory(atPath: server.folder.path).filter {
            $0.hasPrefix("out-")
        }
        let text = String(
            decoding: FileManager.default.contents(atPath: server.folder.path + "/" + output[0]) ?? Data(),
            as: UTF8.self)
        #expect(text == "listening on http://127.0.0.1:\(server.port)\n")
    }

    @Test func interruptStopsTheServerCleanly() async throws {
        let server = try await ServerProcess.start()
        #expect(try await server.stop(SIGINT) == 0)
    }

    /// An idle connection must not delay shutdown.
    @Test func idleConnectionDoesNotDelayShutdown() async throws {
        let server = try await ServerProcess.start()
        let idle = try RawHTTP.connect(port: server.port)
        defer { close(idle) }
        #expect(try await server.stop() == 0)
    }

    @Test func portInUseIsExplained() async throws {
        let server = try await ServerProcess.start()
        let other = try TemporaryFolder()
        let done = try await Tool.run(
            Programs.feedserver, ["serve", "--data", other.path + "/data", "--port", "\(server.port)"])
        #expect(done.code == 1)
        #expect(done.text.isEmpty)
        #expect(done.error.contains("is in use") && done.error.contains("hint: ") && done.error.contains("--port"))
    }

    @Test(arguments: ["/sys/feed", "/proc/feed", "/dev/null/feed"])
    func unwritableFolderIsExplained(folder: String) async throws {
        let done = try await Tool.run(Programs.feedserver, ["serve", "--data", folder, "--port", "0"])
        #expect(done.code == 1)
        #expect(done.error.contains("error: ") && done.error.contains("hint: ") && done.error.contains("--data"))
    }

    @Test func damagedOrNewerDatabaseIsExplainedAndNotModified() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        try await server.stop()
        let path = server.data + "/feed.sqlite"
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var damaged = whole
        damaged.replaceSubrange(4096..<12_288, with: Data(repeating: 0x5A, count: 8192))
        for (bytes, words) in [(Data(repeating: 0x41, count: 5000), "damaged"), (damaged, "damaged")] {
            try bytes.write(to: URL(fileURLWithPath: path))
            let done = try await Tool.run(Programs.feedserver, ["serve", "--data", server.data, "--port", "0"])
            #expect(done.code == 1 && done.error.contains(words) && done.error.contains("hint: "))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        }
        try whole.write(to: URL(fileURLWithPath: path))
        let again = try await ServerProcess.start(folder: server.folder)
        #expect(try await again.admin("account", "list").text.contains("ada"))
    }

    @Test(arguments: [
        ["serve", "--port", "x"], ["serve", "--port", "70000"], ["serve", "--nonsense"],
        ["serve", "--base-url", "nonsense"], ["serve", "--base-url", "https://feed.example/path"],
        ["nonsense"], ["account", "add"], ["serve", "--log-level", "loud"],
    ])
    func usageErrorExitsWith64(arguments: [String]) async throws {
        let done = try await Tool.run(Programs.feedserver, arguments)
        #expect(done.code == 64)
        #expect(done.text.isEmpty && !done.error.isEmpty)
    }

    @Test func environmentVariablesSetOptions() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(
            folder: folder, ["--log-format", "json"],
            environment: [
                "FEEDSERVER_BASE_URL": "https://feed.example/", "FEEDSERVER_LOG_FORMAT": "text",
                "FEEDSERVER_DEMO": "false",
            ])
        let response = try await RawHTTP.send(port: server.port, "GET", "/api/v1/instance")
        #expect(response.text.contains("\"uri\":\"feed.example\""))
        // The last line may not be complete yet.
        func found() -> Substring? {
            server.log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .last { $0.contains("instance") }
        }
        try await Wait.until("the request is logged") { found() != nil }
        let line = try #require(found())
        #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
        let wrong = try await Tool.run(
            Programs.feedserver, ["serve", "--data", folder.path], environment: ["FEEDSERVER_DEMO": "maybe"])
        #expect(wrong.code == 64)
    }

    @Test func demoIsCreatedOnce() async throws {
        let server = try await ServerProcess.start(["--demo"])
        #expect(server.log.contains("log in as demo with feed-demo"))
        let login = try await RawHTTP.send(
            port: server.port, "GET", "/ViewStatus.aspx?userName=demo&password=feed-demo")
        #expect(login.status == 200)
        let instance = try await RawHTTP.send(port: server.port, "GET", "/api/v1/instance")
        #expect(instance.text.contains("\"user_count\":60,\"status_count\":2130"))
        try await server.stop()
        let again = try await ServerProcess.start(folder: server.folder, ["--demo"])
        #expect(again.log.contains("log in as demo"))
        let same = try await RawHTTP.send(port: again.port, "GET", "/api/v1/instance")
        #expect(same.text.contains("\"user_count\":60,\"status_count\":2130"))
    }

    @Test func demoIsNotAddedToExistingData() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        try await server.stop()
        let again = try await ServerProcess.start(folder: server.folder, ["--demo"])
        #expect(!again.log.contains("log in as"))
        #expect(try await again.admin("account", "list", "--json").text.split(separator: "\n").count == 1)
    }
}
