import FeedTestSupport
import Foundation
import TestKit
import Testing

/// `kill -9` while scheduled statuses are published: none is lost, and none is published twice.
@Suite(.hangLimit, .serialized)
struct InterruptedPublishingTests {
    private static let count = 200

    @Test(arguments: (0..<UInt64(Soak.rounds(3, soaking: 30))).map { Soak.seed &+ $0 })
    func killedServerPublishesEachOnce(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let folder = try TemporaryFolder()
        let server = try await ServerProcess.start(folder: folder)
        try await server.addAccount("ada")
        try await SchedulingClient(server: server, token: server.token("ada")).schedule(Self.count)
        try await server.stop()
        try DatabaseFile.execute("UPDATE scheduled_status SET due_at = id % 100", data: server.data)

        let file = try DatabaseFile(data: server.data)
        var published = 0
        for _ in 0..<4 {
            guard published < Self.count else { break }
            let goal = Int.random(in: published...Self.count, using: &random)
            let killed = try await KilledCommand.run(["serve", "--data", server.data, "--port", "0"]) {
                try file.number("SELECT count(*) FROM status") >= goal
            }
            #expect(killed, "the server ended by itself, seed \(seed)")
            published = try file.number("SELECT count(*) FROM status")
            let left = try file.number("SELECT count(*) FROM scheduled_status")
            #expect(published + left == Self.count, "seed \(seed)")
        }
        let last = try await ServerProcess.start(folder: folder)
        try await Wait.until("all are published") { try file.number("SELECT count(*) FROM scheduled_status") == 0 }
        #expect(try file.number("SELECT count(*) FROM status") == Self.count, "seed \(seed)")
        #expect(try file.number("SELECT count(DISTINCT text) FROM status") == Self.count, "seed \(seed)")
        #expect(try file.number("SELECT statuses_count FROM account") == Self.count, "seed \(seed)")
        let page = try await RawHTTP.send(port: last.port, "GET", "/api/v1/timelines/public?limit=40")
        #expect(page.text.components(separatedBy: "<p>later ").count == 41, "\(page.text.prefix(300))")
        try await last.stop()
    }
}

/// Schedules statuses at a server.
struct SchedulingClient {
    let server: ServerProcess
    let token: String

    /// Schedules statuses with different texts for 2099.
    func schedule(_ count: Int) async throws {
        for number in 0..<count {
            let response = try await RawHTTP.send(
                port: server.port, "POST", "/api/v1/statuses",
                headers: [
                    "Authorization: Bearer " + token, "Content-Type: application/x-www-form-urlencoded",
                ], body: Data("status=later+\(number)&scheduled_at=2099-01-01".utf8))
            try #require(response.status == 200, "\(response.text)")
        }
    }
}
