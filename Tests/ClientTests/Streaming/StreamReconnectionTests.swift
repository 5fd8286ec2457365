import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

/// Decisions about when and how to reconnect.
@Suite(.hangLimit)
struct StreamReconnectionTests {
    private static let lost = FeedClientError(.network, "lost")

    private static func moment(_ now: Double = 0, jitter: Double = 0.5) -> TimeSample {
        TimeSample(now: now, jitter: jitter)
    }

    private static func refusal(_ status: Int, retryAfter: Int? = nil) -> FeedClientError {
        FeedClientError(
            status == 429 || status == 503 ? .tryLater : status >= 500 ? .network : .failed, "refused",
            status: status, retryAfter: retryAfter)
    }

    /// A state with an open connection.
    private static func receiving() -> StreamReconnection {
        var state = StreamReconnection()
        state.opened(now: 0)
        state.resynced(jitter: 0)
        return state
    }

    @Test func pageIsReadAfterTheStreamIsOpen() {
        var state = StreamReconnection()
        #expect(state.action == .connect(.serverSentEvents, position: nil))
        state.opened(now: 0)
        #expect(state.action == .resync)
        state.resynced(jitter: 0)
        #expect(state.action == .receive)
    }

    @Test func lostConnectionIsResumedAfterTheLastEvent() {
        var state = Self.receiving()
        state.failed(nil, position: "e-7", Self.moment(jitter: 0.25))
        #expect(state.action == .wait(seconds: 0.25))
        state.waited()
        #expect(state.action == .connect(.serverSentEvents, position: "e-7"))
        state.opened(now: 1)
        #expect(state.action == .receive)
    }

    @Test func positionSurvivesAttemptsThatFail() {
        var state = Self.receiving()
        state.failed(nil, position: "e-7", Self.moment())
        for _ in 0..<20 {
            state.waited()
            #expect(state.action == .connect(.serverSentEvents, position: "e-7"))
            state.failed(FeedClientError(.unreachable, "down"), Self.moment())
        }
    }

    @Test func withoutPositionsThePageIsReadAgain() {
        var state = Self.receiving()
        state.failed(nil, Self.moment())
        state.waited()
        #expect(state.action == .connect(.serverSentEvents, position: nil))
        state.opened(now: 1)
        #expect(state.action == .resync)
    }

    /// Otherwise, the event that could not be read would be sent again and again.
    @Test func unreadableEventIsNotAskedForAgain() {
        var state = Self.receiving()
        state.failed(FeedClientError(.failed, "too long"), position: "e-7", Self.moment())
        state.waited()
        #expect(state.action == .connect(.serverSentEvents, position: nil))
    }

    @Test(arguments: [200, 302, 400, 401, 403, 404, 405, 406, 410, 501])
    func refusalLeadsToTheNextMethod(status: Int) {
        var state = StreamReconnection()
        state.failed(Self.refusal(status), Self.moment())
        #expect(state.action == .connect(.webSocket, position: nil))
        state.failed(Self.refusal(status), Self.moment())
        #expect(state.action == .resync)
        state.resynced(jitter: 0)
        #expect(state.action == .wait(seconds: StreamReconnection.pollingInterval))
        state.waited()
        #expect(state.action == .resync)
    }

    /// A server that restarts behind a proxy is not one without streams.
    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func temporaryErrorIsWaitedFor(status: Int) {
        var state = Self.receiving()
        state.failed(nil, position: "e-7", Self.moment())
        for _ in 0..<10 {
            state.waited()
            state.failed(Self.refusal(status), Self.moment())
        }
        state.waited()
        #expect(state.action == .connect(.serverSentEvents, position: "e-7"))
    }

    @Test func serverThatIsNotThereIsAnError() {
        var state = StreamReconnection()
        state.failed(FeedClientError(.unreachable, "down"), Self.moment())
        #expect(state.action == .fail)
    }

    /// A user who has just started sees something soon.
    @Test func streamThatNeverOpensIsGivenUp() {
        var state = StreamReconnection()
        for _ in 0..<StreamReconnection.maximumAttempts {
            #expect(state.action == .connect(.serverSentEvents, position: nil))
            state.failed(Self.lost, Self.moment())
            state.waited()
        }
        #expect(state.action == .connect(.webSocket, position: nil))
        state.failed(Self.refusal(503, retryAfter: 3600), Self.moment())
        #expect(state.action == .resync)
    }

    @Test func serverDecidesHowLongToWait() {
        var state = Self.receiving()
        state.failed(nil, position: "e-7", reconnectionTime: 4000, Self.moment(jitter: 0))
        #expect(state.action == .wait(seconds: 4))
        state.waited()
        state.failed(Self.refusal(503, retryAfter: 99_999), Self.moment(jitter: 0))
        #expect(state.action == .wait(seconds: 600))
    }

    @Test func pausesGrowUntilAConnectionLasts() {
        var state = Self.receiving()
        var pauses: [Double] = []
        for _ in 0..<8 {
            state.failed(nil, position: "e-7", Self.moment(1, jitter: 1))
            if case .wait(let seconds) = state.action { pauses.append(seconds) }
            state.waited()
            state.opened(now: 0)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30, 30])
        state.failed(nil, position: "e-7", Self.moment(StreamReconnection.successfulTime, jitter: 1))
        #expect(state.action == .wait(seconds: 1))
    }

    @Test func whatHasNoStreamIsPolled() {
        var state = StreamReconnection(offersStream: false)
        #expect(state.action == .resync)
        state.resyncFailed(Self.lost, Self.moment())
        #expect(state.action == .wait(seconds: 0.5))
        state.waited()
        #expect(state.action == .resync)
    }

    /// Whatever happens: after a loss, the reader is told to read the page unless the stream resumes where it ended; no
    /// pause is longer than the server and the limits permit; and there is always something to do.
    @Test func randomWalk() {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        for _ in 0..<Soak.rounds(2000, soaking: 200_000) { walk(&random, "seed \(seed)") }
    }

    private func walk(_ random: inout SplitMix64, _ note: Comment) {
        var state = StreamReconnection()
        var (now, event, connections) = (0.0, 0, 0)
        // The last event that the reader knows about, and whether it must read the page before the next one.
        var (known, isStale) = (0, true)
        for _ in 0..<60 {
            now += Double.random(in: 0..<20, using: &random)
            let moment = TimeSample(now: now, jitter: Double.random(in: 0..<1, using: &random))
            let error = Self.error(&random)
            switch state.action {
            case .wait(let seconds):
                #expect(seconds >= 0 && seconds <= 640, note)
                state.waited()
            case .connect(let method, let position):
                #expect(method != .polling, note)
                if Int.random(in: 0..<3, using: &random) == 0 {
                    state.failed(error, moment)
                } else {
                    connections += 1
                    #expect(position == nil || position == "\(known)" || isStale, note)
                    isStale = position == nil || isStale
                    state.opened(now: now)
                }
            case .resync:
                if Int.random(in: 0..<4, using: &random) == 0 {
                    state.resyncFailed(error, moment)
                    isStale = true
                } else {
                    isStale = false
                    state.resynced(jitter: moment.jitter)
                }
            case .receive:
                #expect(!isStale, note)
                if Bool.random(using: &random) {
                    event += 1
                    known = event
                } else {
                    let hasPosition = Bool.random(using: &random)
                    let ending = Bool.random(using: &random) ? nil : error
                    state.failed(ending, position: hasPosition ? "\(known)" : nil, reconnectionTime: 2000, moment)
                    isStale = !hasPosition || ending?.code == .failed
                }
            case .fail:
                #expect(connections == 0, note)
                return
            }
        }
    }

    private static func error(_ random: inout SplitMix64) -> FeedClientError {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: FeedClientError(.failed, "too long")
        case 1: FeedClientError(.unreachable, "down")
        case 2: refusal([404, 429, 502, 503].randomElement(using: &random) ?? 404, retryAfter: 30)
        default: lost
        }
    }
}
