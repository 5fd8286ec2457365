import AsyncHTTPClient
import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

@testable import FeedClientKit

/// After which failures the rest of the outbox waits.
@Suite(.hangLimit)
struct OutboxStopRuleTests {
    private static let account = OutboxAccount(server: "http://a.test", username: "ada")
    private static let sending = OutboxState.sending(since: 5, mediaIDs: [])

    private static func kept(_ state: OutboxState, _ error: FeedClientError?) -> OutboxResult {
        .kept(
            OutboxEntry(
                id: "abcdef", account: account, post: OutboxPost(draft: Draft(text: "one")), idempotencyKey: "k",
                createdAt: 5, state: state), error)
    }

    private static func timeout(_ cause: HTTPClientError) -> FeedClientError {
        FeedClientError(.network, "no", cause: cause)
    }

    @Test(
        arguments: [
            (.new, nil, false), (.refused(message: "no"), FeedClientError(.failed, "no", status: 422), false),
            (.new, FeedClientError(.unreachable, "no"), true), (.new, FeedClientError(.tryLater, "no"), true),
            (.new, FeedClientError(.unauthorized, "no", status: 401), true),
            (.refused(message: "no"), FeedClientError(.unauthorized, "no", status: 403), false),
            (sending, FeedClientError(.network, "no"), false), (sending, timeout(.readTimeout), true),
            (sending, timeout(.deadlineExceeded), true), (sending, timeout(.remoteConnectionClosed), false),
            (.new, timeout(.deadlineExceeded), false), (.new, timeout(.readTimeout), true),
            (.new, timeout(.writeTimeout), true),
        ] as [(OutboxState, FeedClientError?, Bool)])
    func errorsOfTheServerEndTheFlush(state: OutboxState, error: FeedClientError?, isEnd: Bool) {
        var stopRule = OutboxStopRule()
        let end = stopRule.error(after: Self.kept(state, error))?.code
        #expect(end == (isEnd ? error?.code : nil))
    }

    /// One lost connection may be the fault of the post, but not two in a row.
    @Test func secondLostConnectionEndsTheFlush() {
        let lost = Self.kept(Self.sending, FeedClientError(.network, "no"))
        var stopRule = OutboxStopRule()
        let others = Self.kept(.refused(message: "no"), nil)
        var ends: [FeedClientError.Code?] = []
        for result in [lost, others, lost, lost] { ends.append(stopRule.error(after: result)?.code) }
        #expect(ends == [nil, nil, nil, .network])
    }

    @Test func postsWaitWhileTheServerFails() async throws {
        let folder = try TemporaryFolder()
        let outbox = Outbox(folder: folder.path)
        for (number, text) in ["one", "two", "three"].enumerated() {
            var timed = outbox
            timed.clock = { 1_700_000_000_000 + Int64(number) }
            _ = try await timed.add(OutboxPost(draft: Draft(text: text)), for: Self.account)
        }
        let server = MediaServer(
            special: [
                ("POST /api/v1/statuses", { MediaServer.error(.badGateway, "x") }),
                ("POST /api/v1/statuses", { MediaServer.error(.badGateway, "x") }),
            ])
        let error = try await server.run { try await outbox.flush(Self.account, with: $0) }
        #expect(error?.status == 502 && server.bodies("POST /api/v1/statuses") == ["status=one", "status=two"])
        #expect(try await outbox.entries().map(\.state.name) == ["sending", "sending", "new"])
    }
}
