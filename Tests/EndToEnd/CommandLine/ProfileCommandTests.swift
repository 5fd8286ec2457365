import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedclient profile` and `search` against the real server.
@Suite(.hangLimit)
struct ProfileCommandTests {
    @Test func profileIsShownAndChanged() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let changed = try await home.run(
            "profile", "--set", "display_name=Ada L.", "--set", "note=one\ntwo", "--set",
            "field.Web=https://ada.example",
            "--set", "field.Town=London", "--set", "privacy=unlisted", "--set", "language=en")
        #expect(changed.code == 0, "\(changed.error)")
        let shown = try await home.run("profile").text
        #expect(
            shown == changed.text && shown.hasPrefix("Ada L. @ada\none\ntwo\nWeb: https://ada.example\nTown: London\n"))
        #expect(shown.contains("new posts: unlisted · language: en"))
        #expect(try await home.run("post", "hello", "--json").object()["visibility"] as? String == "unlisted")
        let json = try await home.run("profile", "--set", "field.web=", "--set", "note=", "--json").object()
        let source = try #require(json["source"] as? [String: Any])
        #expect((source["fields"] as? [[String: Any]])?.map { $0["name"] as? String } == ["Town"])
        #expect(source["note"] as? String == "" && json["display_name"] as? String == "Ada L.")
        #expect(try await home.run("profile", "--set", "field.Town=").text.contains("Town") == false)
        for change in ["nonsense=1", "locked", "bot=perhaps"] {
            let done = try await home.run("profile", "--set", change)
            #expect(done.code == 2 && done.error.contains("error: "), "\(done.error)")
        }
        let long = try await home.run("profile", "--set", "display_name=" + String(repeating: "x", count: 5000))
        #expect(long.code == 1 && long.error.contains("longer"), "\(long.error)")
        #expect(try await ClientHome().run("profile", "--server", people.server.address).code == 4)
    }

    @Test func picturesAreSetAndRemoved() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let generated = try await Self.avatar(people.server)
        let picture = SampleImages.png(48, 48)
        let path = try home.folder.file("me.png")
        try picture.write(to: URL(fileURLWithPath: path))
        let set = try await home.run("profile", "--set", "avatar=" + path, "--set", "header=me.png", "--set", "note=x")
        #expect(set.code == 0 && set.text.contains("\nx\n"), "\(set.error)")
        #expect(try await Self.avatar(people.server) == picture)
        #expect(try await home.run("profile", "--set", "avatar=").code == 0)
        #expect(try await Self.avatar(people.server) == generated)
        let missing = try await home.run("profile", "--set", "note=y", "--set", "avatar=missing.png")
        #expect(missing.code == 3 && missing.error.contains("missing.png"), "\(missing.error)")
        let text = try home.folder.file("text.png", "no picture")
        #expect(try await home.run("profile", "--set", "avatar=" + text, "--set", "note=y").code == 1)
        #expect(try await home.run("profile", "--set", "avatar=" + home.folder.path).code == 1)
        #expect(try await home.run("profile").text.contains("\nx\n"))
    }

    private static func avatar(_ server: ServerProcess) async throws -> Data {
        let response = try await RawHTTP.send(port: server.port, "GET", "/avatars/ada")
        try #require(response.status == 200)
        return response.body
    }

    @Test func accountsAndHashtagsAreFound() async throws {
        let people = try await ClientPeople.start("ada", "adam", "bob")
        let home = people.homes[0]
        #expect(try await home.run("post", "look,", "#adventure").code == 0)
        let found = try await home.run("search", "ad")
        #expect(found.code == 0 && found.error.isEmpty, "\(found.error)")
        #expect(found.text.contains("@ada\n") && found.text.contains("@adam\n") && found.text.contains("#adventure\n"))
        #expect(!found.text.contains("@bob"))
        let tags = try await home.run("search", "ad", "--kind", "hashtags", "--json").text.split(separator: "\n")
        #expect(tags.count == 1 && tags[0].contains(#""name":"adventure""#), "\(tags)")
        #expect(
            try await home.run("search", "ad", "--kind", "accounts", "-n", "1").text.split(separator: "\n").count == 1)
        let nothing = try await home.run("search", "two", "words")
        #expect(nothing.code == 0 && nothing.text.isEmpty && nothing.error.contains("nothing found"))
        #expect(try await home.run("search", "ad", "--kind", "files").code == 2)
        #expect(try await home.run("search", "ad", "--limit", "0").code == 2)
        let visitor = try await ClientHome().run("search", "ad", "--server", people.server.address)
        #expect(visitor.code == 0 && visitor.text.contains("@ada\n"), "\(visitor.error)")
    }
}
