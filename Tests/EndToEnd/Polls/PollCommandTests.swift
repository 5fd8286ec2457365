import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedclient post --poll` and `feedclient poll vote`.
@Suite(.hangLimit)
struct PollCommandTests {
    private static func entity(_ done: Finished) throws -> [String: Any] {
        let entity = try? JSONSerialization.jsonObject(with: done.output) as? [String: Any]
        return try #require(entity, "\(done.code) \(done.text) \(done.error)")
    }

    private static func people(_ server: ServerProcess) async throws -> (ada: ClientHome, bob: ClientHome) {
        let homes = (try ClientHome(), try ClientHome())
        for (name, home) in [("ada", homes.0), ("bob", homes.1)] {
            try await server.addAccount(name)
            _ = try await home.login(server, name)
        }
        return homes
    }

    @Test func pollIsPostedAndVotedIn() async throws {
        let server = try await ServerProcess.start()
        let (ada, bob) = try await Self.people(server)
        let posted = try await ada.run(
            "post", "which?", "--poll", "cats", "--poll", "-5 dogs", "--poll-expires", "1d 12h", "--poll-multiple",
            "--json")
        let status = try Self.entity(posted)
        let id = try #require(status["id"] as? String)
        let poll = try #require(status["poll"] as? [String: Any])
        #expect(poll["multiple"] as? Bool == true)
        let shown = try await bob.run("show", id).text
        #expect(shown.contains("[1] cats") && shown.contains("[2] -5 dogs") && shown.contains("0 votes"))
        let voted = try await bob.run("poll", "vote", id, "2", "1")
        #expect(voted.code == 0 && voted.text.contains("[2] -5 dogs ✓") && voted.text.contains("100% (1)"))
        let again = try await bob.run("poll", "vote", server.address + "/@ada/" + id, "2")
        #expect(again.code == 1 && again.error.contains("already voted"), "\(again.code) \(again.error)")
        #expect(try await ada.run("poll", "vote", id, "1").error.contains("own polls"))
        for number in ["0", "3"] { #expect(try await bob.run("poll", "vote", id, number).code == 2) }
        #expect(try await bob.run("poll", "vote", "1111", "1").code == 3)
        let plain = try Self.entity(try await ada.run("post", "no poll", "--json"))
        #expect(try await bob.run("poll", "vote", try #require(plain["id"] as? String), "1").code == 3)
        try await server.stop()
    }

    @Test func voteIsPrintedAsJSON() async throws {
        let server = try await ServerProcess.start()
        let (ada, bob) = try await Self.people(server)
        // As toot's users would type it.
        let status = try Self.entity(
            try await ada.run(
                "post", "which?", "--poll-option", "a", "--poll-option", "b", "--poll-expires-in", "300 seconds",
                "--poll-hide-totals", "--json"))
        let id = try #require(status["id"] as? String)
        let poll = try Self.entity(try await bob.run("poll", "vote", id, "1", "--json"))
        #expect(poll["id"] as? String == id && poll["own_votes"] as? [Int] == [0] && poll["voters_count"] as? Int == 1)
        let shown = try await bob.run("show", id).text
        #expect(shown.contains("[1] a ✓") && shown.contains("1 vote") && !shown.contains("%"))
        try await server.stop()
    }

    @Test(arguments: [
        ["--poll", "one"], ["--poll-multiple"], ["--poll-expires", "1d"],
        ["--poll", "a", "--poll", "b", "--poll-expires", "soon"],
        ["--poll", "a", "--poll", "b", "--media", "x.png"],
    ])
    func usageErrorsAreReportedBeforeARequest(options: [String]) async throws {
        let home = try ClientHome()
        let done = try await Tool.run(
            Programs.feedclient, ["post", "text"] + options, environment: home.environment, folder: home.folder.path)
        #expect(done.code == 2, "\(done.code) \(done.error)")
    }

    @Test func serversReasonForRefusingAPollIsShown() async throws {
        let server = try await ServerProcess.start()
        let (ada, _) = try await Self.people(server)
        let done = try await ada.run("post", "which?", "--poll", "a", "--poll", "b", "--poll-expires", "10s")
        #expect(
            done.code == 1 && done.error.contains("too soon\nhint: A poll has to be open for at least 5 minutes"),
            "\(done.code) \(done.error)")
        try await server.stop()
    }
}
