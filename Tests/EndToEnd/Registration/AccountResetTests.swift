import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedserver account reset`, and what the operator's pages show of a running server.
@Suite(.hangLimit)
struct AccountResetTests {
    private static let form = ["Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin"]

    private static func post(
        _ path: String, _ fields: [String: String], headers: [String] = [], _ server: ServerProcess
    ) async throws -> RawHTTP.Response {
        try await RawHTTP.send(
            port: server.port, "POST", path, headers: form + headers, body: Data(HTMLForm.encoded(fields).utf8))
    }

    /// The cookie of a session; `nil` if the login is refused.
    private static func logIn(_ name: String, _ password: String, _ server: ServerProcess) async throws -> String? {
        let response = try await post("/login", ["username": name, "password": password], server)
        return response.headers["set-cookie"].map { "Cookie: " + $0.prefix { $0 != ";" } }
    }

    @Test func printedLinkSetsAPasswordOnce() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let made = try await server.admin("account", "reset", "ADA", "--base-url", server.address)
        let address = made.text.trimmingCharacters(in: .newlines)
        #expect(made.code == 0 && made.text == address + "\n" && address.hasPrefix(server.address + "/reset/"))
        #expect(made.error.hasPrefix("ada can set a new password once, until "), "\(made.error)")
        let path = String(address.dropFirst(server.address.count))
        let code = String(path.dropFirst("/reset/".count))
        #expect(try await RawHTTP.send(port: server.port, "GET", path).text.contains("New password"))
        #expect(try await Self.logIn("ada", "secretsecret", server) != nil)
        #expect(try await Self.post(path, ["password": "freshfresh"], server).status == 303)
        #expect(try await Self.post(path, ["password": "otherother"], server).status == 404)
        #expect(try await Self.logIn("ada", "secretsecret", server) == nil)
        #expect(try await Self.logIn("ada", "freshfresh", server) != nil)
        let short = try await server.admin("account", "reset", "ada")
        #expect(short.text.wholeMatch(of: /\/reset\/[A-Za-z0-9_-]{43}\n/) != nil, "\(short.text)")
        for (arguments, words, exit) in [
            (["nobody"], "no such account: nobody", 1), (["ada", "--base-url", "ftp://x"], "--base-url: ", 64),
        ] {
            let arguments = ["account", "reset"] + arguments + ["--data", server.data]
            let done = try await Tool.run(Programs.feedserver, arguments)
            #expect(done.code == exit && done.text.isEmpty && done.error.contains(words), "\(done.error)")
        }
        try await Wait.until("the use is logged") { server.log.contains("a password was set with a link") }
        try await server.stop()
        #expect(!server.log.contains(code) && server.log.contains("path=/reset/***"), "\(server.log)")
    }

    @Test func pagesShowTheRunningServer() async throws {
        let server = try await ServerProcess.start(["--registration", "invite"])
        try await server.addAccount("root", role: .admin)
        #expect(try await Self.logIn("mallory", "guessguess", server) == nil)
        let cookie = try #require(try await Self.logIn("root", "secretsecret", server))
        func page(_ path: String) async throws -> String {
            try await RawHTTP.send(port: server.port, "GET", path, headers: [cookie]).text
        }
        let overview = try await page("/admin")
        for part in ["<dt>server</dt>", "<dt>memory</dt>", "SQLite", "1 account, 0 statuses", server.address] {
            #expect(overview.contains(part), "\(part)")
        }
        let settings = try await page("/admin/settings")
        let shown = try await Tool.run(
            Programs.feedserver, ["serve", "--show-config", "--data", server.data, "--registration", "invite"])
        let keys = shown.text.matches(of: /"key":"([^"]+)"/).map { String($0.1) }
        #expect(keys.count > 50)
        for key in keys { #expect(settings.contains("<dt>\(key)</dt>"), "\(key)") }
        #expect(
            settings.contains(#"<dt>registration</dt><dd><span dir="auto">invite</span> <span class="badge">flag<"#))
        let logins = try await page("/admin/logins")
        #expect(logins.contains("mallory") && logins.contains("unknown name") && logins.contains("from 127.0.0.1"))
        let made = try await Self.post("/admin/invitations", ["uses": "1", "days": "1"], headers: [cookie], server)
        #expect(made.status == 303)
        try await Wait.until("the action is logged") {
            server.log.contains("an invitation was created") && server.log.contains("by=root")
        }
        try await server.stop()
    }
}
