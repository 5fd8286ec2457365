import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Monitoring of several servers on one PostgreSQL database, which share a data folder.
extension SeveralServersTests {
    @Test func statsDescribeEveryServer() async throws {
        let feed = try await SharedFeed(servers: 2)
        for server in feed.servers { #expect(try await feed.post("hello", to: server).status == 200) }
        func stats() async throws -> [StatsTests.Stats] {
            try StatsTests.Stats.all(try await feed.admin("stats", "--json").text)
        }
        var both: [StatsTests.Stats] = []
        try await Wait.until("both servers answer in time") {
            both = try await stats()
            return both.count >= 2
        }
        #expect(Set(both.map(\.pid)) == Set(feed.servers.map(\.processID)))
        #expect(Set(both.flatMap(\.addresses)) == Set(feed.servers.map(\.address)))
        #expect(both.allSatisfy { $0.engine == "PostgreSQL" && $0.statuses == 2 && $0.database_bytes > 100_000 })
        _ = try await feed.servers[0].stop(SIGKILL)
        var left: [StatsTests.Stats] = []
        try await Wait.until("the other server answers in time") {
            left = try await stats()
            return !left.isEmpty
        }
        #expect(left.map(\.pid) == [feed.servers[1].processID])
        #expect(try FileManager.default.contentsOfDirectory(atPath: feed.folder.path + "/data/run").count == 1)
        let doctor = try await feed.admin("doctor")
        #expect(doctor.text.contains("ok       database: PostgreSQL "), "\(doctor.text) \(doctor.error)")
    }

    @Test func serversAreNotReadyDuringAnOutage() async throws {
        let feed = try await SharedFeed(servers: 2)
        func states() async throws -> [Int] {
            var states: [Int] = []
            for server in feed.servers {
                states.append(try await RawHTTP.send(port: server.port, "GET", "/ready").status)
            }
            return states
        }
        #expect(try await states() == [200, 200])
        try await feed.cluster.stopImmediately()
        try await Wait.until("both servers notice") { try await states() == [503, 503] }
        let stats = try await StatsTests.answer { try await feed.admin("stats") }
        #expect(stats.code == 0 && stats.text.contains("the database is not available"), "\(stats.text) \(stats.error)")
        try await feed.cluster.start()
        try await Wait.until("both servers recover") { try await states() == [200, 200] }
        try await feed.stop()
    }
}
