import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `favourite`, `boost`, `bookmark`, `pin`, `reply` and `edit` against the real server.
@Suite(.hangLimit)
struct StatusActionCommandTests {
    @Test(arguments: [
        ("favourite", "favourited"), ("boost", "reblogged"), ("bookmark", "bookmarked"), ("pin", "pinned"),
    ])
    func actionIsDoneAndUndone(command: String, member: String) async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let address = try await home.run("post", "hello").text.trimmingCharacters(in: .newlines)
        let id = try #require(address.split(separator: "/").last).description
        for _ in 0..<2 {
            let done = try await home.run(command, address)
            #expect(done.code == 0 && done.text.hasSuffix(" \(id)\n"), "\(done.text) \(done.error)")
        }
        #expect(try await home.run("show", id, "--json").object()[member] as? Bool == true)
        let undone = try await home.run(command, id, "--undo")
        #expect(
            undone.code == 0 && undone.text.contains(command == "pin" ? "unpinned" : "removed the \(command)"),
            "\(undone.error)")
        #expect(try await home.run("show", id, "--json").object()[member] as? Bool == false)
        let json = try await home.run(command, id, "--json").object()
        #expect(((json["reblog"] as? [String: Any]) ?? json)[member] as? Bool == true)
        #expect(try await home.run(command, "1111").code == 3)
        // A number without a terminal.
        #expect(try await home.run(command, "1").code == 2)
        #expect(try await home.run(command, "https://other.example/1").code == 2)
        #expect(try await ClientHome().run(command, id, "--server", people.server.address).code == 4)
    }

    @Test func americanSpellingIsAccepted() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let id = try await home.run("post", "hello").id()
        #expect(try await home.run("favorite", id).text == "favourited \(id)\n")
    }

    @Test func statusOfAnotherAccountCannotBePinned() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let id = try await people.homes[0].run("post", "hello").id()
        let done = try await people.homes[1].run("pin", id)
        #expect(done.code == 1 && done.error.contains("error: "), "\(done.error)")
    }

    @Test func replyMentionsEveryoneAndStaysPrivate() async throws {
        let people = try await ClientPeople.start("ada", "bob", "cleo")
        let (ada, bob) = (people.homes[0], people.homes[1])
        let id = try await ada.run("post", "@bob", "and", "@cleo", "--visibility", "direct", "--spoiler", "cw").id()
        let reply = try await bob.run("reply", id, "yes,", "@Cleo", "--json").object()
        #expect(reply["in_reply_to_id"] as? String == id && reply["visibility"] as? String == "direct")
        #expect(reply["spoiler_text"] as? String == "cw")
        let mentions = (reply["mentions"] as? [[String: Any]] ?? []).compactMap { $0["acct"] as? String }
        #expect(Set(mentions) == ["ada", "cleo"])
        let content = try #require(reply["content"] as? String)
        #expect(content.hasSuffix("</p>") && content.contains("yes,"), "\(content)")
        #expect(try await ada.run("notifications").text.contains("@bob mentioned you"))
        let open = try await bob.run("reply", id, "no", "--visibility", "unlisted", "--spoiler", "", "--json").object()
        #expect(open["visibility"] as? String == "unlisted" && open["spoiler_text"] as? String == "")
        let plain = try await ada.run("post", "nobody", "else", "--json").object()
        let own = try await ada.run("reply", try #require(plain["id"] as? String), "more", "--json").object()
        #expect((own["mentions"] as? [Any])?.isEmpty == true && own["visibility"] as? String == "public")
        #expect(try await bob.run("reply", "1111", "x").code == 3)
    }

    @Test func editReplacesOnlyTheText() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let home = people.homes[0]
        let picture = try home.folder.file("a.png")
        try SampleImages.png(20, 10).write(to: URL(fileURLWithPath: picture))
        let id = try await home.run(
            "post", "first", "--media", picture, "--alt", "an alt text", "--spoiler", "cw", "--visibility", "unlisted"
        ).id()
        let done = try await home.run("edit", id, "second", "text")
        #expect(try done.code == 0 && done.id() == id, "\(done.error)")
        let status = try await home.run("show", id, "--json").object()
        #expect((status["content"] as? String)?.contains("second text") == true && status["edited_at"] is String)
        #expect(status["spoiler_text"] as? String == "cw" && status["visibility"] as? String == "unlisted")
        let media = try #require(status["media_attachments"] as? [[String: Any]])
        #expect(media.map { $0["description"] as? String } == ["an alt text"])
        let clear = try await home.run("edit", id, "--spoiler", "", "--json").object()
        #expect(clear["spoiler_text"] as? String == "" && clear["sensitive"] as? Bool == false)
        #expect((clear["media_attachments"] as? [Any])?.count == 1)
        #expect((clear["content"] as? String)?.contains("second text") == true)
        #expect(try await home.run("edit", id, input: "from a pipe\n").code == 0)
        #expect(try await home.run("show", id).text.contains("from a pipe"))
        #expect(try await people.homes[1].run("edit", id, "x").code != 0)
        #expect(try await home.run("edit", "1111", "x").code == 3)
    }

    @Test func editKeepsThePollAndItsVotes() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        let id = try await ada.run("post", "which?", "--poll", "this", "--poll", "that").id()
        #expect(try await bob.run("poll", "vote", id, "1").code == 0)
        let edited = try await ada.run("edit", id, "which one?", "--json").object()
        let poll = try #require(edited["poll"] as? [String: Any])
        #expect(poll["votes_count"] as? Int == 1 && (poll["options"] as? [Any])?.count == 2)
    }
}
