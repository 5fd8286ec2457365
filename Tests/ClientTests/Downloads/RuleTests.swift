import FeedTestSupport
import Testing

@testable import FeedClientKit

@Suite struct ChunkRuleTests {
    private static let sizes: [(total: Int64, wanted: Int64?, size: Int64)] = [
        (0, nil, 4 << 20), (1, nil, 4 << 20), (16 << 30, nil, 4 << 20), (16 << 30 | 1, nil, 8 << 20),
        (1 << 40, nil, 256 << 20), (1 << 20, 512 << 10, 512 << 10), (1 << 20, 1, 64 << 10),
        (1 << 30, 64 << 10, 256 << 10), (.max, nil, 1 << 51), (.max, 1, 1 << 51),
    ]

    @Test func theSizeFitsTheFile() {
        for row in Self.sizes { #expect(ChunkRule.size(total: row.total, wanted: row.wanted) == row.size, "\(row)") }
    }

    @Test(arguments: 1...500)
    func theJournalStaysSmall(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        let total = Int64.random(in: 1 ... .max >> Int64.random(in: 0...50, using: &random), using: &random)
        let wanted = Bool.random(using: &random) ? nil : Int64.random(in: 1...1 << 40, using: &random)
        let size = ChunkRule.size(total: total, wanted: wanted)
        #expect((total - 1) / size < ChunkRule.most && size >= ChunkRule.smallest && size >= wanted ?? 0)
    }

    @Test func smallFilesAreLeftToOneUnlessSomebodySaysOtherwise() {
        #expect(!ChunkRule.isShared(total: 16 << 20 - 1, isFixed: false))
        #expect(ChunkRule.isShared(total: 16 << 20, isFixed: false))
        #expect(ChunkRule.isShared(total: 512 << 10, isFixed: true))
        #expect(!ChunkRule.isShared(total: 512 << 10 - 1, isFixed: true))
    }
}

@Suite struct WidthRuleTests {
    /// Lets `rule` see a host that gives `rate(width)` bytes a second.
    private func run(
        _ rule: inout WidthRule, from start: Double = 0, seconds: Double, _ rate: (Int) -> Double
    ) -> [Int] {
        var (bytes, widths) = (0.0, [Int]())
        for step in 0..<Int(seconds * 10) {
            bytes += rate(rule.width) / 10
            rule.observe(now: start + Double(step) / 10, bytes: Int64(bytes), active: rule.width)
            if widths.last != rule.width { widths.append(rule.width) }
        }
        return widths
    }

    @Test func itGrowsAsLongAsThatBringsMore() {
        var rule = WidthRule()
        let widths = run(&rule, seconds: 6) { Double($0) * 2e6 }
        #expect(widths == [1, 2, 4, 8])
    }

    @Test func onALineThatIsFullItGoesBackToOne() {
        var rule = WidthRule()
        let widths = run(&rule, seconds: 9) { _ in 5e6 }
        #expect(widths == [1, 2, 1])
    }

    @Test func itStopsWhereMoreBringsLittle() {
        var rule = WidthRule()
        let widths = run(&rule, seconds: 9) { min(Double($0), 4.2) * 1e6 }
        #expect(widths == [1, 2, 4, 8, 4])
    }

    @Test func itTriesAgainLater() {
        var rule = WidthRule()
        _ = run(&rule, seconds: 9) { _ in 5e6 }
        let widths = run(&rule, from: 30, seconds: 9) { Double($0) * 1e6 }
        #expect(widths == [1, 2, 4, 8])
    }

    @Test func aServerThatWantsLessGetsLess() {
        var rule = WidthRule()
        _ = run(&rule, seconds: 6) { Double($0) * 2e6 }
        rule.throttled(now: 6)
        #expect(rule.width == 4)
        let widths = run(&rule, from: 6, seconds: 20) { Double($0) * 2e6 }
        #expect(widths == [4])
    }

    @Test func aLongWayIsNotTriedStepByStep() {
        var (near, far) = (WidthRule(), WidthRule())
        near.answered(after: WidthRule.far / 2)
        far.answered(after: WidthRule.far)
        #expect(near.width == 1 && far.width == WidthRule.maximum)
        #expect(run(&far, seconds: 20) { _ in 5e6 } == [WidthRule.maximum])
    }

    /// What was measured or asked for counts more than one slow answer.
    @Test func aSlowAnswerLaterChangesNothing() {
        var (full, throttled) = (WidthRule(), WidthRule())
        _ = run(&full, seconds: 9) { _ in 5e6 }
        full.answered(after: 1)
        throttled.throttled(now: 0)
        throttled.answered(after: 1)
        #expect(full.width == 1 && throttled.width == 1)
    }

    /// Connections that have brought nothing yet say nothing about the width.
    @Test func itWaitsForAllToBegin() {
        var rule = WidthRule()
        for step in 0..<100 { rule.observe(now: Double(step), bytes: Int64(step) << 20, active: 0) }
        #expect(rule.width == 1)
    }

    @Test(arguments: 1...200)
    func itKeepsItsBounds(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        var (rule, bytes, now) = (WidthRule(), Int64(0), 0.0)
        for _ in 0..<300 {
            now += Double.random(in: 0...0.7, using: &random)
            bytes += Int64.random(in: 0...10_000_000, using: &random)
            if Int.random(in: 0..<30, using: &random) == 0 { rule.throttled(now: now) }
            rule.observe(now: now, bytes: bytes, active: Int.random(in: 0...10, using: &random))
            #expect((1...WidthRule.maximum).contains(rule.width))
        }
    }
}

@Suite struct RetryBudgetTests {
    @Test func itEndsWithoutProgress() {
        var budget = RetryBudget(3)
        let pauses = (0..<4).map { _ in budget.pause(retryAfter: nil, patience: 60, jitter: 0.5) }
        #expect(pauses == [0.25, 0.5, 1, nil])
        #expect(budget.used == 3)
    }

    /// Whoever brings a byte with every try may go on for ever.
    @Test func anyProgressGivesATryBack() {
        var budget = RetryBudget(2)
        for _ in 0..<100 {
            let pause = budget.pause(retryAfter: nil, patience: 60, jitter: 0)
            #expect(pause != nil)
            budget.progressed(1)
        }
    }

    @Test func muchProgressGivesAllBack() {
        var budget = RetryBudget(5)
        while budget.pause(retryAfter: nil, patience: 60, jitter: 0) != nil {}
        budget.progressed(10 << 20)
        let pauses = (0..<6).map { _ in budget.pause(retryAfter: nil, patience: 60, jitter: 0) }
        #expect(pauses.count { $0 != nil } == 5)
    }

    @Test func theServersTimeIsTheLeast() {
        var budget = RetryBudget(5)
        let pauses = [7, 61].map { budget.pause(retryAfter: $0, patience: 60, jitter: 0) }
        #expect(pauses == [7, nil])
        #expect(budget.left == 4, "what is not tried costs nothing")
    }

    @Test(arguments: 1...100)
    func pausesGrowUpToTheirLimit(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        var budget = RetryBudget(40)
        var ceiling = RetryBudget.firstPause
        while let pause = budget.pause(retryAfter: nil, patience: 1, jitter: Double.random(in: 0..<1, using: &random)) {
            #expect((0..<ceiling).contains(pause))
            ceiling = min(RetryBudget.longestPause, ceiling * 2)
        }
    }
}

@Suite struct RateMeterTests {
    @Test func itForgetsWhatIsLongAgo() {
        var meter = RateMeter()
        #expect(meter.rate == nil)
        var bytes: Int64 = 0
        for step in 0..<100 {
            bytes += step < 50 ? 1_000_000 : 100
            meter.observe(now: Double(step) / 4, bytes: bytes)
        }
        #expect(meter.rate == 400)
    }

    @Test func aNewStartIsOne() {
        var meter = RateMeter()
        meter.observe(now: 0, bytes: 0)
        meter.observe(now: 1, bytes: 1000)
        meter.observe(now: 2, bytes: 0)
        #expect(meter.rate == nil)
    }
}
