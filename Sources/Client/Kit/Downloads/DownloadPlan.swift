/// Assigns the missing bytes of a file to connections. When all are assigned, a connection can take over part of the
/// range of another one.
struct DownloadPlan: Sendable {
    /// The minimum size in bytes of a range that is requested separately.
    static let minimumSplit: Int64 = 256 << 10
    /// The number of round trips that a new connection needs to reach its full rate (TCP slow start).
    static let slowStartRoundTrips = 3.0
    /// The minimum remaining time in seconds for which another connection takes over a whole range.
    private static let minimumTakeover = 1.0
    /// The time in seconds over which the best rate decays.
    private static let bestRateDecay = 10.0

    /// The range that a connection fetches.
    struct Assignment: Sendable, Equatable {
        /// The next byte to arrive.
        fileprivate(set) var next: Int64
        fileprivate(set) var end: Int64
        /// The rate in bytes per second; `nil` until it can be measured.
        fileprivate(set) var rate: Double?
        fileprivate var recentBytes: Int64 = 0
        fileprivate var age = 0.0

        var remaining: Int64 { end - next }
    }

    /// Missing bytes that are not assigned.
    private(set) var unassigned: ByteRangeSet
    private(set) var assignments: [Int: Assignment] = [:]
    /// The best rate of the last seconds, including connections that have been closed.
    private var bestRate = 0.0

    init(missing: ByteRangeSet) { unassigned = missing }

    /// The number of bytes that a connection still has to deliver.
    func remaining(_ id: Int) -> Int64? { assignments[id]?.remaining }

    /// Assigns a range to a new connection.
    /// - Parameters:
    ///   - more: The number of other connections that are opened right after it.
    ///   - canShare: Whether it may take over part of another connection's range.
    ///   - delay: The time in seconds until it delivers data. Bytes that arrive earlier are not taken over.
    /// - Returns: `nil` if there is nothing to fetch.
    mutating func assign(
        _ id: Int, more: Int = 0, canShare: Bool = true, delay: Double = 0
    ) -> Range<Int64>? {
        guard let range = unassigned.ranges.first ?? (canShare ? takeOver(more, delay) : nil) else { return nil }
        unassigned.remove(contentsOf: range)
        assignments[id] = Assignment(next: range.lowerBound, end: range.upperBound)
        return range
    }

    /// The number of the next `count` bytes of a connection that are needed. They count as delivered.
    mutating func accept(_ id: Int, _ count: Int) -> Int {
        guard let assignment = assignments[id] else { return 0 }
        let wanted = min(Int64(count), assignment.remaining)
        assignments[id]?.next += wanted
        assignments[id]?.recentBytes += wanted
        return Int(wanted)
    }

    /// Records that a connection was closed, so that others may fetch the rest of its range.
    mutating func release(_ id: Int) {
        guard let assignment = assignments.removeValue(forKey: id) else { return }
        fetchAgain(assignment.next..<assignment.end)
    }

    mutating func fetchAgain(_ range: Range<Int64>) { unassigned.insert(contentsOf: range) }

    /// Updates the rates.
    /// - Parameter seconds: The time since the last call.
    mutating func measureRates(seconds: Double) {
        guard seconds > 0 else { return }
        bestRate *= max(0, 1 - seconds / Self.bestRateDecay)
        for id in assignments.keys {
            assignments[id]?.measureRate(seconds: seconds)
            bestRate = max(bestRate, assignments[id]?.rate ?? 0)
        }
    }

    // MARK: Taking over

    /// Takes over enough bytes that both connections finish at the same time; all of them if the other one is much
    /// slower.
    private mutating func takeOver(_ more: Int, _ delay: Double) -> Range<Int64>? {
        let typicalRate = assignments.values.compactMap(\.rate).max() ?? 1
        func seconds(_ assignment: Assignment) -> Double {
            Double(assignment.remaining) / max(assignment.rate ?? typicalRate, 1e-6)
        }
        let slowest = assignments.max { (seconds($0.value), $1.key) < (seconds($1.value), $0.key) }
        guard let (id, assignment) = slowest else { return nil }
        let isTooSlow =
            isSlow(assignment, typicalRate, delay) && seconds(assignment) > Self.minimumTakeover + delay
        let kept = bytesToKeep(assignment, typicalRate, more, delay)
        guard let split = split(assignment, keeping: kept) ?? (isTooSlow ? assignment.next : nil) else { return nil }
        let range = split..<assignment.end
        assignments[id]?.end = split
        return range.isEmpty ? nil : range
    }

    /// Whether a connection has had time to reach its rate and others are twice as fast. A range that is too small to
    /// split may be the last one; it is compared with closed connections, but only if its connection delivers data.
    /// Otherwise, each new connection would be replaced before it could deliver any.
    private func isSlow(_ assignment: Assignment, _ typicalRate: Double, _ delay: Double) -> Bool {
        guard let rate = assignment.rate, assignment.age >= Self.minimumTakeover + delay else { return false }
        return rate < typicalRate / 2
            || (rate > 0 && rate < bestRate / 2 && assignment.remaining < 2 * Self.minimumSplit)
    }

    /// The number of bytes that `assignment` keeps. When several connections are opened at once, each of them gets its
    /// final share, because a range that was requested and then split wastes bytes.
    private func bytesToKeep(_ assignment: Assignment, _ typicalRate: Double, _ more: Int, _ delay: Double) -> Double {
        let remaining = Double(assignment.remaining)
        guard typicalRate > 0 else { return remaining / 2 }
        let sharers = more == 0 ? [assignment] : Array(assignments.values)
        let newcomers = Double(more + 1)
        let bytes = sharers.reduce(newcomers * typicalRate * delay) { $0 + Double($1.remaining) }
        let rates = sharers.reduce(newcomers * typicalRate) { $0 + ($1.rate ?? typicalRate) }
        let secondsUntilEnd = bytes / rates
        return max(
            (assignment.rate ?? typicalRate) * secondsUntilEnd,
            remaining - typicalRate * (secondsUntilEnd - delay))
    }

    /// The offset at which to split a range, or `nil` if a part would be too small.
    private func split(_ assignment: Assignment, keeping kept: Double) -> Int64? {
        guard assignment.end != .max, kept < 0x1p63 else { return nil }
        let size = max(Int64(kept) / Self.minimumSplit, 1) * Self.minimumSplit
        return size <= assignment.remaining - Self.minimumSplit ? assignment.next + size : nil
    }
}

extension DownloadPlan.Assignment {
    /// The time in seconds before a rate is meaningful.
    private static let warmUp = 0.5

    /// Averages the rate over about a second.
    fileprivate mutating func measureRate(seconds: Double) {
        let current = Double(recentBytes) / seconds
        recentBytes = 0
        age += seconds
        if let rate {
            let weight = min(1, seconds)
            self.rate = rate * (1 - weight) + current * weight
        } else if age >= Self.warmUp {
            rate = current
        }
    }
}

/// Determines the chunk size of a file, and whether several connections download it.
enum ChunkPolicy {
    /// The default chunk size in bytes.
    static let standardSize: Int64 = 4 << 20
    static let minimumSize: Int64 = 64 << 10
    /// The maximum number of chunks, because the journal lists each of them.
    static let maximumCount: Int64 = 4096
    /// The minimum size in bytes of a file that several connections download.
    private static let minimumSharedSize: Int64 = 16 << 20

    /// The chunk size of a file.
    /// - Parameter wanted: The size that the caller asked for; increased if there would be too many chunks.
    static func size(of fileSize: Int64, wanted: Int64?) -> Int64 {
        var size = max(minimumSize, wanted ?? standardSize)
        let required = (max(0, fileSize) - 1) / maximumCount + 1
        while size < required { size = size > .max / 2 ? .max : size * 2 }
        return size
    }

    /// Whether several connections share a file.
    /// - Parameter isFixedCount: Whether the caller fixed the number of connections.
    static func isShared(size: Int64, isFixedCount: Bool) -> Bool {
        size >= (isFixedCount ? 2 * DownloadPlan.minimumSplit : minimumSharedSize)
    }
}

/// A set of bytes of a file.
typealias ByteRangeSet = RangeSet<Int64>

extension RangeSet<Int64> {
    /// The number of bytes in the set.
    var byteCount: Int64 { ranges.reduce(0) { $0 + $1.byteCount } }

    /// The bytes of `whole` that are not in the set.
    func missing(in whole: Range<Int64>) -> ByteRangeSet { ByteRangeSet(whole).subtracting(self) }

    /// The end of the contiguous bytes that start at `offset`; `offset` itself if that byte is missing.
    func contiguousEnd(from offset: Int64) -> Int64 {
        let ranges = ranges
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > offset { high = middle } else { low = middle + 1 }
        }
        return low < ranges.count && ranges[low].lowerBound <= offset ? ranges[low].upperBound : offset
    }
}

extension Range<Int64> {
    /// The length of the range.
    var byteCount: Int64 { upperBound - lowerBound }
}
