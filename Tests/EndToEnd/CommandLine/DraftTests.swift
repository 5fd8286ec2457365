import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Texts that are written on a terminal, and texts that could not be posted.
@Suite(.hangLimit)
struct DraftTests {
    private static let tooLong = String(repeating: "long ", count: 200) + "end"

    @Test func textIsWrittenInAnEditor() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let terminal = TerminalSession(home: home, editor: #"cat "$1" > seen; printf 'from an\neditor\n\n' > "$1""#)
        let posted = try await terminal.run("post", "--json")
        let content = try #require(try posted.object()["content"] as? String)
        #expect(content.contains("from an<br") && content.contains("editor</p>"), "\(content)")
        #expect(try String(contentsOfFile: home.folder.path + "/seen", encoding: .utf8).isEmpty)
        let id = try #require(try posted.object()["id"] as? String)
        let change = TerminalSession(home: home, editor: #"sed -i s/editor/edit/ "$1""#)
        #expect(try await change.run("edit", id).code == 0)
        #expect(try await home.run("show", id).text.contains("edit"))
        let folder = home.folder.path + "/state/feedclient"
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }.isEmpty)
    }

    @Test(arguments: ["true", #"printf '  \n' > "$1""#, "exit 3"])
    func nothingIsPostedWithoutAText(editor: String) async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let done = try await TerminalSession(home: home, editor: editor).run("post")
        #expect(done.code == 1 && done.text.isEmpty && done.error.contains("error: "), "\(done.error)")
        #expect(try await home.run("timeline").text.isEmpty)
    }

    @Test func blankEditIsNotSent() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let id = try await home.run("post", "hello").id()
        let blank = try await home.run("edit", id)
        #expect(blank.code == 1 && blank.error.contains("The text is blank"), "\(blank.error)")
        #expect(try await home.run("drafts").text.isEmpty)
    }

    @Test func editorShowsTheMentionsOfAReply() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let id = try await people.homes[0].run("post", "hello").id()
        let keeps = TerminalSession(home: people.homes[1], editor: #"cat "$1" > seen; printf 'hi' >> "$1""#)
        let reply = try await keeps.run("reply", id, "--json").object()
        #expect((reply["mentions"] as? [Any])?.count == 1)
        let seen = people.homes[1].folder.path + "/seen"
        #expect(try String(contentsOfFile: seen, encoding: .utf8) == "@ada ")
        let removes = TerminalSession(home: people.homes[1], editor: #"printf 'hi' > "$1""#)
        let quiet = try await removes.run("reply", id, "--json").object()
        #expect((quiet["mentions"] as? [Any])?.isEmpty == true && quiet["in_reply_to_id"] as? String == id)
    }

    /// The server refuses the text; the editor shows it again, and the narrow visibility is kept, too.
    @Test func refusedTextCanBeEdited() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let long = TerminalSession(home: home, editor: #"printf '%s' '\#(Self.tooLong)' > "$1""#)
        let refused = try await long.run("post", "--visibility", "direct")
        #expect(refused.code == 1 && refused.error.contains("Draft saved"), "\(refused.error)")
        let id = try await home.onlyDraft()
        let short = TerminalSession(home: home, editor: #"cat "$1" > seen; printf 'short' > "$1""#)
        let posted = try await short.run("drafts", "edit", id, "--json")
        #expect(posted.error.contains("[direct]"), "\(posted.error)")
        #expect(try String(contentsOfFile: home.folder.path + "/seen", encoding: .utf8) == Self.tooLong)
        let status = try posted.object()
        #expect(
            (status["content"] as? String)?.contains("short") == true && status["visibility"] as? String == "direct")
        #expect(try await home.drafts().isEmpty)
    }

    /// Neither text, poll nor visibility of a draft gets into another post, and the draft is not lost.
    @Test func newPostLeavesDraftsAlone() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let refused = try await home.run(
            "post", Self.tooLong, "--visibility", "direct", "--poll", "one", "--poll", "two")
        #expect(refused.code == 1 && refused.error.contains("Draft saved"), "\(refused.error)")
        let id = try await home.onlyDraft()
        let new = TerminalSession(home: home, editor: #"cat "$1" > seen; printf 'new' > "$1""#)
        let posted = try await new.run("post", "--json")
        #expect(posted.error.contains("feedclient drafts edit \(id)"), "\(posted.error)")
        #expect(try String(contentsOfFile: home.folder.path + "/seen", encoding: .utf8).isEmpty)
        let status = try posted.object()
        #expect(status["visibility"] as? String == "public" && !(status["poll"] is [String: Any]))
        #expect(try await home.onlyDraft() == id)
    }

    /// The text would be accepted now, but quitting the editor does not send it.
    @Test func unchangedDraftIsSentOnlyAfterAQuestion() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let refused = try await home.run("post", "a text", "--poll", "one", "--poll", "one")
        #expect(refused.code == 1 && refused.error.contains("Draft saved"), "\(refused.error)")
        let id = try await home.onlyDraft()
        let quits = TerminalSession(home: home, editor: "true")
        let kept = try await quits.run(
            "drafts", "edit", id, "--poll", "one", "--poll", "two", typing: [("Send it?", "n\n")])
        #expect(kept.code == 1 && kept.error.contains("not changed"), "\(kept.error)")
        #expect(try await home.onlyDraft() == id)
        let sent = try await quits.run(
            "drafts", "edit", id, "--poll", "one", "--poll", "two", typing: [("Send it?", "y\n")])
        #expect(sent.code == 0, "\(sent.error)")
        #expect(try await home.drafts().isEmpty)
    }

    @Test func emptiedDraftIsDropped() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        #expect(try await home.run("post", input: Self.tooLong).error.contains("Draft saved"))
        let empties = TerminalSession(home: home, editor: #"printf '' > "$1""#)
        let dropped = try await empties.run("drafts", "edit", try await home.onlyDraft())
        #expect(dropped.code == 1 && dropped.error.contains("Nothing was written"), "\(dropped.error)")
        let drafts = try await home.run("drafts")
        #expect(drafts.code == 0 && drafts.text.isEmpty && drafts.error == "no drafts\n", "\(drafts.error)")
    }

    @Test func textIsTypedAtAPrompt() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let terminal = TerminalSession(home: home)
        let posted = try await terminal.run("post", typing: [("end with Ctrl-D", "one\ntwo\n\u{4}")])
        #expect(posted.code == 0, "\(posted.error)")
        #expect(try await home.run("timeline").text.contains("two"))
        let nothing = try await terminal.run("post", typing: [("end with Ctrl-D", "\u{4}")])
        #expect(nothing.code == 1 && nothing.error.contains("Nothing was written"), "\(nothing.error)")
        #expect(try await home.run("post", Self.tooLong).code == 1)
        let draft = try await home.onlyDraft()
        let offered = try await terminal.run(
            "drafts", "edit", draft, typing: [("Send, edit or discard?", "e\n"), ("end with", "new\n.\n")])
        #expect(offered.code == 0 && offered.error.contains("long long"), "\(offered.error)")
        #expect(try await home.run("timeline").text.contains("new"))
        let after = try await terminal.run("post", typing: [("end with", "last\n.\n")])
        #expect(after.code == 0 && !after.error.contains("Send, edit or discard?"), "\(after.error)")
    }

    /// The server is gone: the text waits in the outbox, and is not offered again as well.
    @Test func textSurvivesAnUnreachableServer() async throws {
        let folder = try TemporaryFolder()
        let first = try await ServerProcess.start(folder: folder)
        try await first.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(first, "ada")
        try await first.stop()
        let failed = try await TerminalSession(home: home, editor: #"printf 'kept text' > "$1""#).run("post")
        #expect(failed.code == 5 && failed.error.contains("kept in the outbox"), "\(failed.error)")
        #expect(!failed.error.contains("Draft saved"), "\(failed.error)")
        let again = try await TerminalSession(home: home).run("post", typing: [("end with", "another\n.\n")])
        #expect(again.code == 5 && !again.error.contains("kept text"), "\(again.error)")
        let second = try await ServerProcess.start(folder: folder, port: first.port)
        #expect(try await home.run("outbox", "flush").code == 0)
        #expect(try await second.count("kept text") == 1)
        #expect(try await second.count("another") == 1)
    }
}

extension ClientHome {
    /// The id of the only draft.
    fileprivate func onlyDraft() async throws -> String {
        let drafts = try await drafts()
        try #require(drafts.count == 1)
        return try #require(drafts[0]["id"] as? String)
    }
}
