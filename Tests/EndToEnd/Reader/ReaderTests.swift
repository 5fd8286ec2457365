import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedclient` alone on a terminal, against the real server.
@Suite(.hangLimit, .enabled(if: TmuxPane.isInstalled, "apt install tmux"))
struct ReaderTests {
    @Test(arguments: [(60, 20), (100, 30), (200, 60)])
    func timelineIsReadAtEverySize(columns: Int, rows: Int) async throws {
        let people = try await ClientPeople.start("ada")
        for number in 1...30 {
            #expect(try await people.homes[0].run("post", "status number \(number) 中文").code == 0)
        }
        try await TmuxReader.use(people.homes[0], columns: columns, rows: rows) { reader in
            try await reader.shows("status number 30 中文")
            try await reader.type("jjj")
            try await reader.press("G")
            try await reader.shows("status number 1 中文")
            try await reader.press("?")
            try await reader.shows("search, tag, person")
            try await reader.press("x", "q")
            let end = try await reader.ended()
            #expect(end.code == 0 && end.isRestored)
            #expect(try await !reader.screen().contains("status number"))
        }
    }

    @Test func newStatusesAppearAboveAndAreCounted() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        #expect(try await ada.run("follow", "@bob").code == 0)
        for number in 1...20 { #expect(try await bob.run("post", "old \(number)").code == 0) }
        try await TmuxReader.use(ada) { reader in
            try await reader.shows("old 20")
            try await reader.press("G")
            try await reader.shows("old 1\n")
            // The stream may not be open yet; what it has missed arrives with the first refresh.
            #expect(try await bob.run("post", "fresh").code == 0)
            try await reader.press("R")
            try await reader.shows("1 new above")
            try await reader.press("n")
            try await reader.shows("fresh")
            try await reader.hides("new above")
            #expect(try await bob.run("post", "live").code == 0)
            try await reader.shows("1 new above")
            try await reader.press("g")
            try await reader.shows("live")
        }
    }

    @Test func whatIsWrittenIsPostedOnceAndReactionsAreSent() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        let id = try await ada.run("post", "to answer").id()
        try await TmuxReader.use(ada) { reader in
            try await reader.shows("to answer")
            try await reader.press("f")
            try await reader.shows("★")
            try await reader.press("r")
            try await reader.shows("Reply")
            try await reader.type("an answer")
            try await reader.press("C-s")
            try await reader.shows("Sent.")
            try await reader.press("R")
            try await reader.shows("an answer")
            try await reader.press("g", "d", "y")
            try await reader.shows("Deleted.")
            try await reader.hides("an answer")
        }
        let status = try await ada.run("show", id, "--json").object()
        #expect(status["favourited"] as? Bool == true && status["replies_count"] as? Int == 0)
    }

    @Test func storedTimelinesAreReadWithoutAServerAndPostsWait() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        #expect(try await ada.run("post", "kept for the train").code == 0)
        #expect(try await ada.run("sync").code == 0)
        try await people.server.stop()
        try await TmuxReader.use(ada) { reader in
            try await reader.shows("kept for the train")
            try await reader.shows("Offline:")
            try await reader.press("c")
            try await reader.type("written in a tunnel")
            // A refresh that fails may replace the message about the outbox at once.
            try await reader.press("C-s", "8")
            try await reader.shows("Outbox")
            try await reader.shows("written in a tunnel")
            try await reader.press("C-c")
            let end = try await reader.ended()
            #expect(end.code == 0 && end.isRestored)
        }
        #expect(try await ada.run("outbox", "list").text.contains("written in a tunnel"))
    }

    @Test func whatWaitsIsSentOnceTheServerIsBack() async throws {
        let people = try await ClientPeople.start("ada")
        let (ada, server) = (people.homes[0], people.server)
        #expect(try await ada.run("post", "before").code == 0)
        try await TmuxReader.use(ada) { reader in
            try await reader.shows("before")
            try await server.stop()
            try await reader.type("cwritten in a tunnel")
            try await reader.press("C-s")
            try await reader.shows("It waits in the outbox.")
            // The notice disappears with a key.
            try await reader.shows("Offline:", pressing: "g")
            let next = try await ServerProcess.start(folder: server.folder, port: server.port)
            try await reader.hides("Offline:")
            try await Wait.until("the post is sent") { try await ada.run("outbox", "list").text.isEmpty }
            let timeline = try await ada.run("timeline").text
            #expect(timeline.components(separatedBy: "written in a tunnel").count == 2)
            try await next.stop()
        }
    }

    @Test func whatIsBeingSentIsSentBeforeTheReaderEnds() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        try await TmuxReader.use(ada) { reader in
            try await reader.shows("Nothing here.")
            try await reader.type("cat the last moment")
            try await reader.press("C-s", "q")
            let end = try await reader.ended()
            #expect(end.code == 0 && end.isRestored)
        }
        #expect(try await ada.run("outbox", "list").text.isEmpty)
        let plain = try await ada.run("tui", "--plain", input: "c a fast post\nq\n")
        #expect(plain.code == 0 && plain.text.contains("Sent.") && !plain.error.contains("outbox"), "\(plain.error)")
        let timeline = try await ada.run("timeline").text
        #expect(timeline.contains("at the last moment") && timeline.contains("a fast post"))
    }

    @Test func whatCannotBeSentBeforeTheReaderEndsWaits() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        // The server does not answer while it is stopped.
        kill(people.server.processID, SIGSTOP)
        let plain = try await ada.run("tui", "--plain", input: "c a slow post\nq\n")
        kill(people.server.processID, SIGCONT)
        let words = "1 entry waits in the outbox; feedclient outbox flush sends it"
        #expect(plain.code == 0 && plain.error.contains(words), "\(plain.error)")
        #expect(try await ada.run("outbox", "flush").code == 0)
        #expect(try await ada.run("timeline").text.components(separatedBy: "a slow post").count == 2)
    }

    @Test func anotherSizeIsDrawnAtOnce() async throws {
        let people = try await ClientPeople.start("ada")
        #expect(try await people.homes[0].run("post", "hello").code == 0)
        try await TmuxReader.use(people.homes[0], columns: 120, rows: 30) { reader in
            let wide = try await reader.shows("hello")
            #expect(wide.contains("│") && !wide.contains("──"))
            try await reader.resize(columns: 70, rows: 20)
            try await reader.shows("────")
        }
    }

    @Test func entriesAreReadLineByLine() async throws {
        let people = try await ClientPeople.start("ada")
        for text in ["first", "second"] { #expect(try await people.homes[0].run("post", text).code == 0) }
        try await TmuxReader.use(people.homes[0], ["tui", "--plain"]) { reader in
            try await reader.shows("second")
            #expect(try await !reader.screen().contains("first"))
            try await reader.press("Enter")
            try await reader.shows("first")
            try await reader.type("c spoken")
            try await reader.press("Enter")
            try await reader.shows("Sent.")
            try await reader.type("e amended")
            try await reader.press("Enter")
            try await reader.shows("Edit this status? (y/n)")
            try await reader.press("y", "Enter")
            try await reader.shows("Saved.")
            try await reader.press("2", "Enter")
            try await reader.shows("Local.")
            // The newest entry is read as soon as the timeline is there.
            try await reader.shows("spoken")
            try await reader.press("q", "Enter", "q", "Enter")
            let end = try await reader.ended()
            #expect(end.code == 0 && end.isRestored)
        }
        let timeline = try await people.homes[0].run("timeline").text
        #expect(timeline.contains("spoken") && timeline.contains("amended") && !timeline.contains("first"))
    }

    @Test func lineByLineEachCommandIsAnswered() async throws {
        let people = try await ClientPeople.start("ada")
        #expect(try await people.homes[0].run("post", "hello").code == 0)
        try await TmuxReader.use(people.homes[0], ["tui", "--plain"]) { reader in
            try await reader.shows("hello")
            let answers = [
                ("f", "Favourited."), ("f", "Favourite removed."), ("b", "Boosted."), ("b", "Boost undone."),
                ("B", "Bookmarked."), ("B", "Bookmark removed."), ("j", "There is no other entry."),
                ("R", "There is nothing new."),
                ("bob", "Unknown command; ? lists them."), ("x", "Unknown command; ? lists them."),
                ("r", "A text follows r; ? lists the commands."),
            ]
            for (command, answer) in answers {
                try await reader.type(command)
                try await reader.press("Enter")
                try await reader.shows(answer)
            }
        }
    }

    @Test func lineByLineTheConversationOfABoostIsReadOnce() async throws {
        let people = try await ClientPeople.start("ada", "bob", "carol")
        let (ada, bob, carol) = (people.homes[0], people.homes[1], people.homes[2])
        #expect(try await ada.run("follow", "@bob").code == 0)
        let id = try await carol.run("post", "boosted words").id()
        #expect(try await bob.run("boost", id).code == 0)
        try await TmuxReader.use(ada, ["tui", "--plain"]) { reader in
            func count() async throws -> Int {
                try await reader.screen().components(separatedBy: "boosted words").count - 1
            }
            try await reader.shows("boosted words")
            try await reader.press("t", "Enter")
            try await Wait.until("the conversation is read") { try await count() == 2 }
            try await reader.press("j", "Enter")
            try await reader.shows("There is no other entry.")
            #expect(try await count() == 2)
        }
    }

    @Test func lineByLineTheReaderSaysWhatCouldNotBeLoaded() async throws {
        let people = try await ClientPeople.start("ada")
        try await TmuxReader.use(people.homes[0], ["tui", "--plain"]) { reader in
            try await reader.shows("Nothing here.")
            // The server does not answer while it is stopped.
            kill(people.server.processID, SIGSTOP)
            try await reader.press("2", "Enter", "j", "Enter")
            try await reader.shows("Loading")
            kill(people.server.processID, SIGCONT)
            try await people.server.stop()
            try await reader.press("3", "Enter")
            try await reader.shows("Public.")
            try await reader.shows("Offline:")
            try await reader.shows("Could not be loaded:", pressing: "Enter")
            let known = try await reader.screen().components(separatedBy: "Offline:").count
            try await reader.press("R", "Enter")
            try await Wait.until("the reader says again why nothing is loaded") {
                try await reader.screen().components(separatedBy: "Offline:").count > known
            }
        }
    }

    @Test func withoutATerminalTheHelpIsPrinted() async throws {
        let home = try ClientHome()
        let alone = try await home.run([])
        #expect(alone.text.contains("SUBCOMMANDS") || alone.text.contains("SUBCOMMAND"))
        let refused = try await home.run("tui", "--server", "http://127.0.0.1:1")
        #expect(refused.code == 2 && refused.error.contains("needs a terminal"))
    }
}
