import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A day without a network: reading what was synchronized, and writing what is sent later.
@Suite(.hangLimit)
struct OfflineDayTests {
    @Test func everythingThatWasSynchronizedCanBeRead() async throws {
        let people = try await ClientPeople.start("ada", "bob", "cleo")
        let (ada, bob, cleo) = (people.homes[0], people.homes[1], people.homes[2])
        #expect(try await ada.run("follow", "@bob").code == 0)
        #expect(try await ada.run("lists", "create", "Sailors").code == 0)
        let first = try await bob.run("post", "the start @ada").id()
        let second = try await bob.run("post", "the middle", "--reply-to", first).id()
        #expect(try await bob.run("post", "hush @ada", "--visibility", "direct").code == 0)
        // Ada follows neither the author of these nor what they reply to.
        let third = try await cleo.run("post", "the end", "--reply-to", second).id()
        let mention = try await cleo.run("post", "hello @ada").id()
        #expect(try await ada.run("sync").code == 0)
        try await people.server.stop()
        for arguments in [
            ["show", first], ["show", second, "--thread"], ["notifications"], ["conversations"], ["profile"], ["lists"],
            ["user", "@bob"],
            ["search", "middle"], ["show", mention],
        ] {
            let online = try await ada.run(arguments)
            #expect(arguments[0] == "search" || online.code == 5, "\(arguments) \(online.error)")
            let offline = try await ada.run(arguments + ["--offline"])
            #expect(offline.code == 0 && !offline.text.isEmpty, "\(arguments) \(offline.error)")
        }
        #expect(try await ada.run("show", second, "--thread", "--offline", "--json").ids() == [first, second, third])
        #expect(try await ada.run("show", first, "--offline").text.contains("the start"))
        #expect(try await ada.run("notifications", "--offline", "--json").objects().count == 3)
        let listed = try await ada.run("notifications", "--offline")
        #expect(listed.text.contains("hello @ada") && listed.error.contains("no older notifications are stored"))
        #expect(try await ada.run("conversations", "--offline", "-n", "3").text.contains("hush"))
        #expect(try await ada.run("lists", "--offline").text.contains("Sailors"))
        #expect(try await ada.run("user", "@bob", "--offline", "--json").object()["acct"] as? String == "bob")
        let unknown = try await ada.run("show", "999999999", "--offline")
        #expect(unknown.code == 3 && unknown.error.contains("not been stored"), "\(unknown.error)")
        #expect(try await ada.run("logout").code == 0)
        let gone = ["--server", people.server.address, "--offline"]
        #expect(try await ada.run(["show", first] + gone).code == 3)
    }

    /// Reactions, follows, edits and replies wait in the order in which they were made.
    @Test func whatIsWrittenOfflineIsSentLater() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(folder: folder)
        let (ada, bob) = (try ClientHome(), try ClientHome())
        for (home, name) in [(ada, "ada"), (bob, "bob")] {
            try await server.addAccount(name)
            #expect(try await home.login(server, name).code == 0)
        }
        #expect(try await ada.run("follow", "@bob").code == 0)
        let theirs = try await bob.run("post", "worth it").id()
        let own = try await ada.run("post", "a typo").id()
        #expect(try await ada.run("sync").code == 0)
        try await server.stop()
        let commands = [
            ["favourite", theirs], ["bookmark", theirs], ["bookmark", theirs, "--undo"],
            ["reply", theirs, "well said"],
            ["edit", own, "no typo"], ["unfollow", "@bob"], ["edit", own, "still none"],
        ]
        for command in commands {
            let done = try await ada.run(command)
            #expect(done.code == 5 && done.error.contains("kept in the outbox"), "\(command) \(done.error)")
        }
        #expect(try await ada.drafts().isEmpty)
        let waiting = try await ada.outbox()
        #expect(
            waiting.map { $0["action"] as? String }.prefix(3) == [
                "favourite \(theirs)", "bookmark \(theirs)", "undo bookmark \(theirs)",
            ])
        #expect(waiting.count == 7 && waiting[4]["edited_id"] as? String == own)
        // Without the text, nobody knows what to change.
        #expect(try await ada.run("edit", own, input: "").code != 0)
        let again = try await ServerProcess.start(folder: folder, port: server.port)
        let sent = try await ada.run("sync")
        #expect(sent.code == 0 && sent.text.contains("7 sent"), "\(sent.text)\(sent.error)")
        #expect(try await ada.outbox().isEmpty)
        let status = try await ada.run("show", theirs, "--json").object()
        #expect(status["favourited"] as? Bool == true && status["bookmarked"] as? Bool == false)
        #expect(status["replies_count"] as? Int == 1)
        #expect(try await ada.run("show", own).text.contains("still none"))
        #expect(try await ada.run("timeline", "--json").ids().contains(theirs) == false)
        try await again.stop()
    }

    /// Votes, deletions, blocks, mutes, lists and hashtags wait, too, and the later ones build on the earlier ones.
    @Test func everythingThatIsDoneOfflineIsDoneLater() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(folder: folder)
        let (ada, bob) = (try ClientHome(), try ClientHome())
        for (home, name) in [(ada, "ada"), (bob, "bob")] {
            try await server.addAccount(name)
            #expect(try await home.login(server, name).code == 0)
        }
        for name in ["cleo", "dora"] { try await server.addAccount(name) }
        let poll = try await bob.run("post", "which?", "--poll", "cats", "--poll", "dogs").id()
        let own = try await ada.run("post", "a mistake").id()
        #expect(try await ada.run("timeline", "public").code == 0)
        try await server.stop()
        let commands = [
            ["poll", "vote", poll, "2"], ["delete", own], ["follow", "@bob"], ["lists", "create", "Sailors"],
            ["lists", "add", "Sailors", "@bob"], ["block", "@cleo"], ["mute", "@dora", "--duration", "1d"],
            ["tags", "follow", "kites"], ["lists", "create", "Gone"], ["lists", "delete", "Gone"],
        ]
        for command in commands {
            let done = try await ada.run(command)
            #expect(done.code == 5 && done.error.contains("kept in the outbox"), "\(command) \(done.error)")
        }
        #expect(
            try await ada.outbox().map { $0["action"] as? String } == [
                "vote 2 in \(poll)", "delete \(own)", "follow @bob", "create list Sailors",
                "add @bob to list Sailors", "block @cleo", "mute @dora", "follow #kites", "create list Gone",
                "delete list Gone",
            ])
        let again = try await ServerProcess.start(folder: folder, port: server.port)
        let sent = try await ada.run("outbox", "flush")
        #expect(sent.code == 0, "\(sent.text)\(sent.error)")
        let lines = sent.text.split(separator: "\n").map(String.init)
        #expect(lines.contains("deleted \(own)") && lines.contains("following #kites"), "\(sent.text)")
        #expect(lines.contains("blocked @cleo") && lines.contains("@bob added to Sailors"), "\(sent.text)")
        #expect(lines.contains { $0.hasPrefix("muted @dora until ") } && lines.last == "deleted Gone", "\(sent.text)")
        #expect(try await ada.outbox().isEmpty)
        #expect(try await ada.run("show", own).code == 3)
        let status = try await ada.run("show", poll, "--json").object()
        #expect((status["poll"] as? [String: Any])?["own_votes"] as? [Int] == [1])
        #expect(try await ada.run("lists", "show", "Sailors").text == "@bob\n")
        #expect(try await ada.run("lists", "--json").objects().count == 1)
        #expect(try await ada.run("user", "@cleo").text.contains("blocked by you"))
        #expect(try await ada.run("tags").text == "#kites\n")
        try await again.stop()
    }

    /// What the server refuses later is reported, and the text of an edit is not lost.
    @Test func refusedActionDoesNotBlockTheOthers() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(folder: folder)
        let ada = try ClientHome()
        try await server.addAccount("ada")
        #expect(try await ada.login(server, "ada").code == 0)
        let gone = try await ada.run("post", "to be deleted").id()
        let kept = try await ada.run("post", "to be kept").id()
        #expect(try await ada.run("sync").code == 0)
        try await server.stop()
        for command in [["favourite", gone], ["edit", gone, "better"], ["favourite", kept]] {
            #expect(try await ada.run(command).code == 5)
        }
        let again = try await ServerProcess.start(folder: folder, port: server.port)
        let token = try await again.token("ada")
        let deleted = try await RawHTTP.send(
            port: again.port, "DELETE", "/api/v1/statuses/\(gone)", headers: ["Authorization: Bearer \(token)"])
        #expect(deleted.status == 200)
        let flushed = try await ada.run("outbox", "flush")
        #expect(flushed.code == 6, "\(flushed.error)")
        #expect(try await ada.outbox().isEmpty)
        let drafts = try await ada.drafts()
        #expect(drafts.map { $0["text"] as? String } == ["better"] && drafts.first?["edited_id"] as? String == gone)
        #expect(try await ada.run("show", kept, "--json").object()["favourited"] as? Bool == true)
        try await again.stop()
    }
}
