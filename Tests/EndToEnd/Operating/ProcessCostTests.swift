import FeedTestSupport
import Foundation
import TestKit
import Testing

/// The cost of requests in calls of the allocator and the disk. Counts find a regression that times hide in noise.
///
/// The limits are about one and a half times what was measured, so that only a change for the worse exceeds them.
@Suite(
    .hangLimit,
    .enabled(if: ProcessCounts.areMeaningful, "needs optimized programs: make test"))
struct ProcessCostTests {
    /// A response that is in a cache.
    struct HotRow: Sendable, CustomTestStringConvertible {
        let name: String
        let target: String
        var isPersonal = false
        var isConditional = false
        /// The limit of allocations per request.
        let allocations: Double

        var testDescription: String { name }

        static let all = [
            HotRow(name: "health", target: "/health", allocations: 11),
            HotRow(name: "public timeline", target: "/api/v1/timelines/public", allocations: 21),
            HotRow(
                name: "public timeline, not modified", target: "/api/v1/timelines/public", isConditional: true,
                allocations: 38),
            HotRow(
                name: "home timeline", target: "/api/v1/timelines/home", isPersonal: true, allocations: 38),
            HotRow(name: "instance", target: "/api/v1/instance", allocations: 21),
            HotRow(name: "front page", target: "/", allocations: 17),
        ]
    }

    /// A request that is refused or matches no endpoint. What it costs must not grow with its length.
    struct RefusedRow: Sendable, CustomTestStringConvertible {
        let name: String
        let target: String
        var headers: [String] = []
        let status: Int

        var testDescription: String { name }

        static let all = [
            RefusedRow(name: "unmatched path", target: "/nope", status: 404),
            RefusedRow(
                name: "unmatched path of the maximum length",
                target: String(repeating: "/" + String(repeating: "a", count: 31), count: 64), status: 404),
            RefusedRow(
                name: "path with too many segments", target: String(repeating: "/a", count: 7900), status: 414),
            RefusedRow(
                name: "path with a long segment", target: "/" + String(repeating: "a", count: 15_900), status: 414),
            RefusedRow(
                name: "long list of entity tags", target: "/",
                headers: ["If-None-Match: " + String(repeating: "\"", count: 15_900)], status: 400),
            RefusedRow(
                name: "long list of codings", target: "/nope",
                headers: ["Accept-Encoding: " + String(repeating: "a,", count: 7900)], status: 404),
        ]
    }

    private static let requests = 1000
    private static let allocationsPerRefusal = 300.0
    /// Many lines of the access log share one call.
    private static let logWritesPerRequest = 0.5
    /// A line waits for 50 ms for others. A slow machine answers fewer requests in this time.
    private static let logWritesPerSecond = 20.0
    /// Now and then, maintenance writes.
    private static let rounds = 5
    /// The goal is 0.1. A busy machine brings fewer posts together: 0.33 were seen.
    private static let syncsPerConcurrentPost = 0.7
    /// One for the commit, and now and then some for a checkpoint.
    private static let syncsPerLonePost = 2.0
    private static let allocationsPerPost = 850.0
    /// Always nearly the same: 193,000 were measured.
    private static let allocationsPerStart = 300_000.0
    /// The server looks for changes by other processes 20 times a second.
    private static let allocationsPerIdleSecond = 2000.0

    @Test(arguments: HotRow.all) func hotResponseIsCheap(_ row: HotRow) async throws {
        let server = try await CountedServer.start()
        let connection = try server.connect()
        try await connection.send((0..<20).map { server.post("post \($0)") }, expecting: 200)
        var headers = row.isPersonal ? ["Authorization: Bearer " + server.token] : []
        let first = try await connection.send([server.request(row.target, headers)], expecting: 200)
        if row.isConditional { headers.append("If-None-Match: " + (try #require(first.headers["etag"]))) }
        let requests = Array(repeating: server.request(row.target, headers), count: Self.requests)
        let status = row.isConditional ? 304 : 200
        try await connection.send(requests, expecting: status)

        var costs: [ProcessCounts] = []
        for _ in 0..<Self.rounds {
            let (cost, seconds) = try await Self.cost(server, per: Self.requests) {
                try await connection.send(requests, expecting: status)
            }
            let logWrites = Self.logWritesPerRequest + Self.logWritesPerSecond * seconds
            if cost.allocations <= row.allocations, cost.syncs == 0, cost.logWrites <= logWrites { return }
            costs.append(cost)
        }
        Issue.record("\(row.name): \(costs)")
    }

    @Test(arguments: RefusedRow.all) func refusedRequestIsCheap(_ row: RefusedRow) async throws {
        let server = try await CountedServer.start()
        let connection = try server.connect()
        let requests = Array(repeating: server.request(row.target, row.headers), count: 100)
        try await connection.send(requests, expecting: row.status)
        var costs: [ProcessCounts] = []
        for _ in 0..<Self.rounds {
            let (cost, _) = try await Self.cost(server, per: requests.count) {
                try await connection.send(requests, expecting: row.status)
            }
            if cost.allocations <= Self.allocationsPerRefusal, cost.syncs == 0 { return }
            costs.append(cost)
        }
        Issue.record("\(row.name): \(costs)")
    }

    /// The cost of a number of requests, without what an idle server allocates in the same time, which is much on a busy
    /// machine.
    /// - Returns: The cost, and the time, per request.
    private static func cost(
        _ server: CountedServer, per requests: Int, _ body: () async throws -> Void
    ) async throws -> (cost: ProcessCounts, seconds: Double) {
        let start = ContinuousClock.now
        let before = try server.counts()
        try await body()
        let cost = ProcessCounts.between(before, try server.counts(), per: requests)
        let seconds = (ContinuousClock.now - start) / .seconds(1) / Double(requests)
        return (cost.withoutAllocations(seconds * allocationsPerIdleSecond), seconds)
    }

    @Test func concurrentPostsShareSyncs() async throws {
        let (connections, posts) = (32, 20)
        // While the disk is busy, posts wait for it together, even if their clients are slow.
        let server = try await CountedServer.start(syncDelay: 100_000)
        let (cost, _) = try await Self.cost(server, per: connections * posts) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<connections {
                    group.addTask {
                        let connection = try server.connect()
                        try await connection.send(
                            (0..<posts).map { server.post("post \(number) \($0)") }, expecting: 200)
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(cost.syncs <= Self.syncsPerConcurrentPost && cost.syncs > 0, "\(cost)")
        #expect(cost.allocations <= Self.allocationsPerPost, "\(cost)")
    }

    /// Nobody shares the commit of a lone post, which is on the disk before the response.
    @Test func lonePostIsSyncedOnce() async throws {
        let posts = 200
        let server = try await CountedServer.start()
        let connection = try server.connect()
        try await connection.send([server.post("the first")], expecting: 200)
        let (cost, _) = try await Self.cost(server, per: posts) {
            try await connection.send((0..<posts).map { server.post("post \($0)") }, expecting: 200)
        }
        #expect(cost.syncs >= 1 && cost.syncs <= Self.syncsPerLonePost, "\(cost)")
        #expect(cost.allocations <= Self.allocationsPerPost, "\(cost)")
    }

    /// The start of a server with a new folder, from `exec` until it listens.
    @Test func startIsCheap() async throws {
        let allocations = try await CountedServer.start().startAllocations
        #expect(allocations > 0 && allocations <= Self.allocationsPerStart)
    }

    /// The tasks at the start of a server may write; afterwards, an idle server leaves the disk and the processor alone.
    @Test func idleServerIsQuiet() async throws {
        let server = try await CountedServer.start()
        try await server.connect().send([server.request("/health")], expecting: 200)
        let seconds = 2
        try await Wait.until("the server is quiet") {
            // The cost of an idle server is one per time.
            let (cost, _) = try await Self.cost(server, per: 1) { try await Task.sleep(for: .seconds(seconds)) }
            return cost.syncs == 0 && cost.logWrites == 0 && cost.allocations <= 0
        }
    }
}
