import FeedCore
import Synchronization
import TestKit
import Testing

/// The conditions under which the server says that it can store data.
@Suite(.hangLimit)
struct ReadinessTests {
    private static let full = FeedError(.diskFull, "The disk is full")

    /// `probe`, or the message of a known answer; "ready" without a problem.
    private static func text(_ action: ReadinessState.Action) -> String {
        switch action {
        case .probe: "probe"
        case .known(let problem): problem?.message ?? "ready"
        }
    }

    @Test func resultIsValidForASecond() {
        var state = ReadinessState()
        #expect(Self.text(state.begin(now: 0)) == "probe")
        #expect(state.finish(nil, now: 10) == nil)
        #expect(Self.text(state.begin(now: 1009)) == "ready")
        #expect(Self.text(state.begin(now: 1010)) == "probe")
        #expect(state.finish(Self.full, now: 1020)?.message == "The disk is full")
        #expect(Self.text(state.begin(now: 1021)) == "The disk is full")
        #expect(Self.text(state.begin(now: 2020)) == "probe")
    }

    @Test func runningProbeIsNotRepeatedUntilItIsTooSlow() {
        var state = ReadinessState()
        _ = state.begin(now: 0)
        _ = state.finish(nil, now: 0)
        #expect(Self.text(state.begin(now: 2000)) == "probe")
        #expect(Self.text(state.begin(now: 2001)) == "ready")
        #expect(Self.text(state.begin(now: 6999)) == "ready")
        #expect(Self.text(state.begin(now: 7000)) == "The database does not respond")
        #expect(state.finish(nil, now: 9000) == nil)
        #expect(Self.text(state.begin(now: 9001)) == "ready")
    }

    @Test func clockThatIsSetBackEndsTheValidity() {
        var state = ReadinessState()
        _ = state.begin(now: 1_000_000)
        _ = state.finish(nil, now: 1_000_000)
        #expect(Self.text(state.begin(now: 5)) == "probe")
    }

    @Test func stoppingServerIsNotReady() {
        var state = ReadinessState()
        _ = state.begin(now: 0)
        state.isStopping = true
        #expect(state.finish(nil, now: 1)?.message == "The server is shutting down")
        #expect(Self.text(state.begin(now: 2)) == "The server is shutting down")
    }

    @Test func probesAreLimitedToOnePerSecond() async {
        let time = Mutex<Int64>(0)
        let probes = Atomic(0)
        let readiness = Readiness(clock: WallClock { time.withLock { $0 } }) {
            probes.add(1, ordering: .relaxed)
            if probes.load(ordering: .relaxed) == 2 { throw Self.full }
        }
        for _ in 0..<10 { #expect(await readiness.problem() == nil) }
        #expect(probes.load(ordering: .relaxed) == 1)
        time.withLock { $0 = 1000 }
        for _ in 0..<10 { #expect(await readiness.problem()?.kind == .diskFull) }
        #expect(probes.load(ordering: .relaxed) == 2)
        time.withLock { $0 = 2000 }
        #expect(await readiness.problem() == nil)
        readiness.stop()
        #expect(await readiness.problem()?.message == "The server is shutting down")
    }
}
