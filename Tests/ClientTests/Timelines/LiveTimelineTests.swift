import FeedAPI
import FeedTestSupport
import Foundation
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit

/// Timelines that are followed, on servers with and without positions.
@Suite(.hangLimit)
struct LiveTimelineTests {
    /// Reads statuses from a server until there are `count`, while `body` runs.
    private static func read(
        _ server: StreamServer, first: Int, count: Int, silence: TimeAmount? = nil,
        outages: Outages = Outages(),
        while body: @escaping @Sendable (_ received: @escaping @Sendable () -> Int) async throws -> Void = { _ in }
    ) async throws -> [String] {
        try await LocalServer.serving(server.respond) { port in
            var client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
            if let silence {
                await client.streams.shutdown()
                client.streams = Transport(for: .streams(silence: silence))
            }
            let result = await Self.result { [client] in
                try await Self.read(client, first: first, count: count, outages: outages, while: body)
            }
            await client.shutdown()
            return result
        }.get()
    }

    private static func result(
        _ body: () async throws -> [String]
    ) async -> Result<[String], any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    private static func read(
        _ client: FeedClient, first: Int, count: Int, outages: Outages,
        while body: @escaping @Sendable (_ received: @escaping @Sendable () -> Int) async throws -> Void
    ) async throws -> [String] {
        let received = Received()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await body { received.count } }
            group.addTask {
                for try await entry in try await client.liveTimeline(.public, count: first, onOutage: outages.append) {
                    received.append(entry.status.id)
                    if received.count == count { break }
                }
            }
            try await group.waitForAll()
        }
        return received.ids
    }

    private final class Received: Sendable {
        private let state = Mutex<[String]>([])

        var ids: [String] { state.withLock { $0 } }
        var count: Int { ids.count }

        func append(_ id: String) { state.withLock { $0.append(id) } }
    }

    private final class Outages: Sendable {
        private let state = Mutex<[FeedClientError.Code?]>([])

        var codes: [FeedClientError.Code?] { state.withLock { $0 } }

        @Sendable func append(_ error: FeedClientError?) { state.withLock { $0.append(error?.code) } }
    }

    private static func ids(_ numbers: ClosedRange<Int>) -> [String] { numbers.map(StreamServer.id) }

    /// The page contains what has already arrived as events.
    @Test func nothingIsRepeatedAtTheBeginning() async throws {
        for offer in [StreamServer.Offer.positions, .events] {
            let server = StreamServer(offer, count: 30, postsAtOpening: 3)
            let ids = try await Self.read(server, first: 5, count: 6) { received in
                try await Wait.until("the page has been shown") { received() == 5 }
                server.post(1)
            }
            #expect(ids == Self.ids(29...34))
            #expect(server.requests == ["/api/v1/streaming/public", "/api/v1/timelines/public"])
        }
    }

    @Test func lostConnectionIsResumed() async throws {
        let server = StreamServer(.positions, count: 30)
        let ids = try await Self.read(server, first: 5, count: 107) { received in
            try await Wait.until("the page has been shown") { received() == 5 }
            server.post(2)
            try await Wait.until("the events have arrived") { received() == 7 }
            server.cut()
            server.post(100)
        }
        #expect(ids == Self.ids(26...132))
        #expect(
            server.requests == [
                "/api/v1/streaming/public", "/api/v1/timelines/public", "/api/v1/streaming/public e-32",
            ])
    }

    /// A connection that is replaced at once is not worth a report; a server that is away is, but only once.
    @Test(arguments: [0, 2]) func outageIsReportedOnce(failures: Int) async throws {
        let server = StreamServer(.positions, count: 30)
        let outages = Outages()
        let ids = try await Self.read(server, first: 5, count: 6, outages: outages) { received in
            try await Wait.until("the page has been shown") { received() == 5 }
            server.failStreams(failures)
            server.cut()
            if failures > 0 {
                try await Wait.until("the outage has been reported") { !outages.codes.isEmpty }
            }
            server.post(1)
        }
        #expect(ids == Self.ids(26...31))
        #expect(outages.codes == (failures > 0 ? [.tryLater] : []))
    }

    /// More statuses than fit on a page have been posted meanwhile.
    @Test func withoutPositionsPagesFillTheGap() async throws {
        let server = StreamServer(.events, count: 30)
        let ids = try await Self.read(server, first: 5, count: 108) { received in
            try await Wait.until("the page has been shown") { received() == 5 }
            server.post(2)
            try await Wait.until("the events have arrived") { received() == 7 }
            server.cut()
            server.post(100)
            try await Wait.until("the pages have been shown") { received() == 107 }
            server.post(1)
        }
        #expect(ids == Self.ids(26...133))
    }

    /// A timeline without statuses has no id after which a page could begin.
    @Test func emptyTimelineIsFollowed() async throws {
        let server = StreamServer(.events, count: 0)
        let ids = try await Self.read(server, first: 5, count: 60) { _ in
            try await Wait.until("the page has been read") { server.requests.count >= 2 }
            try await Wait.until("the stream is open") { server.openStreams == 1 }
            server.cut()
            server.post(60)
        }
        #expect(ids == Self.ids(1...60))
    }

    @Test func pageThatFailsIsReadAgain() async throws {
        let server = StreamServer(.events, count: 3)
        let ids = try await Self.read(server, first: 5, count: 7) { received in
            try await Wait.until("the page has been shown") { received() == 3 }
            server.failPages(1)
            server.cut()
            server.post(4)
        }
        #expect(ids == Self.ids(1...7))
    }

    @Test func firstPageThatFailsIsAnError() async throws {
        let server = StreamServer(.positions, count: 3)
        server.failPages(.max)
        await #expect {
            _ = try await Self.read(server, first: 5, count: 1)
        } throws: {
            ($0 as? FeedClientError)?.code == .tryLater
        }
    }

    @Test func serverIsKilledAtRandom() async throws {
        for offer in [StreamServer.Offer.positions, .events] {
            let seed = Soak.seed
            let server = StreamServer(offer, count: 30)
            let rounds = Soak.rounds(3, soaking: 30)
            let counts = Self.counts(rounds, seed: seed)
            let total = 5 + counts.reduce(0, +)
            let ids = try await Self.read(server, first: 5, count: total) { received in
                try await Wait.until("the page has been shown") { received() == 5 }
                for count in counts {
                    server.post(count / 2)
                    try await Wait.until("a stream is open") { server.openStreams > 0 }
                    server.cut()
                    server.post(count - count / 2)
                }
            }
            #expect(ids == Self.ids(26...(25 + total)), "seed \(seed)")
        }
    }

    private static func counts(_ rounds: Int, seed: UInt64) -> [Int] {
        var random = SplitMix64(seed: seed)
        return (0..<rounds).map { _ in Int.random(in: 1...120, using: &random) }
    }

    // MARK: Servers that misbehave

    /// On a busy machine, each stream may seem silent before its first byte arrives, so the server tries until one is resumed.
    @Test func silentServerIsLeft() async throws {
        let server = StreamServer(.positions, count: 3)
        server.send("id: e-3\n\n", untilResumed: true)
        let ids = try await Self.read(server, first: 5, count: 4, silence: .seconds(2)) { received in
            try await Wait.until("the page has been shown") { received() == 3 }
            try await Wait.until("a stream is resumed") {
                server.requests.contains("/api/v1/streaming/public e-3")
            }
            server.post(1)
        }
        #expect(ids == Self.ids(1...4))
        #expect(server.requests.contains("/api/v1/streaming/public e-3"))
    }

    /// It is not asked to resume, because it would send the same event again.
    @Test func endlessLineIsLeft() async throws {
        let server = StreamServer(.positions, count: 3)
        server.send("id: e-3\n\ndata: " + String(repeating: "x", count: 2 << 20))
        let ids = try await Self.read(server, first: 5, count: 4) { received in
            try await Wait.until("the page has been shown") { received() == 3 }
            try await Wait.until("there is another stream") {
                server.requests.filter { $0.hasPrefix("/api/v1/streaming") }.count >= 2
            }
            server.post(1)
        }
        #expect(ids == Self.ids(1...4) && !server.requests.contains { $0.contains("e-3") })
    }

    /// Polling tells whether the account may read at all.
    @Test(arguments: [401, 404, 302, 200])
    func serverWithoutStreamsIsPolled(status: Int) async throws {
        let server = StreamServer(.refusal(status), count: 3)
        #expect(try await Self.read(server, first: 5, count: 3) == Self.ids(1...3))
        #expect(
            server.requests == ["/api/v1/streaming/public", "/api/v1/streaming", "/api/v1/timelines/public"])
    }

    @Test func serverThatIsNotThereIsAnError() async throws {
        let port = try ReservedPort()
        let client = FeedClient(server: try ServerAddress("http://127.0.0.1:\(port.number)"))
        await #expect {
            for try await _ in try await client.liveTimeline(.public) {}
        } throws: {
            ($0 as? FeedClientError)?.code == .unreachable
        }
        await client.shutdown()
        withExtendedLifetime(port) {}
    }
}
