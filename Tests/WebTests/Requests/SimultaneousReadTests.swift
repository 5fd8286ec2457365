import FeedCore
import FeedTestSupport
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// Requests that arrive while the page they need is built.
@Suite(.hangLimit)
struct SimultaneousReadTests {
    /// The limits for clients that wait for each other.
    private static let limits: ConnectionLimits = {
        var limits = ConnectionLimits()
        (limits.firstHead, limits.nextHead) = (3_600_000, 3_600_000)
        return limits
    }()

    /// Many clients read while statuses are posted. Nobody gets a page without a status that had been posted before the
    /// request.
    @Test func simultaneousReadersSeeEveryStatus() async throws {
        let world = try await TokenWorld.make()
        try await LiveServer.run(Self.limits, world.test, world.test.services) { server in
            let connections = try (0..<16).map { _ in try KeptConnection(port: server.port) }
            let target = "/api/v1/timelines/public?limit=2"
            for _ in 0..<2 { _ = try await connections[0].ask("GET", target) }
            for number in 0..<30 {
                world.test.store.clock.now += 1000
                try await world.test.store.post("number \(number) is new", by: world.account)
                try await withThrowingTaskGroup(of: RawHTTP.Response.self) { group in
                    for connection in connections { group.addTask { try await connection.ask("GET", target) } }
                    for try await response in group {
                        #expect(response.status == 200 && response.text.contains("number \(number) is new"))
                    }
                }
                let again = try await connections[0].ask("GET", target)
                #expect(again.text.contains("number \(number) is new"))
            }
        }
    }

    /// Requests on one connection are answered in their order, also if the first one has to wait.
    @Test func pipelinedRequestsKeepTheirOrder() async throws {
        let world = try await TokenWorld.make()
        try await LiveServer.run(Self.limits, world.test, world.test.services) { server in
            let targets = ["/api/v1/timelines/public?limit=2", "/health", "/api/v1/timelines/public?limit=1"]
            let connections = try (0..<8).map { _ in try KeptConnection(port: server.port) }
            for target in targets { for _ in 0..<2 { _ = try await connections[0].ask("GET", target) } }
            let requests = targets.map { KeptConnection.request("GET", $0) }.reduce(Data(), +)
            for number in 0..<10 {
                try await world.test.store.post("number \(number) is new", by: world.account)
                try await withThrowingTaskGroup(of: [RawHTTP.Response].self) { group in
                    for connection in connections {
                        group.addTask { try await connection.pipeline(requests, count: targets.count) }
                    }
                    for try await responses in group {
                        #expect(responses.map(\.status) == [200, 200, 200])
                        #expect(responses[1].text == "OK")
                        for index in [0, 2] { #expect(responses[index].text.contains("number \(number) is new")) }
                        #expect(responses[0].body.count > responses[2].body.count)
                    }
                }
            }
        }
    }
}
