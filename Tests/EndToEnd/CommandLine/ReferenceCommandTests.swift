import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Numbers of a listing and ends of ids, against the real server.
@Suite(.hangLimit)
struct ReferenceCommandTests {
    /// Two statuses of `ada`, the newest first, which she has listed on a terminal.
    private struct Listed {
        let people: ClientPeople
        let terminal: PseudoTerminal
        let ids: [String]

        var ada: ClientHome { people.homes[0] }

        static func start() async throws -> Listed {
            let people = try await ClientPeople.start("ada", "bob")
            var ids: [String] = []
            for text in ["the first", "the second"] {
                ids.insert(try await people.homes[0].run("post", text).id(), at: 0)
            }
            let listed = Listed(people: people, terminal: try PseudoTerminal(), ids: ids)
            let shown = try await listed.run("timeline")
            #expect(shown.text.contains(" 1 · ") && shown.text.contains(" 2 · "), "\(shown.text)")
            return listed
        }

        func run(
            _ arguments: String..., typing keys: String? = nil, environment: [String: String] = [:]
        ) async throws -> (code: Int32, text: String) {
            try await OutputTerminal.run(ada, arguments, environment, on: terminal, typing: keys)
        }
    }

    @Test func numbersReferToTheLastListing() async throws {
        let listed = try await Listed.start()
        #expect(try await listed.run("favourite", "1").text.contains("favourited \(listed.ids[0])\n"))
        // A single status is no listing.
        for _ in 0..<2 { #expect(try await listed.run("show", "2").text.contains("the first")) }
        #expect(try await listed.run("show", "3").code == 2)
        let reply = try await listed.run("reply", "2", "an answer", "--json")
        #expect(reply.text.contains(#""in_reply_to_id":"\#(listed.ids[1])""#), "\(reply.text)")
        // A conversation is one.
        let thread = try await listed.run("show", "2", "--thread")
        #expect(thread.code == 0 && thread.text.contains("an answer"))
        #expect(try await listed.run("show", "2").text.contains("an answer"))
    }

    /// What has just been listed says whom to mention, and the profile is kept for a day.
    @Test func replyToANumberIsOneRequest() async throws {
        let listed = try await Listed.start()
        #expect(try await listed.run("reply", "2", "an answer").code == 0)
        let log = try await OutputTerminal.run(
            listed.ada, ["reply", "2", "another", "-v"], stream: .error, on: listed.terminal)
        let requests = log.text.split(separator: "\n").filter { $0.hasPrefix("> ") }
        #expect(log.code == 0 && requests.count == 1 && requests[0].hasPrefix("> POST "), "\(log.text)")
    }

    @Test func numbersBelongToTheTerminalAndTheLogin() async throws {
        let listed = try await Listed.start()
        let other = try PseudoTerminal()
        #expect(try await OutputTerminal.run(listed.ada, ["show", "1"], on: other).code == 2)
        let piped = try await listed.ada.run("show", "1")
        #expect(piped.code == 2 && piped.error.contains("only a terminal"), "\(piped.error)")
        #expect(try await listed.ada.login(listed.people.server, "bob").code == 0)
        #expect(try await listed.run("show", "1").code == 2)
        #expect(try await listed.run("show", "1", "--as", "@ada").text.contains("the second"))
        let folder = listed.ada.folder.path + "/state/feedclient/listings"
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        #expect(try await listed.ada.run("logout", "--as", "@ada").code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func endOfAnIDRefersToItsStatus() async throws {
        let listed = try await Listed.start()
        let ending = String(listed.ids[1].suffix(12))
        #expect(try await listed.run("show", ending).text.contains("the first"))
        // Without a terminal, it is one of the stored statuses.
        #expect(try await listed.ada.run("show", ending).text.contains("the first"))
        #expect(try await listed.ada.run("show", "9999999").code == 3)
    }

    /// A mistaken number must not cost a status.
    @Test func deletingANumberAsks() async throws {
        let listed = try await Listed.start()
        #expect(try await listed.run("delete", "1").code == 2)
        #expect(try await listed.run("delete", "1", typing: "n\n").code == 1)
        #expect(try await listed.ada.run("show", listed.ids[0]).code == 0)
        #expect(try await listed.run("edit", "2", "changed", typing: "y\n").code == 0)
        #expect(try await listed.ada.run("show", listed.ids[1]).text.contains("changed"))
        #expect(try await listed.run("delete", "1", typing: "y\n").text.contains("deleted \(listed.ids[0])"))
        #expect(try await listed.ada.run("show", listed.ids[0]).code == 3)
        #expect(try await listed.run("delete", listed.ids[1]).code == 0)
    }

    @Test func shellsOfferWhatIsStored() async throws {
        let listed = try await Listed.start()
        for (shell, command, prefix, line) in [
            ("zsh", "show", "", "1:@ada the second\n"), ("fish", "delete", "2", "2\t@ada the first\n"),
            ("bash", "reply", "", "2  @ada the first\n"), ("bash", "user", "", "@ada\n"),
            ("bash", "timeline", "ho", "home\n"), ("bash", "use", "@a", "@ada@127.0.0.1:"),
        ] {
            let arguments = ["---completion", command, "--", "positional@0", "2", "\(prefix.count)"]
            let offered = try await OutputTerminal.run(
                listed.ada, arguments + ["feedclient", command, prefix], ["SAP_SHELL": shell], on: listed.terminal)
            #expect(offered.code == 0 && offered.text.contains(line), "\(shell) \(command): \(offered.text)")
        }
    }
}
