import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Long lists are printed page by page: what follows the first page is held back until the client has printed that page.
@Suite(.hangLimit)
struct PagedOutputTests {
    private static let count = 400
    /// More than a page of 40 statuses, and less than all of them.
    private static let allowance = 100_000

    /// A server with public statuses.
    private static func filled() async throws -> ServerProcess {
        let server = try await ServerProcess.start()
        let account = #"{"kind":"account","username":"ada"}"#
        let statuses = (0..<count).map { number in
            let time = String(format: "2023-01-01T00:%02d:%02dZ", number / 60, number % 60)
            return
                #"{"kind":"status","n":\#(number + 1),"author":"ada","created_at":"\#(time)","text":"number \#(number)."}"#
        }
        let file = try server.folder.file("feed.ndjson", ([account] + statuses).joined(separator: "\n") + "\n")
        let done = try await server.admin("import", file)
        #expect(done.code == 0, "\(done.error)")
        return server
    }

    /// The numbers of the statuses in the order of the output.
    private static func numbers(_ text: String) -> [Int] { text.matches(of: /number (\d+)\./).compactMap { Int($0.1) } }

    @Test(arguments: [["--json"], []]) func firstPageIsPrintedBeforeTheOthersArrive(options: [String]) async throws {
        let server = try await Self.filled()
        let home = try ClientHome()
        try await PausingProxy.serving(server.port, pausingAfter: Self.allowance) { proxy in
            let arguments = ["timeline", "public", "--server", proxy.address, "-n", "\(Self.count)"]
            let client = try RunningClient(home, arguments + options)
            try await Wait.until("the first page is printed") { Self.numbers(client.output).count >= 40 }
            #expect(client.isRunning && Self.numbers(client.output).count < Self.count)
            proxy.release()
            try await Wait.until("the command has ended") { !client.isRunning }
            #expect(Self.numbers(client.output) == Array((0..<Self.count).reversed()), "\(client.error)")
        }
        try await server.stop()
    }

    /// On a terminal, the pager starts with the first page.
    @Test func pagerStartsWithTheFirstPage() async throws {
        let server = try await Self.filled()
        let home = try ClientHome()
        let paged = home.folder.path + "/paged"
        func shown() -> [Int] { Self.numbers((try? String(contentsOfFile: paged, encoding: .utf8)) ?? "") }
        try await PausingProxy.serving(server.port, pausingAfter: Self.allowance) { proxy in
            let arguments = ["timeline", "public", "--server", proxy.address, "-n", "\(Self.count)"]
            async let done = OutputTerminal.run(home, arguments, ["PAGER": "cat > '\(paged)'"])
            try await Wait.until("the pager has the first page") { shown().count >= 40 }
            #expect(shown().count < Self.count)
            proxy.release()
            let code = try await done.code
            #expect(code == 0)
            #expect(shown() == Array((0..<Self.count).reversed()))
            // Nothing is new, and nothing is shown twice.
            #expect(try await OutputTerminal.run(home, arguments, ["PAGER": "cat > '\(paged)'"]).code == 0)
            #expect(shown() == Array((0..<Self.count).reversed()))
        }
        try await server.stop()
    }

    /// Whoever quits the pager, or reads only the first line, does not wait for the rest.
    @Test func restIsNotRequestedWhenNobodyReadsIt() async throws {
        let server = try await Self.filled()
        let home = try ClientHome()
        let arguments = ["timeline", "public", "--server", server.address, "-n", "\(Self.count)", "-v"]
        let script = #""$0" "$@" --json | head -1 > /dev/null; exit ${PIPESTATUS[0]}"#
        let done = try await Tool.run(
            "bash", ["-c", script, Programs.feedclient] + arguments, environment: home.environment)
        #expect(done.code == 141, "\(done.code)")
        let requests = done.error.components(separatedBy: "\n").filter { $0.hasPrefix("> ") }.count
        #expect((1..<Self.count / 40).contains(requests), "\(requests)")
        // What has been read is stored, with a gap below it.
        let stored = try await home.run("timeline", "public", "--server", server.address, "-n", "1000", "--offline")
        #expect(Self.numbers(stored.text).count == requests * 40)
        #expect(stored.text.contains("older statuses were not loaded"))
        try await server.stop()
    }

    @Test(arguments: [["--json"], []]) func storedStatusesArePrintedInTheSameOrder(options: [String]) async throws {
        let server = try await Self.filled()
        let home = try ClientHome()
        let arguments = ["timeline", "public", "--server", server.address, "-n", "\(Self.count)"] + options
        let online = try await Tool.run(Programs.feedclient, arguments, environment: home.environment)
        try await server.stop()
        let offline = try await Tool.run(Programs.feedclient, arguments + ["--offline"], environment: home.environment)
        // A line about what follows may be at the end.
        #expect(offline.code == 0 && offline.text.hasPrefix(online.text))
        #expect(Self.numbers(offline.text) == Array((0..<Self.count).reversed()))
    }
}
