import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Server and client together, as users run them.
@Suite(.hangLimit)
struct FeedTests {
    private static func client(_ server: ServerProcess, _ arguments: String...) async throws -> Finished {
        try await Tool.run(
            Programs.feedclient, arguments + ["--server", server.address],
            environment: ["COLUMNS": "80", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"])
    }

    @Test(.enabled(if: SharedData.path("statuses.ndjson") != nil, "the shared data set is not here"))
    func sharedDataSetIsImportedAndServed() async throws {
        let path = try #require(SharedData.path("statuses.ndjson"))
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        let first = try await Tool.run(Programs.feedserver, ["import", path, "--data", data])
        #expect(first.code == 0 && first.error.contains("240 accounts, 7131 follows, 12000 statuses"))
        let second = try await Tool.run(Programs.feedserver, ["import", path, "--data", data])
        #expect(
            second.code == 0
                && second.error.contains("0 accounts, 0 follows, 0 statuses; skipped 19371 existing records"))
        let server = try await ServerProcess.start(folder: folder)
        let shown = try await Self.client(server, "timeline", "public", "--limit", "5")
        #expect(shown.code == 0)
        for text in ["unicorns are gathering", "FORTRAN", "孔子谓季氏", "Grace 🌿", "Es gilt der Satz"] {
            #expect(shown.text.contains(text))
        }
        let long = try await Self.client(server, "timeline", "public", "--limit", "200", "--json")
        #expect(long.text.unicodeScalars.contains { (0x400...0x4FF).contains($0.value) })
        #expect(Set(long.text.split(separator: "\n")).count == 200)
        let page = try await RawHTTP.send(port: server.port, "GET", "/")
        #expect(page.text.contains("unicorns are gathering") && page.text.contains("?max_id="))
        _ = try await server.admin("account", "password", "ada", "--password-stdin", input: "secretsecret\n")
        let classic = try await RawHTTP.send(
            port: server.port, "POST", "/ViewStatus.aspx", body: Data("userName=ada&password=secretsecret".utf8))
        let object = try JSONSerialization.jsonObject(with: classic.body) as? [String: Any]
        #expect((object?["statuses"] as? [Any])?.count == 50)
    }

    @Test func tokenRevokedByAnotherProcessIsRejected() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let token = try await server.token("ada")
        let headers = ["Authorization: Bearer \(token)"]
        let path = "/api/v1/accounts/verify_credentials"
        #expect(try await RawHTTP.send(port: server.port, "GET", path, headers: headers).status == 200)
        let id = try #require(try await server.admin("token", "list", "ada").text.split(separator: " ").first)
        #expect(try await server.admin("token", "revoke", String(id)).code == 0)
        // The server notices another process's change a moment later.
        try await Wait.until("the token is refused") {
            try await RawHTTP.send(port: server.port, "GET", path, headers: headers).status == 401
        }

        let old = "/ViewStatus.aspx?userName=ada&password=secretsecret"
        #expect(try await RawHTTP.send(port: server.port, "GET", old).status == 200)
        _ = try await server.admin("account", "password", "ada", "--password-stdin", input: "freshfresh\n")
        try await Wait.until("the old password is refused") {
            try await RawHTTP.send(port: server.port, "GET", old).status == 401
        }
        try await server.stop()
        let log = server.log
        #expect(!log.contains("secret") && !log.contains(token))
    }

    @Test func pingReportsSuccessAndFailure() async throws {
        let server = try await ServerProcess.start()
        let there = try await Self.client(server, "ping")
        #expect(there.code == 0 && there.text.contains("responds in"))
        try await server.stop()
        let gone = try await Self.client(server, "ping")
        #expect(gone.code == 5 && gone.error.contains("error: ") && gone.error.contains("hint: "))
        #expect(try await Tool.run(Programs.feedclient, ["ping", "--server", "ftp://x"]).code == 2)
        #expect(try await Tool.run(Programs.feedclient, ["nonsense"]).code == 2)
        #expect(try await Tool.run(Programs.feedclient, ["timeline", "--limit", "0"]).code == 2)
        #expect(try await Tool.run(Programs.feedclient, ["--help"]).code == 0)
    }

    @Test(.enabled(if: Tool.isInstalled("curl"), "curl is not installed: apt-get install curl"))
    func curlPutsAndGetsFiles() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let token = try await server.token("ada")
        let source = try server.folder.file("source.bin")
        let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
        try content.write(to: URL(fileURLWithPath: source))
        let url = server.address + "/files/%E6%96%87%E4%BB%B6.bin"
        let auth = ["-sS", "-H", "Authorization: Bearer \(token)"]
        let put = try await Tool.run("curl", auth + ["-T", source, "-w", "%{http_code}", url])
        #expect(put.text == "201")
        let again = try await Tool.run(
            "curl", auth + ["-T", source, "-w", "%{http_code}", "-H", "If-None-Match: *", url])
        #expect(again.text.hasSuffix("412"))
        let got = try await Tool.run("curl", ["-sS", url])
        #expect(got.output == content)
        let part = try await Tool.run("curl", ["-sS", "-r", "-1000", url])
        #expect(part.output == content.suffix(1000))
        let anonymous = try await Tool.run("curl", ["-sS", "-T", source, "-w", "%{http_code}", url])
        #expect(anonymous.text.hasSuffix("401"))
        try await server.addAccount("eve")
        let eve = try await server.token("eve")
        let theft = try await Tool.run(
            "curl", ["-sS", "-H", "Authorization: Bearer \(eve)", "-T", source, "-w", "%{http_code}", url])
        #expect(theft.text.hasSuffix("403"))
    }

    @Test func accountsAreManagedFromTheCommandLine() async throws {
        let folder = try TemporaryFolder()
        let data = ["--data", folder.path + "/data"]
        func run(_ arguments: [String], _ input: String = "") async throws -> Finished {
            try await Tool.run(Programs.feedserver, arguments + data, input: Data(input.utf8))
        }
        #expect(try await run(["account", "add", "ada"]).error.contains("--password-stdin"))
        #expect(try await run(["account", "add", "a b", "--password-stdin"], "x\n").code == 1)
        #expect(
            try await run(
                ["account", "add", "ada", "--password-stdin", "--display-name", "A\u{1B}[31m\u{202E}da"],
                "secretsecret\n"
            ).code == 0)
        let twice = try await run(["account", "add", "ADA", "--password-stdin"], "secretsecret\n")
        #expect(twice.code == 1 && twice.error.contains("taken"))
        let list = try await run(["account", "list"])
        #expect(list.text.contains("ada") && !list.text.contains("\u{1B}") && !list.text.contains("\u{202E}"))
        #expect(try await run(["account", "show", "nobody"]).code == 1)
        #expect(try await run(["account", "show", "ada"]).text.contains("role"))
        #expect(try await run(["token", "create", "ada", "--scopes", "everything"]).code == 1)
        let token = try await run(["token", "create", "ada"])
        #expect(token.text.split(separator: "\n").count == 1 && token.error.isEmpty)
        #expect(try await run(["token", "revoke", "1"]).code == 1)
    }

    @Test func failedImportLeavesNothing() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("bad.ndjson", "{\"kind\":\"account\",\"username\":\"ada\"}\n{\"kind\":\"cat\"}\n")
        let data = ["--data", folder.path + "/data"]
        let done = try await Tool.run(Programs.feedserver, ["import", file] + data)
        #expect(done.code == 1 && done.error.contains("line 2") && done.error.contains("hint: "))
        #expect(try await Tool.run(Programs.feedserver, ["account", "list", "--json"] + data).text.isEmpty)
        let good = try folder.file("good.ndjson", "{\"kind\":\"account\",\"username\":\"ada\"}\n")
        #expect(
            try await Tool.run(Programs.feedserver, ["import", good, "--dry-run"] + data).error.contains(
                "would import 1 account, 0 follows"))
        #expect(try await Tool.run(Programs.feedserver, ["account", "list", "--json"] + data).text.isEmpty)
        #expect(try await Tool.run(Programs.feedserver, ["import", folder.path + "/none"] + data).code == 1)
    }
}
