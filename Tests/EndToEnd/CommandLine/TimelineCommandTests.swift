import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The timelines and the thread that `feedclient` shows, against the real server.
@Suite(.hangLimit)
struct TimelineCommandTests {
    private static func act(_ action: String, _ id: String, by name: String, _ server: ServerProcess) async throws {
        let token = try await server.token(name)
        let response = try await RawHTTP.send(
            port: server.port, "POST", "/api/v1/statuses/\(id)/\(action)", headers: ["Authorization: Bearer \(token)"])
        #expect(response.status == 200)
    }

    @Test func threadIsATree() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        let start = try await ada.run("post", "the start").id()
        let middle = try await bob.run("post", "the middle", "--reply-to", start, "--spoiler", "a warning").id()
        let end = try await ada.run("post", "the end", "--reply-to", middle, "--spoiler", "an ending").id()
        let other = try await ada.run("post", "elsewhere", "--reply-to", start).id()
        let shown = try await ada.run("show", middle, "--thread")
        #expect(shown.code == 0 && shown.error.isEmpty)
        let lines = shown.text.components(separatedBy: "\n")
        // Above, the status itself with its text, and the reply, whose warning stays closed.
        #expect(lines.contains("    the start") && lines.contains("▌     the middle"))
        #expect(lines.contains("│     ⚠ an ending") && !shown.text.contains("the end\n"))
        #expect(!shown.text.contains("elsewhere"))
        #expect(try await ada.run("show", middle, "--thread", "--json").ids() == [start, middle, end])
        #expect(try await ada.run("show", start, "--thread", "--json").ids() == [start, middle, end, other])
        #expect(try await ada.run("show", start).text.contains("the middle") == false)
        #expect(try await ada.run("show", "1111", "--thread").code == 3)
    }

    @Test func everyTimelineHasAName() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (ada, bob) = (people.homes[0], people.homes[1])
        let first = try await ada.run("post", "first #Kites").id()
        let second = try await bob.run("post", "second").id()
        try await Self.act("favourite", first, by: "ada", people.server)
        try await Self.act("favourite", second, by: "ada", people.server)
        try await Self.act("bookmark", first, by: "ada", people.server)
        let expected: [String: [String]] = [
            "public": [second, first], "local": [second, first], "@bob": [second], "bob": [second], "home": [first],
            "tag:kites": [first], "#kites": [first], "tag:#KITES": [first], "favourites": [second, first],
            "bookmarks": [first], "tag:nothing": [],
        ]
        for (name, found) in expected {
            #expect(try await ada.run("timeline", name, "--json").ids() == found, "\(name)")
            #expect(try await ada.run("timeline", name, "--json", "--offline").ids() == found, "\(name)")
        }
        let unknown = try await ada.run("timeline", "kites")
        #expect(unknown.code == 3 && unknown.error.contains("tag:kites"))
        for name in ["#", "tag:", "list:", "no one", "x:y"] {
            #expect(try await ada.run("timeline", name).code == 2, "\(name)")
        }
        for name in ["favourites", "bookmarks", "home"] {
            #expect(try await ClientHome().run("timeline", name, "--server", people.server.address).code == 4)
        }
    }

    @Test func rangeLimitsATimeline() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        var ids: [String] = []
        for number in 0..<45 { ids.insert(try await ada.run("post", "number \(number)").id(), at: 0) }
        // More than a page of the API.
        #expect(try await ada.run("timeline", "--json", "-n", "43").ids() == Array(ids.prefix(43)))
        let before = try await ada.run("timeline", "--json", "--before", ids[2], "-n", "41")
        #expect(try before.ids() == Array(ids[3..<44]))
        let since = try await ada.run("timeline", "--json", "--since", ids[42], "-n", "100")
        #expect(try since.ids() == Array(ids[..<42]))
        let both = try await ada.run("timeline", "--json", "--since", ids[9], "--before", ids[4])
        #expect(try both.ids() == Array(ids[5..<9]))
        // A part of the timeline does not replace what is stored.
        #expect(try await ada.run("timeline", "--json", "--offline", "-n", "1").ids() == [ids[0]])
        #expect(try await ada.run("timeline", "favourites", "--before", ids[2]).code == 2)
        let offline = try await ada.run("timeline", "--json", "--offline", "--before", ids[2], "--since", ids[9])
        #expect(try offline.ids() == Array(ids[3..<9]))
    }

    @Test func boostNamesTheBooster() async throws {
        let people = try await ClientPeople.start("ada", "bob", "eve")
        let eve = people.homes[2]
        let id = try await people.homes[0].run("post", "worth reading").id()
        #expect(try await eve.run("follow", "bob").code == 0)
        try await Self.act("reblog", id, by: "bob", people.server)
        let shown = try await eve.run("timeline", "home").text
        #expect(shown.components(separatedBy: "worth reading").count == 2)
        #expect(shown.contains("⟳ bob boosted\n") && shown.contains("@ada") && shown.contains(id))
    }

    @Test func filesGetWholeLinesAndTheLocaleIsRespected() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        let long = String(repeating: "words and ", count: 30) + "中文 café"
        _ = try await ada.run("post", long)
        let shown = try await ada.run("timeline", environment: ["LC_ALL": "C.UTF-8", "COLUMNS": "40"]).text
        #expect(shown.contains(long))
        let ascii = try await ada.run("timeline", environment: ["LC_ALL": "C"]).text
        #expect(ascii.contains("words and ?? cafe") && ascii.utf8.allSatisfy { $0 < 0x80 })
    }

    // MARK: The pager

    @Test func longOutputGoesToThePager() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        for number in 0..<10 { _ = try await ada.run("post", "number \(number)") }
        let paged = ada.folder.path + "/paged"
        let pager = ["PAGER": "cat > '\(paged)'"]
        let long = try await OutputTerminal.run(ada, ["timeline"], pager)
        let text = try String(contentsOfFile: paged, encoding: .utf8)
        #expect(long.code == 0 && long.text.isEmpty)
        #expect(text.contains("number 0\n") && text.contains("number 9\n"))
        // Quitting a pager early is not an error; without a pager, or with an empty `PAGER`, the output is printed.
        #expect(try await OutputTerminal.run(ada, ["timeline"], ["PAGER": "head -1"]).code == 0)
        for command in ["no-such-pager-here", ""] {
            let direct = try await OutputTerminal.run(ada, ["timeline"], ["PAGER": command])
            #expect(direct.code == 0 && direct.text.contains("number 0\n"), "\(command)")
        }
        try FileManager.default.removeItem(atPath: paged)
        // What fits is printed, and so are JSON and everything that does not go to a terminal.
        let short = try await OutputTerminal.run(ada, ["timeline", "-n", "2"], pager)
        #expect(short.code == 0 && short.text.contains("number 9\n"))
        #expect(try await OutputTerminal.run(ada, ["timeline", "--json"], pager).text.contains("number 0<"))
        _ = try await ada.run("timeline", environment: pager)
        #expect(!FileManager.default.fileExists(atPath: paged))
    }

    @Test func terminalGetsWrappedLines() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        let posted = try await ada.run("post", String(repeating: "words and 中文。", count: 20)).id()
        for columns in [30, 80, 120] {
            let shown = try await OutputTerminal.run(
                ada, ["timeline"], ["COLUMNS": "\(columns)", "LINES": "200", "NO_COLOR": "1"])
            let lines = shown.text.components(separatedBy: "\n")
            #expect(lines.allSatisfy { line in line.reduce(0) { $0 + ($1.isASCII ? 1 : 2) } <= columns }, "\(columns)")
            #expect(shown.text.contains(posted) && lines.count > 5 && !shown.text.contains("\u{1B}"))
        }
    }
}
