import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `feedclient post --schedule` and `feedclient schedule`.
@Suite(.hangLimit)
struct ScheduleCommandTests {
    /// Times are local.
    private static let zone = ["TZ": "UTC"]

    @Test func postIsScheduledListedMovedAndCanceled() async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        #expect(try await home.run("schedule", "list").code == 4)
        _ = try await home.login(server, "ada")
        let none = try await home.run("schedule")
        #expect(none.code == 0 && none.text.isEmpty && none.error == "no scheduled posts\n")

        let first = try await home.run(
            "post", "happy new year", "--schedule", "2097-01-01T00:00", "--visibility", "unlisted",
            environment: Self.zone)
        let said = try #require(
            first.text.wholeMatch(of: /scheduled (\d+) for 2097-01-01 00:00\n/), "\(first.text) \(first.error)")
        let id = String(said.1)
        let second = try await home.run("post", "--schedule", "+2h", "--json", input: "soon\n")
        #expect(second.code == 0 && second.text.contains("\"text\":\"soon\""), "\(second.text) \(second.error)")
        #expect(try await home.run("timeline").text.isEmpty)

        let listed = try await home.run("schedule", "list", environment: Self.zone).text.split(separator: "\n")
        #expect(listed.count == 2 && listed[0].contains("soon"), "\(listed)")
        #expect(listed[1] == "\(id)  2097-01-01 00:00  [unlisted] happy new year")
        let objects = try await home.run("schedule", "list", "--json").text.split(separator: "\n")
        #expect(objects.count == 2 && objects[1].contains("\"scheduled_at\":\"2097-01-01T00:00:00.000Z\""))

        let moved = try await home.run("schedule", "move", id, "2096-12-31T23:30:00+01:00", environment: Self.zone)
        #expect(moved.text == "scheduled \(id) for 2096-12-31 22:30\n", "\(moved.error)")
        let canceled = try await home.run("schedule", "cancel", id)
        #expect(canceled.code == 0 && canceled.text == "canceled \(id)\n")
        #expect(try await home.run("schedule", "cancel", id).code == 3)
        #expect(try await home.run("schedule", "move", id, "+1d").code == 3)
        #expect(try await home.run("schedule", "list").text.split(separator: "\n").count == 1)
    }

    static let zones: [(zone: String, utc: String)] = [
        ("Europe/Berlin", "2097-07-01T16:00:00.000Z"), (":Europe/Berlin", "2097-07-01T16:00:00.000Z"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2097-07-01T16:00:00.000Z"), ("JST-9", "2097-07-01T09:00:00.000Z"),
        ("UTC+3", "2097-07-01T21:00:00.000Z"), ("<+0330>-3:30", "2097-07-01T14:30:00.000Z"),
        ("/usr/share/zoneinfo/Asia/Kolkata", "2097-07-01T12:30:00.000Z"), ("", "2097-07-01T18:00:00.000Z"),
    ]

    /// Local times are read and shown in every form of `TZ` that `date` understands.
    @Test func timeZonesAreThoseOfTheCLibrary() async throws {
        let people = try await ClientPeople.start("ada")
        let home = people.homes[0]
        let post = try await home.run("post", "soon", "--schedule", "2097-01-01", "--json").object()
        let id = try #require(post["id"] as? String)
        for row in Self.zones {
            let zone = ["TZ": row.zone]
            let moved = try await home.run("schedule", "move", id, "2097-07-01T18:00", "--json", environment: zone)
            #expect(try moved.object()["scheduled_at"] as? String == row.utc, "\(row.zone)")
            let listed = try await home.run("schedule", "list", environment: zone)
            #expect(listed.text.contains("  2097-07-01 18:00  "), "\(row.zone): \(listed.text)")
        }
    }

    static let refused: [(time: String, part: String)] = [
        ("soon", "\"soon\" is not a time"), ("+2", "is not a time"), ("+1m", "less than 5 minutes from now"),
        ("2020-01-01", "in the past"),
    ]

    /// Nothing is sent, so no server is needed.
    @Test(arguments: refused) func impossibleTimesAreUsageErrors(row: (time: String, part: String)) async throws {
        let server = try await ServerProcess.start()
        try await server.addAccount("ada")
        let home = try ClientHome()
        _ = try await home.login(server, "ada")
        for arguments in [["post", "x", "--schedule", row.time], ["schedule", "move", "1", row.time]] {
            let done = try await Tool.run(Programs.feedclient, arguments, environment: home.environment)
            #expect(done.code == 2 && done.error.contains(row.part), "\(arguments): \(done.code) \(done.error)")
            #expect(done.error.contains("hint: "), "\(done.error)")
        }
        #expect(try await home.run("timeline").text.isEmpty)
    }
}
