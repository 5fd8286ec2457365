import TestKit
import Testing

@testable import FeedClientKit

/// The next action for a post, depending on its state, the server and the time.
@Suite(.hangLimit)
struct OutboxDeliveryTests {
    private static let start: Int64 = 1_700_000_000_000
    private static let minute: Int64 = 60_000
    private static let sending = OutboxState.sending(since: start, mediaIDs: ["m"])
    private static let unclear = OutboxState.unclear(since: start, mediaIDs: ["m"])

    @Test(
        arguments: [
            (.new, .automatic, .send), (.new, .flush, .send), (sending, .automatic, .identifyServer),
            (sending, .resend, .identifyServer), (unclear, .automatic, .finish),
            (unclear, .flush, .search(since: start)), (unclear, .resend, .search(since: start)),
            (.refused(message: "x"), .automatic, .finish),
            (.refused(message: "x"), .flush, .finish), (.refused(message: "x"), .resend, .send),
        ] as [(OutboxState, OutboxTrigger, OutboxDelivery.Action)])
    func stateAndTriggerDecideWhatIsDoneFirst(
        state: OutboxState, trigger: OutboxTrigger, action: OutboxDelivery.Action
    ) {
        #expect(OutboxDelivery(state, trigger).firstAction == action)
    }

    /// The key is used again within an hour, less the time that a request may take, and only if it counts.
    @Test(
        arguments: [
            (true, 0, true), (true, 57, true), (true, 58, false), (true, 60, false), (true, -1, false),
            (false, 0, false), (true, 1_000_000, false),
        ] as [(Bool, Int64, Bool)])
    func requestIsRepeatedOnlyWhileTheKeyCounts(honorsKeys: Bool, minutes: Int64, isSent: Bool) {
        var delivery = OutboxDelivery(Self.sending, .automatic)
        let action = delivery.identified(honorsKeys: honorsKeys, now: Self.start + minutes * Self.minute)
        #expect(action == (isSent ? .send : .search(since: Self.start)))
        #expect(delivery.state == Self.sending && delivery.mediaIDs == ["m"])
    }

    @Test func clockAtItsLimitDoesNotTrap() {
        var delivery = OutboxDelivery(.sending(since: .min, mediaIDs: []), .automatic)
        #expect(delivery.identified(honorsKeys: true, now: .max) == .search(since: .min))
    }

    @Test func postThatIsNotFoundWaitsForTheUser() {
        var delivery = OutboxDelivery(Self.sending, .automatic)
        #expect(delivery.searched(found: false) == .finish)
        #expect(delivery.state == Self.unclear && !delivery.isDelivered)
        var found = OutboxDelivery(Self.unclear, .resend)
        #expect(found.searched(found: true) == .finish && found.isDelivered)
    }

    /// A post that the user sends in spite of a doubt keeps the time of the first attempt; its media are uploaded again.
    @Test func doubtRemainsAfterAnotherAttempt() {
        for outcome in [OutboxDelivery.Outcome.unknown, .notProcessed, .refused(message: "no")] {
            var delivery = OutboxDelivery(Self.unclear, .resend)
            #expect(delivery.searched(found: false) == .send && delivery.mediaIDs == nil)
            delivery.begin(mediaIDs: ["n"], now: Self.start + Self.minute)
            #expect(delivery.state == .sending(since: Self.start, mediaIDs: ["n"]))
            delivery.end(outcome)
            let isUnknown = outcome == .unknown
            #expect(
                delivery.state
                    == (isUnknown ? .sending(since: Self.start, mediaIDs: ["n"]) : Self.unclear))
        }
    }

    @Test func firstAttemptThatFailsForCertainLeavesNoDoubt() {
        var delivery = OutboxDelivery(.new, .automatic)
        delivery.begin(mediaIDs: [], now: Self.start)
        #expect(delivery.state == .sending(since: Self.start, mediaIDs: []))
        var refused = delivery
        refused.end(.refused(message: "no"))
        #expect(refused.state == .refused(message: "no"))
        delivery.end(.notProcessed)
        #expect(delivery.state == .new)
    }

    @Test(
        arguments: [
            ("4.3.0 (compatible; feedserver 0.1.0)", true), ("4.3.2", true), ("4.4.0-beta.1", true),
            ("4.3.0-rc1+glitch", true), ("4.3.0+glitch", true), ("2.7.2 (compatible; Pleroma 2.5.0)", false),
            ("0.17.3+git-abc", false), ("0.17.3", false), ("1.0.0", false), ("4.2.1+other", false),
            ("2.68 (not true Mastodon)", false), ("", false), ("99999999999999999999.0.0", false), ("4.3", false),
            ("4.3.0 (compatible; feedserverish 1)", false),
        ])
    func serversThatHonorKeysAreKnown(version: String, isKnown: Bool) {
        #expect(IdempotencySupport.isKnown(version: version) == isKnown)
    }

    private static func error(_ status: Int?, _ code: FeedClientError.Code = .failed) -> FeedClientError {
        FeedClientError(code, "no", status: status)
    }

    @Test(
        arguments: [
            (error(401, .unauthorized), .notProcessed), (error(429, .tryLater), .notProcessed),
            (error(nil, .unreachable), .notProcessed), (error(408), .unknown), (error(500, .network), .unknown),
            (error(503, .tryLater), .unknown), (error(nil, .network), .unknown), (error(nil), .unknown),
            (error(422), .refused(message: "no")), (error(403, .unauthorized), .refused(message: "no")),
            (error(404, .notFound), .refused(message: "no")), (error(302), .refused(message: "no")),
            (error(507, .insufficientStorage), .refused(message: "no")), (error(507, .tryLater), .notProcessed),
        ] as [(FeedClientError, OutboxDelivery.Outcome)])
    func errorsTellWhetherTheServerHasTheStatus(error: FeedClientError, outcome: OutboxDelivery.Outcome) {
        #expect(OutboxDelivery.Outcome(ofRequest: error) == outcome)
        let upload = OutboxDelivery.Outcome(ofUpload: error)
        let isLocal = error.status == nil && error.code == .failed
        #expect(upload == (isLocal ? .refused(message: "no") : outcome == .unknown ? .notProcessed : outcome))
    }

    @Test func cancellationLeavesADoubt() {
        #expect(OutboxDelivery.Outcome(ofRequest: CancellationError()) == .unknown)
        #expect(OutboxDelivery.Outcome(ofUpload: CancellationError()) == .notProcessed)
    }
}
