import FeedTestSupport
import Foundation
import TestKit
import Testing

/// What the reader shows besides the home timeline, against the real server.
@Suite(.hangLimit, .enabled(if: TmuxPane.isInstalled, "apt install tmux"))
struct ReaderViewTests {
    /// The number of requests for the public timeline up to now.
    private static func timelineRequests(_ server: ServerProcess) async throws -> Int {
        // Requests are logged in their order, so those before this one are in the log as soon as it is.
        let response = try await RawHTTP.send(port: server.port, "GET", "/health")
        let id = try #require(response.headers["x-request-id"])
        try await Wait.until("the requests are logged") { server.log.contains(id) }
        return server.log.components(separatedBy: "path=/api/v1/timelines/public").count
    }

    /// The reader also requests the timeline once a minute, so what is shown has arrived in the stream only if there was
    /// no request meanwhile. Otherwise, it is tried again.
    @Test func theOpenTimelineIsLive() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        let id = try await bob.run("post", "the first").id()
        func requests() async throws -> Int { try await Self.timelineRequests(people.server) }
        try await TmuxReader.use(ada) { reader in
            try await reader.shows("Home")
            try await reader.press("3")
            try await reader.shows("the first")
            var (round, before) = (1, try await requests())
            // The stream may take a moment to open.
            try await Wait.until("a status arrives in the stream") {
                _ = try await bob.run("post", "on air \(round).")
                try await reader.press("g")
                guard try await reader.screen().contains("on air \(round).") else { return false }
                let isStreamed = try await requests() == before
                (round, before) = (round + 1, try await requests())
                return isStreamed
            }
            try await Wait.until("an edit arrives in the stream") {
                (round, before) = (round + 1, try await requests())
                #expect(try await bob.run("edit", id, "version \(round).").code == 0)
                try await reader.shows("version \(round).", pressing: "G")
                return try await requests() == before
            }
            try await Wait.until("a deletion arrives in the stream") {
                let id = try await bob.run("post", "removed soon").id()
                try await reader.shows("removed soon", pressing: "g")
                before = try await requests()
                #expect(try await bob.run("delete", id).code == 0)
                try await reader.hides("removed soon")
                return try await requests() == before
            }
        }
    }

    @Test func readingContinuesWhereAnotherDeviceStopped() async throws {
        let people = try await ClientPeople.start("ada")
        let (phone, desk) = (people.homes[0], try ClientHome())
        #expect(try await desk.login(people.server, "ada").code == 0)
        // A terminal that needs no pager.
        let high = ["LINES": "500"]
        for number in 1...6 { #expect(try await phone.run("post", "read at the desk \(number)").code == 0) }
        #expect(try await OutputTerminal.run(desk, ["timeline"], high).code == 0)
        #expect(try await phone.run("post", "read on the phone").code == 0)
        #expect(try await OutputTerminal.run(phone, ["timeline"], high).code == 0)
        for number in 1...20 { #expect(try await phone.run("post", "later \(number)").code == 0) }
        try await TmuxReader.use(desk) { reader in
            try await reader.shows("20 new above")
            // The first row is drawn before the others.
            let screen = try await reader.shows("read on the phone")
            #expect(screen.contains("read on the phone") && !screen.contains("later 1\n"))
        }
    }

    @Test func loginsAreChosenAndChanged() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let home = people.homes[0]
        #expect(try await people.homes[1].run("post", "hello from bob").code == 0)
        #expect(try await home.login(people.server, "bob").code == 0)
        try await TmuxReader.use(home, ["--as", "@ada"]) { reader in
            try await reader.shows("@ada")
            try await reader.shows("Nothing here.")
            try await reader.press("A")
            try await reader.shows("bob@127.0.0.1")
            try await reader.press("g", "Enter")
            try await reader.shows("@bob")
            try await reader.shows("hello from bob")
        }
    }

    @Test func theReaderStaysWithItsAccountWhenAnotherOneBecomesTheCurrentOne() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let home = people.homes[0]
        #expect(try await home.login(people.server, "bob").code == 0)
        #expect(try await home.run("use", "@ada").code == 0)
        try await TmuxReader.use(home) { reader in
            try await reader.shows("Nothing here.")
            #expect(try await home.run("use", "@bob").code == 0)
            try await reader.type("cwritten by ada")
            try await reader.press("C-s")
            try await reader.shows("Sent.")
        }
        #expect(try await home.run("timeline", "--as", "@ada").text.contains("written by ada"))
    }

    @Test func profilesAreReadAndFollowed() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        #expect(try await bob.run("profile", "--set", "note=Knows all about tea").code == 0)
        #expect(try await bob.run("post", "hello").code == 0)
        try await TmuxReader.use(ada) { reader in
            try await reader.shows("Home")
            try await reader.type("@bob")
            try await reader.press("Enter")
            try await reader.shows("Knows all about tea")
            try await reader.press("F")
            try await reader.shows("you follow this account")
        }
        #expect(try await ada.run("following").text.contains("@bob"))
    }

    @Test func aSearchThatFailsIsNotLoading() async throws {
        let people = try await ClientPeople.start("ada")
        try await TmuxReader.use(people.homes[0]) { reader in
            try await reader.shows("Home")
            try await reader.type("/!!!")
            try await reader.press("Enter")
            try await reader.shows("Search: !!!")
            try await reader.shows("Could not be loaded:")
        }
    }

    @Test func repliesHaveTheStandardVisibility() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        #expect(try await ada.run("profile", "--set", "privacy=private").code == 0)
        #expect(try await ada.run("post", "hello", "--visibility", "unlisted").code == 0)
        try await TmuxReader.use(ada) { reader in
            try await reader.shows("hello")
            try await reader.press("r")
            try await reader.shows("private")
            try await reader.type("an answer")
            try await reader.press("C-s")
            try await reader.shows("Sent.")
        }
        #expect(try await ada.run("timeline", "--json", "-n", "1").text.contains("\"visibility\":\"private\""))
    }

    @Test func votesAndDeletionsWaitForTheServer() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        #expect(try await ada.run("follow", "@bob").code == 0)
        let poll = try await bob.run(
            "post", "which one", "--poll-option", "tea", "--poll-option", "coffee", "--poll-expires-in", "1h"
        ).id()
        #expect(try await ada.run("timeline").text.contains("which one"))
        try await people.server.stop()
        try await TmuxReader.use(ada) { reader in
            try await reader.shows("which one")
            try await reader.press("v", "j", "Enter", "8")
            try await reader.shows("vote 2 in " + poll)
            try await reader.press("d", "y")
            try await reader.hides("vote 2 in")
        }
        #expect(try await !ada.run("outbox", "list").text.contains("vote"))
    }

    @Test func whatIsBeingSentIsRemovedWhenThatFails() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        let id = try await ada.run("post", "a status").id()
        // The reader must not give up before the key is pressed.
        try await TmuxReader.use(ada, ["tui"], ["FEED_TIMEOUT": "3600"]) { reader in
            try await reader.shows("a status")
            // The server does not answer while it is stopped.
            kill(people.server.processID, SIGSTOP)
            try await reader.press("f", "8")
            try await reader.shows("favourite " + id)
            try await reader.press("d", "y")
            try await reader.shows("It is being sent.")
            kill(people.server.processID, SIGKILL)
            try await reader.hides("favourite " + id)
        }
        #expect(try await !ada.run("outbox", "list").text.contains("favourite"))
    }

    @Test func textsAreEditedInPlace() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        let id = try await ada.run("post", "a typo").id()
        try await TmuxReader.use(ada) { reader in
            try await reader.shows("a typo")
            try await reader.press("e")
            try await reader.shows("Edit")
            try await reader.type(", mended")
            try await reader.press("C-s")
            try await reader.shows("Saved.")
            try await reader.shows("a typo, mended")
        }
        #expect(try await ada.run("show", id).text.contains("a typo, mended"))
    }

    @Test func textsAreWrittenInTheEditor() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        let editor = try ada.folder.file("editor", "echo 'from the editor' > \"$1\"\n")
        try await TmuxReader.use(ada, [], ["VISUAL": "", "EDITOR": "sh " + editor]) { reader in
            try await reader.shows("Home")
            try await reader.press("c", "C-o")
            try await reader.shows("from the editor")
            try await reader.press("C-s")
            try await reader.shows("Sent.")
        }
        #expect(try await ada.run("timeline").text.contains("from the editor"))
    }

    @Test func picturesAreShownWithTheirDescriptions() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        let file = try ada.folder.file("cat.png")
        try SampleImages.png(48, 48).write(to: URL(fileURLWithPath: file))
        #expect(try await ada.run("post", "look", "--media", file, "--alt", "A tabby cat").code == 0)
        try await TmuxReader.use(ada) { reader in
            try await reader.shows("image")
            try await reader.shows("A tabby cat")
            try await reader.press("m")
            try await reader.shows("1 of 1: ")
            try await reader.shows("A tabby cat")
            try await reader.press("Escape")
            try await reader.hides("1 of 1: ")
        }
    }

    @Test func theLocaleCAndNoColorAreRespected() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        #expect(try await ada.run("post", "Zoë — #tea", environment: ["LC_ALL": "C.UTF-8"]).code == 0)
        try await TmuxReader.use(ada, ["tui"], ["LC_ALL": "C", "NO_COLOR": "1"]) { reader in
            try await reader.shows("Zoe -- #tea")
            let screen = try await reader.coloredScreen()
            #expect(screen.utf8.allSatisfy { $0 < 0x80 })
            #expect(!screen.contains(/\x1B\[([0-9]+;)*[34][0-8]/))
        }
    }
}
