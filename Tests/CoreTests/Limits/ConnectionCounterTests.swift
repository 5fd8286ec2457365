import TestKit
import Testing

@testable import FeedCore

@Suite(.hangLimit)
struct ConnectionCounterTests {
    private static func limits(total: Int, minimum: Int = 16) -> ConnectionLimits {
        var limits = ConnectionLimits()
        limits.total = total
        limits.addressMinimum = minimum
        return limits
    }

    /// Opens connections of a network until one is refused.
    private static func fill(_ counter: inout ConnectionCounter, _ network: String?) -> Int {
        var count = 0
        while counter.open(network) == .serve { count += 1 }
        return count
    }

    /// The more networks are greedy, the less each one gets, and the others still find free connections.
    @Test(arguments: [(1, 1987), (2, 1656), (10, 710), (100, 95)])
    func greedyNetworksLeaveRoomForOthers(networks: Int, least: Int) {
        var counter = ConnectionCounter(limits: Self.limits(total: 9936))
        var held = [Int](repeating: 0, count: networks)
        // In turns, as if all of them connected at the same time.
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for index in 0..<networks where counter.open("n\(index)") == .serve {
                held[index] += 1
                isGrowing = true
            }
        }
        #expect((least - 1...least + 1).contains(held.min() ?? 0), "\(held.min() ?? 0)")
        for other in 0..<20 {
            for _ in 0..<16 { #expect(counter.open("other\(other)") == .serve) }
        }
    }

    @Test func smallServersKeepAMinimum() {
        var counter = ConnectionCounter(limits: Self.limits(total: 64))
        #expect(["a", "b", "c", "d", "e"].map { Self.fill(&counter, $0) } == [16, 16, 16, 16, 0])
        #expect(counter.open("a") == .refuse(.total))
        counter.close("b", .serve)
        #expect(counter.open("a") == .refuse(.address))
        #expect(counter.open("e") == .serve)
    }

    @Test func proxiesCountInTotalOnly() {
        var counter = ConnectionCounter(limits: Self.limits(total: 100))
        #expect(Self.fill(&counter, nil) == 100)
        #expect(counter.networks == 0 && counter.count == 100)
        #expect(counter.open("a") == .refuse(.total))
    }

    @Test func refusalsAreBounded() {
        var counter = ConnectionCounter(limits: Self.limits(total: 80, minimum: 1))
        let opened = (0..<200).map { _ in counter.open("a") }
        #expect(opened.count { $0 == .serve } == 16)
        #expect(opened.count { $0 == .refuse(.address) } == 10)
        #expect(opened.count { $0 == .close(.address) } == 174)
        counter.close("a", .close(.address))
        #expect(counter.open("a") == .close(.address))
        counter.close("a", .refuse(.address))
        #expect(counter.open("a") == .refuse(.address))
    }

    /// Compares a random walk with a list of the open connections.
    @Test func randomWalkAgreesWithAList() {
        let seed = Soak.seed
        var random = SplitMix64(seed: seed)
        for round in 0..<Soak.rounds(20, soaking: 2000) {
            let limits = Self.limits(total: Int.random(in: 1...60, using: &random), minimum: 4)
            var counter = ConnectionCounter(limits: limits)
            var open: [(network: String?, decision: ConnectionCounter.Decision)] = []
            for step in 0..<500 {
                let place = "step \(step) of round \(round), seed \(seed)"
                if Bool.random(using: &random), let index = open.indices.randomElement(using: &random) {
                    let closed = open.remove(at: index)
                    counter.close(closed.network, closed.decision)
                } else {
                    let network = [nil, "a", "b", "c"].randomElement(using: &random) ?? nil
                    let served = open.filter { $0.decision == .serve }
                    let allowed = max(4, (limits.total - served.count) / limits.addressDivisor)
                    let mayServe =
                        served.count < limits.total
                        && (network == nil || served.count { $0.network == network } < allowed)
                    let decision = counter.open(network)
                    #expect((decision == .serve) == mayServe, "\(place)")
                    open.append((network, decision))
                }
                #expect(counter.count == open.count { $0.decision == .serve }, "\(place)")
                let networks = Set(open.filter { $0.decision == .serve }.compactMap(\.network)).count
                #expect(counter.networks == networks, "\(place)")
                let refusals = open.count { if case .refuse = $0.decision { true } else { false } }
                #expect(refusals <= limits.refusals, "\(place)")
            }
        }
    }

    @Test func eventsAreLoggedAtIntervals() {
        var interval = LogInterval(milliseconds: 60_000)
        #expect([0, 1, 59_999, 60_000, 60_001, 200_000].map { interval.take(now: $0) } == [1, nil, nil, 3, nil, 2])
    }
}
