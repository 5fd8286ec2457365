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
        #expect(shown.text.contains("day 1 number 8\n") && !shown.text.contains("new since"), "\(shown.text)")
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
        _ = try await ada.run("post", "only mine", "--visibility", "private")
        #expect(try await ada.run("timeline").text.contains("only mine"))
        let file = URL(fileURLWithPath: ada.folder.path + "/state/feedclient/timelines.sqlite")
        #expect(try Data(contentsOf: file).range(of: Data("only mine".utf8)) != nil)
        try await server.stop()
        #expect(try await ada.run("post", "later").code == 5)
        let done = try await ada.run("logout")
        #expect(done.code == 0 && done.error.contains("kept in the outbox: 1 post; see feedclient outbox"))
        #expect(try await ada.run("timeline", "home", "--server", server.address, "--offline").code == 3)
        #expect(try Data(contentsOf: file).range(of: Data("only mine".utf8)) == nil)
        #expect(try await ada.outbox().count == 1)
    }

    // MARK: On a terminal

    @Test func terminalShowsStoredStatusesAndThenNewOnes() async throws {
        let people = try await ClientPeople.start("ada")
        let ada = people.homes[0]
        let wide = ["LINES": "500"]
        let first = try await ada.run("post", "the first").id()
        _ = try await ada.run("post", "the second")
        let before = try await OutputTerminal.run(ada, ["timeline"], wide)
        #expect(before.code == 0 && before.text.contains("the first") && !before.text.contains("new since"))
        #expect(try await ada.run("delete", first).code == 0)
        for text in ["the third", "the fourth"] { _ = try await ada.run("post", text) }
        let news = try await OutputTerminal.run(ada, ["timeline"], wide)
        let parts = news.text.components(separatedBy: "new since ")
        #expect(news.code == 0 && parts.count == 2, "\(news.text)")
        #expect(parts[0].contains("the first") && parts[0].contains("the second") && !parts[0].contains("the third"))
        let times = try #require(parts.last).components(separatedBy: "the fourth")
        // The date is only there if it is not today's any more.
        #expect(times.count == 2 && times[0].prefixMatch(of: /([0-9-]{10} )?\d\d:\d\d/) != nil)
        #expect(times[1].contains("the third"))
        #expect(!parts[1].contains("the second") && !parts[1].contains("not loaded"))
        // Now it is all known, and what was deleted is gone.
        let again = try await OutputTerminal.run(ada, ["timeline"], wide).text
        #expect(again.contains("the fourth") && !again.contains("new since") && !again.contains("the first"))
        try await people.server.stop()
        let gone = try await OutputTerminal.run(ada, ["timeline"], wide)
        #expect(gone.code == 5 && gone.text.contains("the fourth"))
    }

    /// Older statuses that were not stored are shown below the stored ones.
    @Test func terminalShowsOlderStatusesBelowTheStoredOnes() async throws {
        let (server, home) = try await Self.filled(30)
        let arguments = ["timeline", "public", "--server", server.address, "-n"]
        for count in ["5", "12"] {
            let shown = try await OutputTerminal.run(home, arguments + [count], ["LINES": "500"]).text
            let numbers = shown.matches(of: /day 1 number (\d+)\n/).compactMap { Int($0.1) }
            #expect(numbers == Array((30 - (Int(count) ?? 0)..<30).reversed()) && !shown.contains("new since"))
        }
        try await server.importStatuses(20, day: 2)
        let shown = try await OutputTerminal.run(home, arguments + ["3"], ["LINES": "500"]).text
        let numbers = shown.matches(of: /day \d number (\d+)\n/).compactMap { Int($0.1) }
        #expect(numbers == [29, 28, 27, 19, 18, 17] && shown.contains("older statuses were not loaded"), "\(shown)")
    }

    @Test func pagerGetsStoredAndNewStatuses() async throws {
        let (server, home) = try await Self.filled(20)
        let paged = home.folder.path + "/paged"
        let arguments = ["timeline", "public", "--server", server.address]
        _ = try await OutputTerminal.run(home, arguments, ["PAGER": "cat > '\(paged)'"])
        try await server.importStatuses(2, day: 2)
        let shown = try await OutputTerminal.run(home, arguments, ["PAGER": "cat > '\(paged)'"])
        let text = try String(contentsOfFile: paged, encoding: .utf8)
        #expect(shown.code == 0 && shown.text.isEmpty)
        #expect(text.contains("day 1 number 19\n") && text.contains("new since ") && text.contains("day 2 number 1\n"))
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
