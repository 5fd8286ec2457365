import FeedTestSupport
import TestKit
import Testing

@testable import FeedClientKit

/// Connections of any speed that may fail at any time: every byte arrives once, without waiting for the slowest
/// connection.
@Suite struct DownloadPlanTests {
    /// A simulated download. Time passes in steps; each connection delivers bytes at its rate.
    private struct Simulation {
        var scheduler: DownloadPlan
        var rates: [Int: Double] = [:]
        var got = ByteRangeSet()
        var lastID = 0
        var seconds = 0.0
        let width: Int
        let step = 0.1
        /// The number of bytes that were received more than once.
        var twice: Int64 = 0

        init(_ size: Int64, width: Int) {
            scheduler = DownloadPlan(missing: ByteRangeSet(0..<size))
            self.width = width
        }

        mutating func open(_ rate: () -> Double) {
            while scheduler.assignments.count < width {
                let id = lastID + 1
                let more = scheduler.assignments.count == 1 ? width - 2 : 0
                guard let span = scheduler.assign(id, more: more) else { return }
                #expect(got.missing(in: span) == ByteRangeSet(span), "bytes are assigned that were received already")
                lastID = id
                rates[id] = rate()
            }
        }

        mutating func advance() {
            for (id, lane) in scheduler.assignments {
                let offered = Int((rates[id] ?? 0) * step)
                let wanted = scheduler.accept(id, offered)
                take(lane.next..<lane.next + Int64(wanted))
                if scheduler.assignments[id]?.remaining == 0 { scheduler.release(id) }
            }
            scheduler.measureRates(seconds: step)
            seconds += step
        }

        private mutating func take(_ span: Range<Int64>) {
            let before = got.byteCount
            got.insert(contentsOf: span)
            twice += Int64(span.count) - (got.byteCount - before)
        }
    }

    @Test(arguments: 1...300)
    func everyByteArrivesOnce(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        let size = Int64.random(in: 1...40_000_000, using: &random)
        var simulation = Simulation(size, width: Int.random(in: 1...8, using: &random))
        for _ in 0..<20_000 {
            simulation.open { Double.random(in: 10_000...3_000_000, using: &random) }
            simulation.advance()
            if Int.random(in: 0..<20, using: &random) == 0, let id = simulation.scheduler.assignments.keys.min() {
                simulation.scheduler.release(id)
            }
            if simulation.got.byteCount == size { break }
        }
        #expect(simulation.got == ByteRangeSet(0..<size), "seed \(seed)")
        #expect(simulation.twice == 0)
        #expect(simulation.scheduler.unassigned.isEmpty && simulation.scheduler.assignments.isEmpty)
    }

    /// One connection has a tenth of the rate of the others. Ideally, the download takes its size divided by the sum of
    /// the rates.
    @Test(arguments: [2, 4, 8])
    func slowConnectionDoesNotDelayTheDownload(_ width: Int) {
        let size: Int64 = 200_000_000
        var simulation = Simulation(size, width: width)
        simulation.open { 2_000_000 }
        while simulation.got.byteCount < size, simulation.seconds < 1000 {
            simulation.rates[1] = 200_000
            simulation.open { 2_000_000 }
            simulation.advance()
        }
        let ideal = Double(size) / (Double(width - 1) * 2_000_000 + 200_000)
        #expect(simulation.seconds < ideal * 1.1, "\(simulation.seconds) s for \(ideal) s")
    }

    @Test(arguments: 1...16)
    func firstConnectionsShareEvenly(_ width: Int) {
        let size: Int64 = 1 << 30
        var scheduler = DownloadPlan(missing: ByteRangeSet(0..<size))
        let spans = (1...width).map { scheduler.assign($0, more: width - $0) }
        let shares = scheduler.assignments.values.map(\.remaining)
        #expect(shares.reduce(0, +) == size)
        let even = size / Int64(width)
        #expect(shares.allSatisfy { abs($0 - even) <= Int64(width) * DownloadPlan.minimumSplit }, "\(shares)")
        // Only the first connection requests more than it receives: bytes requested and cut off are wasted.
        for id in (1...width).dropFirst() {
            #expect(spans[id - 1] == scheduler.assignments[id].map { $0.next..<$0.end })
        }
    }

    /// Four connections join four others that have the same amount remaining: each gives up half of it.
    @Test func laterConnectionsShareEvenly() {
        var scheduler = DownloadPlan(missing: ByteRangeSet(0..<1 << 30))
        for id in 1...4 { _ = scheduler.assign(id, more: 4 - id) }
        let spans = (5...8).map { scheduler.assign($0, more: 8 - $0) }
        let shares = scheduler.assignments.values.map(\.remaining)
        #expect(shares.allSatisfy { abs($0 - 1 << 27) <= 8 * DownloadPlan.minimumSplit }, "\(shares)")
        #expect(spans == (5...8).map { scheduler.assignments[$0].map { $0.next..<$0.end } })
    }

    /// Many connections become free at the end, but what remains is not worth a new request.
    @Test func lastBytesAreNotReassigned() {
        var scheduler = DownloadPlan(missing: ByteRangeSet(0..<8_000_000))
        for id in 1...2 { _ = scheduler.assign(id, more: 2 - id) }
        for _ in 0..<2 {
            for id in 1...2 { _ = scheduler.accept(id, 1_000_000) }
            scheduler.measureRates(seconds: 1)
        }
        let spans = (3...8).map { scheduler.assign($0, more: 8 - $0, delay: 2) }
        #expect(spans.allSatisfy { $0 == nil })
    }

    /// A new connection does not count as slow, however fast the closed ones were.
    @Test func newConnectionDoesNotCountAsSlow() {
        var scheduler = DownloadPlan(missing: ByteRangeSet(0..<9_000_000))
        _ = scheduler.assign(1)
        for _ in 0..<3 {
            _ = scheduler.accept(1, 3_000_000)
            scheduler.measureRates(seconds: 1)
        }
        scheduler.release(1)
        scheduler.fetchAgain(0..<300_000)
        let (first, second) = (scheduler.assign(2), scheduler.assign(3, delay: 1))
        #expect(first == 0..<300_000 && second == nil)
    }

    /// The first connection was fast, and the others have no response yet: they get time to respond instead of being
    /// replaced repeatedly.
    @Test func connectionWithoutAResponseIsNotReplaced() {
        var scheduler = DownloadPlan(missing: ByteRangeSet(0..<1 << 20))
        for id in 1...4 { _ = scheduler.assign(id, more: 4 - id, delay: 1.2) }
        while let rest = scheduler.assignments[1]?.remaining, rest > 0 {
            _ = scheduler.accept(1, 100_000)
            scheduler.measureRates(seconds: 0.25)
        }
        scheduler.release(1)
        for id in 5...20 {
            let span = scheduler.assign(id, delay: 1.2)
            #expect(span == nil, "\(id) takes over \(String(describing: span))")
            scheduler.measureRates(seconds: 0.25)
        }
    }

    /// The last connection is slow, and there is no other to compare it with.
    @Test func lastSlowConnectionIsTakenOver() {
        var scheduler = DownloadPlan(missing: ByteRangeSet(0..<3_400_000))
        for id in 1...2 { _ = scheduler.assign(id, more: 2 - id) }
        while let rest = scheduler.assignments[1]?.remaining, rest > 0 {
            _ = scheduler.accept(1, 1_000_000)
            _ = scheduler.accept(2, 700_000)
            scheduler.measureRates(seconds: 1)
        }
        scheduler.release(1)
        for _ in 0..<5 {
            _ = scheduler.accept(2, 1000)
            scheduler.measureRates(seconds: 1)
        }
        let rest = scheduler.assignments[2].map { $0.next..<$0.end }
        #expect(
            rest.map { $0.count < 2 * DownloadPlan.minimumSplit && !$0.isEmpty } == true,
            "\(String(describing: rest))")
        #expect(scheduler.assign(3) == rest)
    }

    /// A new connection takes time to start: it takes over only what it can deliver by the time the other one finishes.
    @Test(arguments: [(delay: 0.0, taken: 10_000_000.0), (2, 9_000_000), (18, 1_000_000), (20, 0), (60, 0)])
    func newConnectionTakesOnlyWhatItCanDeliverInTime(_ row: (delay: Double, taken: Double)) {
        var scheduler = DownloadPlan(missing: ByteRangeSet(0..<24_000_000))
        _ = scheduler.assign(1)
        for _ in 0..<4 {
            _ = scheduler.accept(1, 1_000_000)
            scheduler.measureRates(seconds: 1)
        }
        #expect(scheduler.assignments[1]?.rate == 1_000_000)
        let span = scheduler.assign(2, delay: row.delay)
        #expect(
            abs(Double(span?.count ?? 0) - row.taken) <= Double(DownloadPlan.minimumSplit),
            "\(String(describing: span))")
    }

    /// No connection has received data for a while, and the file has the maximum size.
    @Test func largestFileIsSplit() {
        var scheduler = DownloadPlan(missing: ByteRangeSet(0..<Int64.max - 1))
        _ = scheduler.assign(1)
        for _ in 0..<20 { scheduler.measureRates(seconds: 0.25) }
        let span = scheduler.assign(2)
        #expect(span.map { $0.upperBound == .max - 1 && $0.lowerBound > 0 } == true)
    }

    @Test func smallRemainderIsNotSplit() {
        var scheduler = DownloadPlan(missing: ByteRangeSet(0..<2 * DownloadPlan.minimumSplit - 1))
        let (first, second) = (scheduler.assign(1), scheduler.assign(2))
        #expect(first == 0..<2 * DownloadPlan.minimumSplit - 1 && second == nil)
    }

    @Test func openEndedRangeIsNotSplit() {
        var scheduler = DownloadPlan(missing: ByteRangeSet(0..<Int64.max))
        let (first, second) = (scheduler.assign(1), scheduler.assign(2))
        #expect(first != nil && second == nil)
        let wanted = scheduler.accept(1, 1000)
        #expect(wanted == 1000)
    }

    /// Bytes that a connection delivers after another has taken over its range are not wanted.
    @Test func shortenedConnectionStopsAtItsNewEnd() {
        var scheduler = DownloadPlan(missing: ByteRangeSet(0..<(8 << 20)))
        _ = scheduler.assign(1)
        let taken = scheduler.assign(2)
        let (wanted, more) = (scheduler.accept(1, 5 << 20), scheduler.accept(1, 1))
        #expect(taken == 4 << 20..<8 << 20)
        #expect(wanted == 4 << 20 && more == 0)
    }

    private static let sizes: [(total: Int64, wanted: Int64?, size: Int64)] = [
        (0, nil, 4 << 20), (1, nil, 4 << 20), (16 << 30, nil, 4 << 20), (16 << 30 | 1, nil, 8 << 20),
        (1 << 40, nil, 256 << 20), (1 << 20, 512 << 10, 512 << 10), (1 << 20, 1, 64 << 10),
        (1 << 30, 64 << 10, 256 << 10), (.max, nil, 1 << 51), (.max, 1, 1 << 51),
    ]

    @Test func chunkSizeFitsTheFile() {
        for row in Self.sizes { #expect(ChunkPolicy.size(of: row.total, wanted: row.wanted) == row.size, "\(row)") }
    }

    @Test(arguments: 1...500)
    func numberOfChunksIsBounded(_ seed: Int) {
        var random = SplitMix64(seed: seed)
        let total = Int64.random(in: 1 ... .max >> Int64.random(in: 0...50, using: &random), using: &random)
        let wanted = Bool.random(using: &random) ? nil : Int64.random(in: 1...1 << 40, using: &random)
        let size = ChunkPolicy.size(of: total, wanted: wanted)
        #expect((total - 1) / size < ChunkPolicy.maximumCount && size >= ChunkPolicy.minimumSize && size >= wanted ?? 0)
    }

    @Test func smallFilesUseOneConnectionUnlessACountIsSet() {
        #expect(!ChunkPolicy.isShared(size: 16 << 20 - 1, isFixedCount: false))
        #expect(ChunkPolicy.isShared(size: 16 << 20, isFixedCount: false))
        #expect(ChunkPolicy.isShared(size: 512 << 10, isFixedCount: true))
        #expect(!ChunkPolicy.isShared(size: 512 << 10 - 1, isFixedCount: true))
    }
}
