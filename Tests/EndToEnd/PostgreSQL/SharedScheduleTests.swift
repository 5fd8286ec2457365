import FeedTestSupport
import Foundation
import TestKit
import Testing

/// Scheduled statuses that become due while several servers run.
@Suite(.hangLimit, .serialized, .enabledWithPostgreSQL)
struct SharedScheduleTests {
    private static let count = 200

    /// Schedules statuses. Half of them are overdue when the servers start, the others become due a little later.
    /// - Parameter seconds: The time until the others become due.
    private static func makeFeed(seconds: Int = 6) async throws -> SharedFeed {
        let feed = try await SharedFeed(servers: 1)
        try await SchedulingClient(server: feed.servers[0], token: feed.token).schedule(count)
        try await feed.stop()
        _ = try await feed.cluster.query(
            """
            UPDATE scheduled_status SET due_at = CAST(extract(epoch FROM now()) * 1000 AS BIGINT)
            + CASE WHEN right(parameters::json->>'text', 1) IN ('0', '2', '4', '6', '8') THEN 0 ELSE \(seconds * 1000) END
            """)
        return feed
    }

    private static func number(_ sql: String, _ feed: SharedFeed) async throws -> Int {
        try await feed.cluster.query(sql).first.flatMap { Int($0) } ?? -1
    }

    private static func check(_ feed: SharedFeed) async throws {
        try await Wait.until("all are published") {
            try await number("SELECT count(*) FROM scheduled_status", feed) == 0
        }
        #expect(try await number("SELECT count(*) FROM status", feed) == count)
        #expect(try await number("SELECT count(DISTINCT text) FROM status", feed) == count)
        #expect(try await number("SELECT statuses_count FROM account", feed) == count)
    }

    @Test func dueStatusesArePublishedOnceByTwoServers() async throws {
        let feed = try await Self.makeFeed()
        async let one = feed.start()
        async let two = feed.start()
        let servers = try await [one, two]
        try await Self.check(feed)
        for server in servers {
            try await Wait.until("the server shows them") {
                try await RawHTTP.send(port: server.port, "GET", "/api/v1/timelines/public?limit=40").text
                    .components(separatedBy: "<p>later ").count == 41
            }
            #expect(try await server.stop() == 0)
        }
    }

    /// Whichever server publishes is killed; the other one continues. On a busy machine, the first server may have
    /// published everything before the other one has started, so then there is more time.
    @Test func otherServerContinuesAfterACrash() async throws {
        var left = 0
        for seconds in [6, 30, 120] where left == 0 {
            let feed = try await Self.makeFeed(seconds: seconds)
            let first = try await feed.start()
            try await Wait.until("some are published") {
                try await Self.number("SELECT count(*) FROM status", feed) > 20
            }
            let second = try await feed.start()
            _ = try await first.stop(SIGKILL)
            left = try await Self.number("SELECT count(*) FROM scheduled_status", feed)
            try await Self.check(feed)
            #expect(try await second.stop() == 0)
        }
        #expect(left > 0, "nothing was left to the other server")
    }
}
