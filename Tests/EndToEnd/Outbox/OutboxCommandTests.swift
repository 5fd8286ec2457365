import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Posts while the server is gone, and when it is back.
@Suite(.hangLimit)
struct OutboxCommandTests {
    /// A server that has stopped, and a client that is logged in to it.
    private struct Outage {
        let folder: TemporaryFolder
        let stopped: ServerProcess
        let home: ClientHome

        init() async throws {
            folder = try TemporaryFolder()
            stopped = try await ServerProcess.start(folder: folder)
            try await stopped.addAccount("ada")
            home = try ClientHome()
            _ = try await home.login(stopped, "ada")
            try await stopped.stop()
        }

        /// The server at the same address.
        func end() async throws -> ServerProcess { try await ServerProcess.start(folder: folder, port: stopped.port) }
    }

    private static let message =
        "kept in the outbox; the next post or timeline sends it, or feedclient outbox flush"

    @Test func postIsSentWhenTheServerIsBack() async throws {
        let outage = try await Outage()
        let home = outage.home
        for text in ["first", "second"] {
            let failed = try await home.run("post", text)
            #expect(failed.code == 5 && failed.text.isEmpty, "\(failed.error)")
            #expect(failed.error.contains("error: Cannot connect to http://127.0.0.1:"), "\(failed.error)")
            #expect(failed.error.hasSuffix(Self.message + ".\n"), "\(failed.error)")
        }
        #expect(try await home.run("timeline").code == 5)
        let waiting = try await home.outbox()
        #expect(waiting.map { $0["text"] as? String } == ["first", "second"])
        #expect(waiting.allSatisfy { $0["state"] as? String == "new" && $0["username"] as? String == "ada" })
        let listed = try await home.run("outbox").text
        #expect(listed.contains("  new  @ada@127.0.0.1:\(outage.stopped.port)  first\n"), "\(listed)")
        let server = try await outage.end()
        #expect(try await home.run("timeline", "--offline").code == 3)
        #expect(try await home.outbox().count == 2)
        let read = try await home.run("timeline", "--json")
        #expect(read.code == 0 && read.text.isEmpty, "\(read.text)")
        #expect(read.error.components(separatedBy: "sent from the outbox: ").count == 3, "\(read.error)")
        let empty = try await home.run("outbox")
        #expect(empty.code == 0 && empty.text.isEmpty && empty.error == "no posts in the outbox\n", "\(empty.error)")
        let order = try await home.run("timeline", "--json").text.split(separator: "\n")
        #expect(order.count == 2 && order[0].contains("second") && order[1].contains("first"))
        #expect(try await server.count("first") == 1)
    }

    /// Posts appear in the order in which they were written.
    @Test func nextPostSendsTheOthersFirst() async throws {
        let outage = try await Outage()
        #expect(try await outage.home.run("post", "first").code == 5)
        let server = try await outage.end()
        let posted = try await outage.home.run("post", "second")
        #expect(posted.code == 0 && posted.error.contains("sent from the outbox: "), "\(posted.error)")
        let order = try await outage.home.run("timeline", "--json").text.split(separator: "\n")
        #expect(order.count == 2 && order[0].contains("second"), "\(order)")
        #expect(try await server.count("first") == 1)
    }

    /// A post does not overtake another one for which the server has no time.
    @Test(arguments: [(429, "new"), (503, "sending")]) func laterPostWaits(status: Int, state: String) async throws {
        try await OutboxFixture.run { fixture in
            for text in ["first", "second"] {
                fixture.proxy.fail(.responds(status))
                let busy = try await fixture.home.run("post", text)
                #expect(busy.code == 75 && busy.error.contains(Self.message), "\(busy.error)")
            }
            #expect(try await fixture.entries().map { $0["state"] as? String } == [state, "new"])
            #expect(fixture.proxy.posts == 2)
            let posted = try await fixture.home.run("post", "third")
            #expect(posted.code == 0 && posted.error.contains("sending 2 entries from the outbox\n"), "\(posted.error)")
            let order = try await fixture.home.run("timeline", "--json").text.split(separator: "\n")
            #expect(order.count == 3 && order[0].contains("third") && order[2].contains("first"), "\(order)")
        }
    }

    /// The user repeats the command, as users do.
    @Test func repeatedCommandPostsOnce() async throws {
        let outage = try await Outage()
        for _ in 0..<3 { #expect(try await outage.home.run("post", "hello", "you").code == 5) }
        #expect(try await outage.home.outbox().count == 1)
        let server = try await outage.end()
        let posted = try await outage.home.run("post", "hello", "you")
        #expect(posted.code == 0 && posted.text.contains("/@ada/"), "\(posted.error)")
        #expect(try await server.count("hello you") == 1)
        #expect(try await outage.home.run("post", "hello", "you").code == 0)
        #expect(try await server.count("hello you") == 2)
    }

    @Test func everythingIsStored() async throws {
        let outage = try await Outage()
        let home = outage.home
        let server = try await outage.end()
        let target = try await home.run("post", "target").id()
        let picture = try home.folder.file("a.png")
        try SampleImages.png(20, 10).write(to: URL(fileURLWithPath: picture))
        try await server.stop()
        let arguments = [
            "post", "--reply-to", target, "--visibility", "unlisted", "--spoiler", "cw", "look", "--media", "a.png",
            "--alt", "an alt text",
        ]
        let failed = try await Tool.run(
            Programs.feedclient, arguments, environment: home.environment, folder: home.folder.path)
        #expect(failed.code == 5, "\(failed.error)")
        #expect(try await home.run("post", "which?", "--poll", "this", "--poll", "that").code == 5)
        #expect(try await home.run("post", "later", "--schedule", "+2h").code == 5)
        let again = try await outage.end()
        let elsewhere = try await Tool.run(
            Programs.feedclient, ["outbox", "flush", "--json"], environment: home.environment, folder: "/")
        let lines = elsewhere.text.split(separator: "\n")
        #expect(elsewhere.code == 0 && lines.count == 3, "\(elsewhere.error)")
        let reply = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(reply["in_reply_to_id"] as? String == target && reply["visibility"] as? String == "unlisted")
        #expect(reply["spoiler_text"] as? String == "cw")
        let media = try #require(reply["media_attachments"] as? [[String: Any]])
        #expect(media.map { $0["description"] as? String } == ["an alt text"])
        #expect(lines[1].contains("\"poll\":{"))
        #expect(lines[2].contains("\"scheduled_at\""))
        #expect(try await home.run("schedule", "list").text.contains("later"))
        try await again.stop()
    }

    /// A post that the server refuses later becomes a draft, and does not delay the others.
    @Test func postThatIsRefusedLaterIsADraft() async throws {
        let outage = try await Outage()
        let home = outage.home
        #expect(
            try await home.run("post", String(repeating: "long ", count: 200), "--visibility", "unlisted").code == 5)
        #expect(try await home.run("post", "short").code == 5)
        let server = try await outage.end()
        let read = try await home.run("timeline")
        #expect(read.code == 0 && read.error.contains(" is a draft now: "), "\(read.error)")
        #expect(try await server.count("short") == 1)
        #expect(try await home.outbox().isEmpty)
        let draft = try #require(try await home.drafts().first)
        #expect(draft["error"] is String && draft["visibility"] as? String == "unlisted")
        let id = try #require(draft["id"] as? String)
        #expect(read.error.contains("feedclient drafts edit \(id)"), "\(read.error)")
        #expect(try await home.run("timeline").error.isEmpty)
        let listed = try await home.run("drafts")
        #expect(listed.text.hasPrefix(id) && listed.text.contains("  post  @ada@"), "\(listed.text)")
        #expect(try await home.run("outbox", "flush", id).code == 3)
        #expect(try await home.run("outbox", "flush").error.contains("nothing to send"))
        let sent = try await home.run("drafts", "edit", id, "now", "short", "--json")
        #expect(try sent.object()["visibility"] as? String == "unlisted", "\(sent.error)")
        #expect(try await home.drafts().isEmpty)
    }

    /// A refused post is a draft, and not in the outbox as well.
    @Test func textThatIsRefusedAtOnceIsADraft() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        for text in ["long ", "longer "] {
            let refused = try await home.run("post", String(repeating: text, count: 200))
            #expect(refused.code == 1 && refused.error.contains("error: "), "\(refused.error)")
            #expect(refused.error.contains("hint: Draft saved; feedclient drafts edit "), "\(refused.error)")
        }
        #expect(try await home.outbox().isEmpty)
        let ids = try await home.drafts().compactMap { $0["id"] as? String }
        #expect(ids.count == 2)
        let dropped = try await home.run("drafts", "drop", ids[0])
        #expect(dropped.text == "dropped \(ids[0])\n")
        #expect(try await home.run("drafts", "drop", ids[0]).code == 3)
        #expect(try await home.run("drafts", "edit", ids[0], "text").code == 3)
        #expect(try await home.drafts().count == 1)
        let missing = try await home.run("post", "look", "--media", "nothing.png")
        #expect(missing.code == 3, "\(missing.error)")
        #expect(try await home.outbox().isEmpty)
    }

    /// A refused post that has only media is a draft; other media can be chosen, and a text added.
    @Test func refusedPostWithOnlyMediaIsADraft() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let picture = try home.folder.file("a.png")
        try SampleImages.png(20, 10).write(to: URL(fileURLWithPath: picture))
        let broken = try home.folder.file("b.png")
        try SampleImages.png(20, 10).prefix(40).write(to: URL(fileURLWithPath: broken))
        let refused = try await home.run("post", "--media", broken, "--alt", "a boat")
        #expect(refused.code == 1 && refused.error.contains("Draft saved"), "\(refused.error)")
        #expect(try await home.outbox().isEmpty)
        let draft = try #require(try await home.drafts().first)
        #expect(draft["text"] as? String == "" && (draft["media"] as? [String])?.first?.hasSuffix("/b.png") == true)
        let id = try #require(draft["id"] as? String)
        let sent = try await home.run("drafts", "edit", id, "look", "--media", picture, "--json")
        #expect((try sent.object()["media_attachments"] as? [Any])?.count == 1, "\(sent.error)")
        #expect(try await home.drafts().isEmpty)
    }

    @Test func mediaOfARefusedPostStayWithItsDraft() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let picture = try home.folder.file("a.png")
        try SampleImages.png(20, 10).write(to: URL(fileURLWithPath: picture))
        let long = try await home.run("post", String(repeating: "x", count: 600), "--media", picture, "--alt", "a boat")
        #expect(long.code == 1 && long.error.contains("Draft saved"), "\(long.error)")
        #expect(try await home.outbox().isEmpty)
        let shortens = TerminalSession(home: home, editor: #"printf 'short' > "$1""#)
        let id = try #require(try await home.drafts().first?["id"] as? String)
        let posted = try await shortens.run("drafts", "edit", id, "--json")
        let media = try #require(try posted.object()["media_attachments"] as? [[String: Any]], "\(posted.error)")
        #expect(media.map { $0["description"] as? String } == ["a boat"])
    }

    /// Nothing is queued that the server would refuse in any case.
    @Test func blankTextsAndOtherFilesAreNotQueued() async throws {
        let outage = try await Outage()
        let home = outage.home
        for text in ["", "  \n"] {
            let blank = try await home.run("post", text)
            #expect(blank.code == 1 && blank.error.contains("The text is blank"), "\(blank.error)")
        }
        let notes = try home.folder.file("notes.png", "no picture")
        let other = try await home.run("post", "look", "--media", notes)
        #expect(other.code == 1 && other.error.contains("error: notes.png: not a picture"), "\(other.error)")
        #expect(try await home.outbox().isEmpty)
    }

    @Test func postsAreDropped() async throws {
        let outage = try await Outage()
        let home = outage.home
        #expect(try await home.run("post", "one").code == 5)
        #expect(try await home.run("post", "two").code == 5)
        let ids = try await home.outbox().compactMap { $0["id"] as? String }
        #expect(try await home.run("outbox", "drop", "zzzzzz").code == 3)
        #expect(try await home.run("outbox", "flush", "zzzzzz").code == 3)
        #expect(try await home.run("outbox", "drop").code == 2)
        let dropped = try await home.run("outbox", "drop", ids[0], "--json")
        #expect(try dropped.object()["text"] as? String == "one")
        let some = try await home.run("outbox", "drop", ids[0], ids[1])
        #expect(some.code == 6 && some.text == "dropped \(ids[1])\n", "\(some.error)")
        let server = try await outage.end()
        #expect(try await home.run("outbox", "flush").code == 0)
        #expect(try await server.count("one") + server.count("two") == 0)
    }

    /// Two processes share the posts, and none is sent by both.
    @Test func processesFlushAtTheSameTime() async throws {
        let outage = try await Outage()
        let texts = (0..<8).map { "text\($0)" }
        for text in texts { #expect(try await outage.home.run("post", text).code == 5) }
        let server = try await outage.end()
        let home = outage.home
        let codes = try await withThrowingTaskGroup(of: Int32.self) { group -> [Int32] in
            for _ in 0..<4 { group.addTask { try await home.run("outbox", "flush").code } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == [0, 0, 0, 0])
        #expect(try await home.outbox().isEmpty)
        for text in texts { #expect(try await server.count(text) == 1, "\(text)") }
    }

    /// The posts of an account are sent with its own login.
    @Test func accountsDoNotMix() async throws {
        let outage = try await Outage()
        let home = outage.home
        #expect(try await home.run("post", "by ada").code == 5)
        let server = try await outage.end()
        try await server.addAccount("bob")
        _ = try await home.login(server, "bob")
        #expect(try await home.run("timeline").error.contains("sent from the outbox") == false)
        let nothing = try await home.run("outbox", "flush")
        #expect(nothing.code == 0 && nothing.text.isEmpty, "\(nothing.error)")
        let id = try #require(try await home.outbox().first?["id"] as? String)
        #expect(try await home.run("outbox", "flush", id).text.contains("/@ada/"))
        #expect(try await server.count("by ada") == 1)
    }

    /// A state folder that cannot be written does not prevent posting, but the post is not kept.
    @Test func postIsSentWithoutAStateFolder() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let file = try home.folder.file("file", "")
        let posted = try await home.run("post", "hello", environment: ["XDG_STATE_HOME": file])
        #expect(posted.code == 0 && posted.error.contains("warning: "), "\(posted.error)")
        #expect(try await people.server.count("hello") == 1)
    }

    @Test func unreadableFilesAreReported() async throws {
        let outage = try await Outage()
        let home = outage.home
        #expect(try await home.run("post", "hello").code == 5)
        let id = try #require(try await home.outbox().first?["id"] as? String)
        _ = try home.folder.file("state/feedclient/outbox/aaaaaa.post", "{}")
        let listed = try await home.run("outbox")
        #expect(listed.code == 0 && listed.text.hasPrefix(id), "\(listed.text)")
        #expect(listed.error.contains("warning: 1 file in ") && listed.error.contains(" cannot be read"))
        let server = try await outage.end()
        let sent = try await home.run("outbox", "flush")
        #expect(sent.code == 0 && sent.error.contains("warning: 1 file in "), "\(sent.error)")
        #expect(try await server.count("hello") == 1)
    }

    /// A post that is not in the outbox is not sent again by itself: the user is told to look first.
    @Test func lostPostWithoutAStateFolderIsInDoubt() async throws {
        try await OutboxFixture.run { fixture in
            let file = try fixture.home.folder.file("file", "")
            fixture.proxy.fail(.losesResponse)
            let lost = try await fixture.home.run("post", "hello", environment: ["XDG_STATE_HOME": file])
            #expect(lost.code == 5 && lost.error.contains("may be on the server already"), "\(lost.error)")
            #expect(try await fixture.count("hello") == 1)
        }
    }
}
