import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The first steps of an operator.
@Suite(.hangLimit)
struct FirstStepTests {
    @Test func anEmptyFeedSaysHowToAddTheFirstAccount() async throws {
        let server = try await ServerProcess.start()
        try await Wait.until("the hint appears") {
            server.log.contains("feedserver account add NAME --role admin --data \(server.data)")
        }
        try await server.addAccount("ada")
        try await server.stop()
        let again = try await ServerProcess.start(folder: server.folder)
        #expect(!again.log.contains("has no accounts yet"))
    }

    @Test(arguments: [("", "is empty"), ("seven77", "is too short")])
    func shortPasswordsAreRefused(password: String, problem: String) async throws {
        let folder = try TemporaryFolder()
        for command in [["account", "add", "ada"], ["account", "password", "bob"]] {
            if command[1] == "password" {
                let added = try await Tool.run(
                    Programs.feedserver, ["account", "add", "bob", "--password-stdin", "--data", folder.path],
                    input: Data("long enough\n".utf8))
                #expect(added.code == 0, "\(added.error)")
            }
            let done = try await Tool.run(
                Programs.feedserver, command + ["--password-stdin", "--data", folder.path],
                input: Data((password + "\n").utf8))
            #expect(
                done.code == 1 && done.error.contains(problem) && done.error.contains("at least 8"), "\(done.error)")
        }
    }

    @Test func aRoleChangesWhileTheServerRuns() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let token = try await server.admin("token", "create", "ada", "--scopes", "read write admin:read")
        let header = "Authorization: Bearer " + token.text.trimmingCharacters(in: .newlines)
        func status() async throws -> Int {
            try await RawHTTP.send(port: server.port, "GET", "/api/v1/admin/accounts", headers: [header]).status
        }
        #expect(try await status() == 403)
        let done = try await server.admin("account", "role", "ADA", "admin")
        #expect(done.code == 0 && done.error.contains("now an administrator"), "\(done.error)")
        try await Wait.until("ada may see all accounts") { try await status() == 200 }
        #expect(try await server.admin("account", "role", "ada", "admin").error.contains("already an administrator"))
        for refused in [
            try await server.admin("account", "role", "ada", "member"),
            try await server.admin("account", "suspend", "ada"),
            try await server.admin("account", "remove", "ada", "--yes"),
        ] {
            #expect(refused.code == 1 && refused.error.contains("ada is the only administrator"), "\(refused.error)")
        }
        try await server.addAccount("bob")
        #expect(try await server.admin("account", "role", "bob", "admin").code == 0)
        #expect(try await server.admin("account", "suspend", "ada").code == 0)
        #expect(try await server.admin("account", "unsuspend", "ada").code == 0)
        #expect(try await server.admin("account", "role", "ada", "member").error.contains("now a member"))
        try await Wait.until("ada may not any more") { try await status() == 403 }
        #expect(try await server.admin("account", "role", "ada", "king").code == 64)
        #expect(try await server.admin("account", "role", "nobody", "admin").code == 1)
    }

    /// The public timeline of the demo shows what the server can do.
    @Test func theDemoHasPhotosAPollAThreadBoostsAndFavourites() async throws {
        let server = try await ServerProcess.start(["--demo"])
        let page = try await RawHTTP.send(port: server.port, "GET", "/api/v1/timelines/public?limit=40").body
        let statuses = try #require(try JSONSerialization.jsonObject(with: page) as? [[String: Any]])
        let media = statuses.flatMap { $0["media_attachments"] as? [[String: Any]] ?? [] }
        #expect(media.count >= 4 && media.allSatisfy { ($0["description"] as? String)?.isEmpty == false })
        #expect(statuses.contains { ($0["poll"] as? [String: Any])?["votes_count"] as? Int ?? 0 > 10 })
        let ids = Set(statuses.compactMap { $0["id"] as? String })
        let continued = statuses.filter { status in
            let account = (status["account"] as? [String: Any])?["id"] as? String
            return ids.contains(status["in_reply_to_id"] as? String ?? "")
                && status["in_reply_to_account_id"] as? String == account
        }
        #expect(continued.count == 2)
        for count in ["reblogs_count", "favourites_count"] {
            #expect(statuses.count { ($0[count] as? Int ?? 0) > 0 } > 5, "\(count)")
        }
    }
}
