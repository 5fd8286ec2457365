import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Moderation on the command line, while the server is running.
@Suite(.hangLimit)
struct ModerationCommandTests {
    @Test func suspensionHidesEverythingAndDeletesNothing() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let header = "Authorization: Bearer " + (try await server.token("ada"))
        _ = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses", headers: [header], body: Data("status=hello".utf8))
        _ = try await RawHTTP.send(
            port: server.port, "PUT", "/files/note.txt", headers: [header], body: Data("text".utf8))
        let pages = ["/@ada", "/files/note.txt", "/avatars/ada", "/api/v1/accounts/lookup?acct=ada"]
        func states() async throws -> [Int] {
            var found: [Int] = []
            for page in pages { found.append(try await RawHTTP.send(port: server.port, "GET", page).status) }
            let own = try await RawHTTP.send(
                port: server.port, "GET", "/api/v1/timelines/home", headers: [header])
            let seen = try await RawHTTP.send(port: server.port, "GET", "/api/v1/timelines/public")
            return found + [own.status, seen.text.contains("hello") ? 200 : 404]
        }
        #expect(try await states() == [200, 200, 200, 200, 200, 200])
        let suspended = try await server.admin("account", "suspend", "ADA")
        #expect(suspended.code == 0 && suspended.error.contains("ada is now suspended"), "\(suspended.error)")
        try await Wait.until("everything is hidden") { try await states() == [404, 404, 404, 404, 403, 404] }
        #expect(try await server.admin("account", "suspend", "ada").error.contains("already suspended"))
        #expect(try await server.admin("account", "list").text.contains("suspended"))
        let login = try await RawHTTP.send(
            port: server.port, "POST", "/ViewStatus.aspx", headers: ["Content-Type: application/x-www-form-urlencoded"],
            body: Data("userName=ada&password=secretsecret".utf8))
        #expect(login.status == 403 && login.text.contains("suspended the account"), "\(login.text)")
        let health = try await RawHTTP.send(port: server.port, "GET", "/health", headers: [header])
        #expect(health.status == 200, "open endpoints do not check the token")
        try await server.addAccount("bob")
        let taken = try await RawHTTP.send(
            port: server.port, "PUT", "/files/note.txt",
            headers: ["Authorization: Bearer " + (try await server.token("bob"))], body: Data("other".utf8))
        #expect(taken.status == 403, "the name still belongs to ada")
        #expect(try await server.admin("account", "unsuspend", "ada").error.contains("ada is no longer suspended"))
        try await Wait.until("everything is back") { try await states() == [200, 200, 200, 200, 200, 200] }
        try await server.stop()
    }

    @Test func silencedAccountIsShownToItsFollowersOnly() async throws {
        let server = try await ServerProcess.start()
        var tokens: [String: String] = [:]
        for name in ["ada", "bob", "cleo"] {
            try await server.addAccount(name)
            tokens[name] = "Authorization: Bearer " + (try await server.token(name))
        }
        func send(_ name: String?, _ method: String, _ path: String, _ body: String = "") async throws
            -> RawHTTP.Response
        {
            try await RawHTTP.send(
                port: server.port, method, path, headers: name.flatMap { tokens[$0] }.map { [$0] } ?? [],
                body: Data(body.utf8))
        }
        _ = try await send("ada", "POST", "/api/v1/statuses", "status=hello")
        let found = try await send(nil, "GET", "/api/v1/accounts/lookup?acct=ada").text
        let id = try #require(found.firstMatch(of: /"id":"(\d+)"/)).1
        #expect(try await send("bob", "POST", "/api/v1/accounts/\(id)/follow").status == 200)
        func seenBy() async throws -> [Bool] {
            var seen: [Bool] = []
            for name in ["ada", "bob", "cleo", nil] {
                seen.append(try await send(name, "GET", "/api/v1/timelines/public").text.contains("hello"))
            }
            return seen
        }
        #expect(try await seenBy() == [true, true, true, true])
        let silenced = try await server.admin("account", "silence", "ada")
        #expect(silenced.code == 0 && silenced.error.contains("ada is now silenced"), "\(silenced.error)")
        try await Wait.until("strangers no longer see it") { try await seenBy() == [true, true, false, false] }
        #expect(try await send(nil, "GET", "/@ada").text.contains("hello"), "the profile stays reachable")
        #expect(try await send(nil, "GET", "/api/v1/accounts/\(id)").text.contains("\"limited\":true"))
        #expect(try await server.admin("account", "list").text.contains("yes, silenced"))
        #expect(try await server.admin("account", "silence", "ada").error.contains("already silenced"))
        #expect(try await server.admin("account", "unsilence", "ada").error.contains("no longer silenced"))
        try await Wait.until("everybody sees it") { try await seenBy() == [true, true, true, true] }
        try await server.stop()
    }

    @Test func reportsAreListedAndResolved() async throws {
        let server = try await ServerProcess.start()
        for name in ["ada", "bob"] { try await server.addAccount(name) }
        #expect(try await server.admin("report", "list").text.isEmpty)
        let found = try await RawHTTP.send(port: server.port, "GET", "/api/v1/accounts/lookup?acct=ada").text
        let ada = try #require(found.firstMatch(of: /"id":"(\d+)"/)).1
        let reported = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/reports",
            headers: ["Authorization: Bearer " + (try await server.token("bob"))],
            body: Data("account_id=\(ada)&comment=rude%1B[2J&category=legal".utf8))
        #expect(reported.status == 200, "\(reported.text)")
        let id = String(try #require(reported.text.firstMatch(of: /"id":"(\d+)"/)).1)
        let listed = try await server.admin("report", "list").text
        #expect(listed.contains(id) && listed.contains("bob reports ada (legal)") && listed.contains("rude"))
        #expect(!listed.contains("\u{1B}"))
        #expect(try await server.admin("report", "list", "--json").text.contains("\"category\":\"legal\""))
        #expect(try await server.admin("report", "resolve", id).error.contains("resolved report \(id)"))
        #expect(try await server.admin("report", "resolve", id).error.contains("already been resolved"))
        #expect(try await server.admin("report", "list").text.isEmpty)
        #expect(try await server.admin("report", "list", "--all").text.contains("(legal, resolved)"))
        for id in ["7", "x\u{1B}", "99999999999999999999"] {
            let done = try await server.admin("report", "resolve", id)
            #expect(done.code == 1 && done.error.contains("no such report") && !done.error.contains("\u{1B}"))
        }
        try await server.stop()
    }

    @Test func removedStatusIsGone() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let header = "Authorization: Bearer " + (try await server.token("ada"))
        let posted = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses", headers: [header],
            body: Data("status=hello&visibility=private".utf8))
        let id = try #require(posted.text.firstMatch(of: /"id":"(\d+)"/)).1
        let removed = try await server.admin("status", "remove", String(id))
        #expect(removed.code == 0 && removed.error.contains("removed a status by ada"), "\(removed.error)")
        try await Wait.until("the status is gone") {
            try await RawHTTP.send(port: server.port, "GET", "/api/v1/statuses/\(id)", headers: [header]).status == 404
        }
        for id in [String(id), "0", "99999999999999999999", "x\u{1B}[2J"] {
            let done = try await server.admin("status", "remove", id)
            #expect(done.code != 0 && !done.error.contains("\u{1B}"), "\(done.error)")
        }
        let unknown = try await server.admin("status", "remove", "7")
        #expect(unknown.code == 1 && unknown.error.contains("no such status: 7") && unknown.error.contains("hint:"))
        for command in ["suspend", "unsuspend", "silence", "unsilence"] {
            let done = try await server.admin("account", command, "nobody")
            #expect(done.code == 1 && done.error.contains("no such account: nobody"), "\(done.error)")
        }
        try await server.stop()
    }
}
