import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedclient lists` and `feedclient tags` against the real server.
@Suite(.hangLimit)
struct ListCommandTests {
    @Test func listsAreMadeReadAndDeleted() async throws {
        let server = try await ServerProcess.start()
        for name in ["ada", "bob", "cleo"] { try await server.addAccount(name) }
        let (ada, bob) = (try ClientHome(), try ClientHome())
        #expect(try await ada.run("lists", "--server", server.address).code == 4)
        _ = try await ada.login(server, "ada")
        _ = try await bob.login(server, "bob")
        _ = try await ada.run("follow", "@bob")
        let created = try await ada.run("lists", "create", "Good friends", "--replies", "none", "--exclusive")
        #expect(created.code == 0 && created.text.contains("Good friends (exclusive)"), "\(created.error)")
        #expect(try await ada.run("lists").text == created.text)
        let added = try await ada.run("lists", "add", "good friends", "@bob", "ada")
        #expect(added.text == "@bob, @ada added to Good friends\n", "\(added.error)")
        #expect(
            try await ada.run("lists", "show", "Good friends").text.split(separator: "\n").sorted() == ["@ada", "@bob"])
        #expect(try await bob.run("post", "for the list").code == 0)
        let read = try await ada.run("timeline", "list:Good friends")
        #expect(read.code == 0 && read.text.contains("for the list"), "\(read.error)")
        #expect(try await ada.run("timeline", "home").text.contains("for the list") == false)
        #expect(try await ada.run("timeline", "list:Good friends", "--offline").text.contains("for the list"))
        let stranger = try await ada.run("lists", "add", "Good friends", "@cleo")
        #expect(stranger.code == 3 && stranger.error.contains("feedclient follow"), "\(stranger.error)")
        let removed = try await ada.run("lists", "remove", "Good friends", "@bob")
        #expect(removed.text == "@bob removed from Good friends\n", "\(removed.error)")
        #expect(try await ada.run("lists", "delete", "Good friends").text == "deleted Good friends\n")
        let gone = try await ada.run("lists", "show", "Good friends")
        #expect(gone.code == 3 && gone.error.contains("feedclient lists"), "\(gone.error)")
        #expect(try await ada.run("lists").error.contains("no lists yet"))
        try await server.stop()
    }

    @Test func listsOfTheSameTitleAreToldApartByTheirIds() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let ada = try ClientHome()
        _ = try await ada.login(server, "ada")
        let first = try await ada.run("lists", "create", "twins")
        #expect(first.error.isEmpty)
        let second = try await ada.run("lists", "create", "twins")
        #expect(second.code == 0 && second.error.contains("several lists called \"twins\""), "\(second.error)")
        let id = try #require(first.text.split(separator: " ").first).description
        let ambiguous = try await ada.run("lists", "delete", "twins")
        #expect(ambiguous.code == 2 && ambiguous.error.contains(id), "\(ambiguous.error)")
        #expect(try await ada.run("lists", "delete", id).code == 0)
        #expect(try await ada.run("lists", "delete", "TWINS").code == 0)
        #expect(try await ada.run("lists", "create", "x", "--replies", "some").code == 2)
        try await server.stop()
    }

    @Test func hashtagsAreFollowed() async throws {
        let server = try await ServerProcess.start()
        for name in ["ada", "bob"] { try await server.addAccount(name) }
        let (ada, bob) = (try ClientHome(), try ClientHome())
        _ = try await ada.login(server, "ada")
        _ = try await bob.login(server, "bob")
        #expect(try await ada.run("tags").error.contains("no hashtags yet"))
        #expect(try await ada.run("tags", "follow", "#Kites").text == "following #kites\n")
        #expect(try await ada.run("tags", "list").text == "#kites\n")
        _ = try await bob.run("post", "look, #kites")
        #expect(try await ada.run("timeline").text.contains("look, #kites"))
        #expect(try await ada.run("tags", "unfollow", "kites").text == "no longer following #kites\n")
        #expect(try await ada.run("timeline").text.isEmpty)
        let wrong = try await ada.run("tags", "follow", "12")
        #expect(wrong.code == 2 && wrong.error.contains("is not a hashtag"), "\(wrong.error)")
        try await server.stop()
    }
}
