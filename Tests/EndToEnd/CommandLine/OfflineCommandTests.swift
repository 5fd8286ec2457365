import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Stored timelines on the command line, against the real server.
@Suite(.hangLimit)
struct OfflineCommandTests {
    /// A server with statuses of `ada`, and a reader.
    private static func filled(_ count: Int) async throws -> (server: ServerProcess, home: ClientHome) {
        let server = try await ServerProcess.start()
        try await server.importStatuses(count, day: 1)
        return (server, try ClientHome())
    }

    private static func read(_ home: ClientHome, _ server: ServerProcess, _ arguments: String...) async throws
        -> Finished
    {
        try await Tool.run(
            Programs.feedclient, ["timeline", "public", "--server", server.address] + arguments,
            environment: home.environment)
    }

    /// The id after `--before` in the last line that contains it.
    private static func suggestion(_ shown: Finished) -> String? {
        (shown.text + "\n" + shown.error).split(separator: "\n").last { $0.contains("--before ") }
            .flatMap { $0.components(separatedBy: "--before ").last }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func severalPagesAreReadOffline() async throws {
        let (server, home) = try await Self.filled(150)
        let online = try await Self.read(home, server, "-n", "100", "--json")
        #expect(try online.ids().count == 100)
        try await server.stop()
        let offline = try await Self.read(home, server, "-n", "100", "--json", "--offline")
        #expect(offline.text == online.text && offline.error.contains("older statuses were not loaded"))
        #expect(try await Self.read(home, server, "-n", "7", "--json", "--offline").error.contains("older") == false)
        let shown = try await Self.read(home, server, "-n", "1000", "--offline").text
        #expect(shown.contains("day 1 number 149\n") && shown.contains("day 1 number 50\n"))
        #expect(!shown.contains("day 1 number 49\n"))
        let all = try online.ids()
        #expect(shown.contains("feedclient timeline public --before \(all[99])\n"))
        let range = try await Self.read(
            home, server, "--offline", "--json", "--before", all[39], "--since", all[60], "-n", "100")
        #expect(try range.ids() == Array(all[40..<60]))
    }

    @Test func gapIsShownAndFilled() async throws {
        let (server, home) = try await Self.filled(20)
        #expect(try await Self.read(home, server, "-n", "100", "--json").code == 0)
        try await server.importStatuses(30, day: 2)
        #expect(try await Self.read(home, server, "-n", "5", "--json").code == 0)
        var stored = try await Self.read(home, server, "--offline", "-n", "100")
        let parts = stored.text.components(separatedBy: "… older statuses were not loaded; run ")
        #expect(parts.count == 2 && parts[0].contains("day 2 number 25\n"))
        #expect(parts[1].contains("day 1 number 19\n") && parts[1].contains("day 1 number 0\n"))
        for _ in 0..<10 {
            guard let id = Self.suggestion(stored) else { break }
            // Without a network, the range begins with the gap.
            let offline = try await Self.read(home, server, "--offline", "--before", id)
            #expect(offline.text.hasPrefix("… older statuses were not loaded"))
            #expect(try await Self.read(home, server, "--before", id, "-n", "7", "--json").code == 0)
            stored = try await Self.read(home, server, "--offline", "-n", "100")
        }
        #expect(Self.suggestion(stored) == nil)
        let all = try await Self.read(home, server, "-n", "100", "--json").ids()
        try await server.stop()
        #expect(all.count == 50)
        #expect(try await Self.read(home, server, "--offline", "-n", "100", "--json").ids() == all)
    }

    /// Statuses that were read with an upper bound are not the newest part of the timeline.
    @Test func missingNewestStatusesAreReported() async throws {
        let (server, home) = try await Self.filled(9)
        let other = try ClientHome()
        let ids = try await Self.read(other, server, "--json").ids()
        #expect(try await Self.read(home, server, "--json", "--before", ids[4]).ids().count == 4)
        let stored = try await Self.read(home, server, "--offline")
        #expect(stored.text.contains("day 1 number 3\n") && !stored.error.contains("as of"), "\(stored.error)")
        #expect(stored.error.contains("the newest statuses were not loaded; run feedclient timeline public\n"))
        let shown = try await OutputTerminal.run(
            home, ["timeline", "public", "--server", server.address], ["LINES": "500"])
        #expect(shown.text.contains("day 1 number 8\n") && !shown.text.contains(Self.line), "\(shown.text)")
        #expect(try await Self.read(home, server, "--offline").error.contains("as of"))
    }

    @Test(.enabled(if: Tool.isInstalled("strace"))) func offlineOpensNoSocket() async throws {
        let (server, home) = try await Self.filled(3)
        #expect(try await Self.read(home, server).code == 0)
        let log = home.folder.path + "/trace"
        let arguments = ["timeline", "public", "--server", server.address]
        for (more, isOffline) in [(["--offline"], true), ([], false)] {
            let traced = ["-f", "-e", "trace=socket,connect", "-o", log, Programs.feedclient] + arguments + more
            let done = try await Tool.run("strace", traced, environment: home.environment)
            #expect(done.code == 0 && done.text.contains("number 2"), "\(done.error)")
            #expect(try String(contentsOfFile: log, encoding: .utf8).contains("socket(") == !isOffline)
        }
    }

    @Test func logoutRemovesStoredTimelines() async throws {
        let people = try await ClientPeople.start("ada")
        let (server, ada) = (people.server, people.homes[0])
        let own = try await ada.run("post", "only mine", "--visibility", "private").id()
        #expect(try await ada.run("timeline").text.contains("only mine"))
        let file = URL(fileURLWithPath: ada.folder.path + "/state/feedclient/timelines.sqlite")
        #expect(try Data(contentsOf: file).range(of: Data("only mine".utf8)) != nil)
        try await server.stop()
        #expect(try await ada.run("post", "later").code == 5)
        #expect(try await ada.run("favourite", own).code == 5)
        let done = try await ada.run("logout")
        #expect(done.code == 0 && done.error.contains("kept in the outbox: 2 entries; see feedclient outbox"))
        #expect(try await ada.run("timeline", "home", "--server", server.address, "--offline").code == 3)
        #expect(try Data(contentsOf: file).range(of: Data("only mine".utf8)) == nil)
        #expect(try await ada.outbox().count == 2)
    }

    // MARK: On a terminal

    /// The line between new statuses and those that the terminal has shown before.
    private static let line = "── already read ──"

    @Test func terminalShowsNewStatusesAboveReadOnes() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        let wide = ["LINES": "500"]
        let first = try await ada.run("post", "the first").id()
        _ = try await ada.run("post", "the second")
        let before = try await OutputTerminal.run(ada, ["timeline"], wide)
        #expect(before.code == 0 && before.text.contains("the first") && !before.text.contains(Self.line))
        #expect(try await ada.run("delete", first).code == 0)
        for text in ["the third", "the fourth"] { _ = try await ada.run("post", text) }
        // What a pipe has got has not been read on the terminal.
        #expect(try await ada.run("timeline").text.contains(Self.line) == false)
        let news = try await OutputTerminal.run(ada, ["timeline"], wide)
        let parts = news.text.components(separatedBy: Self.line)
        #expect(news.code == 0 && parts.count == 2, "\(news.text)")
        #expect(parts[0].contains(/the fourth(?s:.*)the third/) && !parts[0].contains("the second"))
        #expect(parts.last?.contains("the second") == true && !news.text.contains("the first"))
        // Now it is all known. Without a network, the same is shown, and the error follows.
        let again = try await OutputTerminal.run(ada, ["timeline"], wide).text
        #expect(again.contains("the fourth") && !again.contains(Self.line) && !again.contains("the first"))
        _ = try await ada.run("post", "the fifth")
        #expect(try await ada.run("timeline").code == 0)
        try await people.server.stop()
        let gone = try await OutputTerminal.run(ada, ["timeline"], wide)
        let stored = gone.text.components(separatedBy: Self.line)
        #expect(gone.code == 5 && stored.count == 2 && stored[0].contains("the fifth"), "\(gone.text)")
        let offline = try await OutputTerminal.run(ada, ["timeline", "--offline"], wide)
        #expect(offline.code == 0 && offline.text.contains("the fifth") && offline.text.contains(Self.line))
        #expect(try await OutputTerminal.run(ada, ["timeline", "--offline"], wide).text.contains(Self.line) == false)
    }

    /// The number of statuses is that of the newest ones, whatever has been stored before.
    @Test func terminalShowsTheNewestStatuses() async throws {
        let (server, home) = try await Self.filled(30)
        let arguments = ["timeline", "public", "--server", server.address, "-n"]
        func numbers(_ count: Int) async throws -> (numbers: [Int], hasLine: Bool) {
            let shown = try await OutputTerminal.run(home, arguments + ["\(count)"], ["LINES": "500"]).text
            return (shown.matches(of: /day \d number (\d+)\n/).compactMap { Int($0.1) }, shown.contains(Self.line))
        }
        for count in [5, 12] {
            let shown = try await numbers(count)
            #expect(shown.numbers == Array((30 - count..<30).reversed()) && !shown.hasLine)
        }
        try await server.importStatuses(20, day: 2)
        let few = try await numbers(3)
        #expect(few.numbers == [19, 18, 17] && !few.hasLine)
        try await server.importStatuses(1, day: 3)
        let many = try await numbers(24)
        #expect(many.numbers == [0] + Array((0..<20).reversed()) + [29, 28, 27] && many.hasLine)
    }

    /// A server that does not answer does not keep anybody from reading.
    @Test func slowServerIsReplacedByTheStore() async throws {
        let (server, home) = try await Self.filled(3)
        try await PausingProxy.serving(server.port, pausingAfter: .max / 2) { proxy in
            let arguments = ["timeline", "public", "--server", proxy.address]
            #expect(try await OutputTerminal.run(home, arguments).code == 0)
            proxy.hold(after: 0)
            // The wait ends as soon as it does for users.
            let shown = try await OutputTerminal.run(home, arguments, ["FEED_TIMEOUT": ""])
            #expect(shown.code == 5 && shown.text.contains("day 1 number 2\n"), "\(shown.text)")
        }
        try await server.stop()
    }

    @Test func pagerGetsNewStatusesAboveReadOnes() async throws {
        let (server, home) = try await Self.filled(20)
        let paged = home.folder.path + "/paged"
        let arguments = ["timeline", "public", "--server", server.address]
        _ = try await OutputTerminal.run(home, arguments, ["PAGER": "cat > '\(paged)'"])
        try await server.importStatuses(2, day: 2)
        let shown = try await OutputTerminal.run(home, arguments, ["PAGER": "cat > '\(paged)'"])
        let parts = try String(contentsOfFile: paged, encoding: .utf8).components(separatedBy: Self.line)
        #expect(shown.code == 0 && shown.text.isEmpty && parts.count == 2)
        #expect(parts[0].contains("day 2 number 1\n") && parts.last?.contains("day 1 number 19\n") == true)
        // Without the pager, the output is printed directly.
        try await server.importStatuses(1, day: 3)
        let direct = try await OutputTerminal.run(home, arguments, ["PAGER": "no-such-pager-here"]).text
        #expect(direct.contains("day 1 number 19\n") && direct.contains("day 3 number 0\n"))
    }

    // MARK: Read positions

    @Test func readPositionsAreSentToTheServer() async throws {
        let people = try await ClientPeople.start("ada", "bob")
        let (server, ada, bob) = (people.server, people.homes[0], people.homes[1])
        let token = try await server.token("ada")
        func markers() async throws -> [String: String] {
            let path = "/api/v1/markers?timeline[]=home&timeline[]=notifications"
            let response = try await RawHTTP.send(
                port: server.port, "GET", path, headers: ["Authorization: Bearer \(token)"])
            let object = try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: [String: Any]]
            return object?.compactMapValues { $0["last_read_id"] as? String } ?? [:]
        }
        let first = try await ada.run("post", "one").id()
        #expect(try await ada.run("timeline", "--json").code == 0)
        #expect(try await ada.run("timeline", "public").code == 0)
        #expect(try await markers().isEmpty)
        #expect(try await ada.run("timeline").code == 0)
        #expect(try await markers() == ["home": first])
        let second = try await ada.run("post", "two").id()
        #expect(try await ada.run("timeline", "--before", second).code == 0)
        #expect(try await markers() == ["home": first])
        #expect(try await ada.run("timeline", "home").code == 0)
        #expect(try await bob.run("follow", "@ada").code == 0)
        #expect(try await ada.run("notifications", "--json").code == 0)
        #expect(try await markers() == ["home": second])
        #expect(try await ada.run("notifications").code == 0)
        #expect(try await markers().count == 2)
    }

    // MARK: Crashes

    /// However often a sync is killed, every hole in the stored timeline is a recorded gap, and the next sync fills it.
    @Test func killedSyncLosesNothing() async throws {
        let (server, home) = try await Self.filled(1200)
        let journal = home.folder.path + "/state/feedclient/timelines.sqlite-journal"
        try await PausingProxy.serving(server.port, pausingAfter: 0) { proxy in
            let arguments = ["timeline", "public", "--server", proxy.address, "--json", "-n"]
            func readStored() async throws -> Finished {
                try await home.run(arguments + ["10000", "--offline"])
            }
            var kills = 0
            for round in 0..<Soak.rounds(12, soaking: 200) {
                // Every third time, the server stops responding before the end. Otherwise, nothing keeps a command from
                // ending before anybody has seen the journal.
                proxy.hold(after: round.isMultiple(of: 3) ? Self.heldBytes : .max / 2)
                var looks = round % 6
                let isKilled = try await KilledCommand.run(
                    arguments + ["1200"], of: Programs.feedclient, environment: home.environment
                ) {
                    if proxy.isPausing { return true }
                    guard FileManager.default.fileExists(atPath: journal) else { return false }
                    looks -= 1
                    return looks < 0
                }
                kills += isKilled ? 1 : 0
                let stored = try await readStored()
                #expect(stored.code == 0 || stored.code == 3, "\(stored.error)")
            }
            #expect(kills > 0)
            proxy.release()
            let all = try await home.run(arguments + ["1200"]).ids()
            try await server.stop()
            let stored = try await readStored()
            #expect(all.count == 1200 && stored.text.isEmpty == false)
            #expect(try stored.ids() == all)
        }
    }

    /// More than a page of 40 statuses, and less than all of them.
    private static let heldBytes = 250_000
}
