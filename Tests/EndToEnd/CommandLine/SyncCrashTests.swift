import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Reading a timeline while file operations of its storage fail, and `kill -9` at any of them: what is stored stays true,
/// and the next command makes up for the rest.
@Suite(.hangLimit)
struct SyncCrashTests {
    private static let arguments = ["timeline", "home", "-n", "30"]

    /// Statuses of `ada`, and her homes before the timeline is read.
    private struct Fixture {
        let server: ServerProcess
        /// Nothing is stored.
        let empty: ClientHome
        /// Older statuses are stored, with a gap below them.
        let filled: ClientHome
        /// The ids of all statuses, the newest first.
        let ids: [String]

        init() async throws {
            let people = try await ClientPeople.start("ada")
            (server, empty) = (people.server, people.homes[0])
            filled = try await people.homes[0].copy()
            try await people.server.importStatuses(60, day: 1)
            _ = try await filled.run("timeline", "home", "-n", "15")
            try await people.server.importStatuses(20, day: 2)
            ids = try await people.homes[0].copy().run("timeline", "home", "-n", "1000", "--json").ids()
        }
    }

    @Test(arguments: FaultyClient.Fault.allCases) func nothingStoredIsWrong(_ fault: FaultyClient.Fault) async throws {
        let fixture = try await Fixture()
        try #require(fixture.ids.count == 80)
        let client = try await FaultyClient()
        for (start, count) in [(fixture.filled, 14), (fixture.empty, 10)] {
            let reference = try await start.copy().run(Self.arguments)
            let operations = try await client.operations(try await start.copy(), Self.arguments, in: "/state")
            try #require(operations.count > 50, "\(operations)")
            for number in FaultyClient.numbers(of: operations, atMost: count) {
                let home = try await start.copy()
                let run = try await client.run(home, Self.arguments, in: "/state", at: number, fault)
                Self.check(run, reference)
                let stored = try await Self.stored(home, fixture, run.note)
                if run.done.code == 0, run.done.error.isEmpty {
                    #expect(Array(stored.prefix(30)) == Array(0..<30), run.note)
                }
                try await Self.readAgain(home, fixture, run.note)
            }
        }
        try await fixture.server.stop()
    }

    /// The statuses are shown even if they cannot be stored.
    private static func check(_ run: FaultyClient.Run, _ reference: Finished) {
        guard !run.isKilled else {
            #expect(run.done.code == 128 + SIGKILL, run.note)
            return
        }
        #expect(run.done.code == 0 && run.done.text == reference.text, run.note)
        let lines = run.done.error.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("warning: the timeline could not be stored") }, run.note)
        #expect(lines.isEmpty || run.isHit, run.note)
    }

    private static func readAgain(_ home: ClientHome, _ fixture: Fixture, _ note: Comment) async throws {
        let next = try await home.run(arguments + ["--json"])
        #expect(next.error.isEmpty, "\(next.error) after \(note)")
        #expect(try next.ids() == Array(fixture.ids.prefix(30)), note)
        let places = try await stored(home, fixture, note)
        #expect(Array(places.prefix(30)) == Array(0..<30), note)
    }

    /// The stored statuses, as places in the timeline of the server. Each is there once, and there is a gap exactly
    /// where some are missing.
    private static func stored(_ home: ClientHome, _ fixture: Fixture, _ note: Comment) async throws -> [Int] {
        let read = try await home.run("timeline", "home", "--offline", "--json", "-n", "10000")
        if read.code == 3 { return [] }
        let places = try read.ids().map { id in try #require(fixture.ids.firstIndex(of: id), note) }
        #expect(places == Set(places).sorted(), note)
        let gaps = Set(read.error.matches(of: #/--before (\d+)/#).map { String($0.1) })
        for (place, next) in zip(places, places.dropFirst() + [fixture.ids.count]) {
            #expect(gaps.contains(fixture.ids[place]) == (next > place + 1), "\(place) of \(places): \(note)")
        }
        return places
    }
}
