import FeedAPI
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedClientKit

/// The search for a post at servers that respond slowly.
@Suite(.hangLimit)
struct OutboxSearchTests {
    private static let account = OutboxAccount(server: "http://a.test", username: "ada")
    private static let person = #"{"id":"1","username":"ada","acct":"ada","display_name":""}"#
    /// The time that each response of a slow server takes, in milliseconds.
    private static let delay: Int64 = 20 * 60_000

    private let outbox: Outbox
    private let folder: TemporaryFolder
    private let clock = TestClock()

    /// The first attempt is two slow responses ago.
    init() throws {
        clock.now = Int64(Date().timeIntervalSince1970 * 1000) - 2 * Self.delay
        folder = try TemporaryFolder()
        var outbox = Outbox(folder: folder.path)
        outbox.clock = { [clock] in clock.now }
        self.outbox = outbox
    }

    private func status(at time: Int64) -> String {
        #"{"id":"5","created_at":"\#(ISO8601.text(milliseconds: time))","account":\#(Self.person),"#
            + #""content":"<p>hello</p>","visibility":"public","spoiler_text":"","mentions":[],"tags":[]}"#
    }

    private func send(_ server: MediaServer) async throws -> OutboxResult {
        let claim = try await outbox.add(OutboxPost(draft: Draft(text: "hello")), for: Self.account)
        return try await server.run { try await claim.send(with: $0) }
    }

    /// Neither a slow response nor a failed attempt means that the server's clock is ahead. The status is as far from
    /// both the right and the wrong time as the test may take.
    @Test func slowServerIsNotAheadOfTime() async throws {
        _ = try await send(
            MediaServer(special: [("POST /api/v1/statuses", { MediaServer.error(.badGateway, "x") })]))
        let list = "[\(status(at: clock.now + Self.delay / 2))]"
        let credentials = "GET /api/v1/accounts/verify_credentials"
        let server = MediaServer(
            special: [
                (
                    credentials,
                    { @Sendable [clock] in
                        clock.now += Self.delay
                        return MediaServer.error(.badGateway, "x")
                    }
                ),
                (
                    credentials,
                    { @Sendable [clock] in
                        clock.now += Self.delay
                        return MediaServer.json(Self.person)
                    }
                ),
                ("GET /api/v1/accounts/1/statuses", { MediaServer.json(list) }),
            ])
        guard case .delivered(_, .posted(let found)) = try await send(server) else {
            Issue.record("it was not found")
            return
        }
        #expect(found.status.id == "5")
    }
}
