/// Who fetches what: hands out missing bytes, and when there are none left, parts of what others still have before them.
/// Pure: it is told what happens and answers with ranges.
struct Scheduler: Sendable {
    /// Nothing is split below that.
    static let smallest: Int64 = 256 << 10
    /// A part that somebody faster takes over whole must be worth a new request.
    static let worthTaking = 1.0
    /// Seconds in which the best rate is forgotten.
    static let memory = 10.0

    struct Lane: Sendable, Equatable {
        /// The next byte it will bring, and where it may stop.
        var next: Int64
        var end: Int64
        /// Bytes per second; `nil` until it has run for a while.
        var rate: Double?
        fileprivate var recent: Int64 = 0
        fileprivate var age = 0.0

        var rest: Int64 { end - next }
    }

    private(set) var pending: SpanSet
    private(set) var lanes: [Int: Lane] = [:]
    /// The best rate of late, also of those that have ended.
    private var best = 0.0

    init(missing: SpanSet) { pending = missing }

    /// Gives a new connection something to do.
    /// - Parameters:
    ///   - more: How many others will be opened right after it.
    ///   - mayShare: Whether a part may be taken from another one.
    ///   - delay: Seconds until it brings something; what ends sooner is left to its owner.
    /// - Returns: `nil` when there is nothing.
    mutating func open(_ id: Int, more: Int = 0, mayShare: Bool = true, delay: Double = 0) -> Range<Int64>? {
        guard let span = pending.spans.first ?? (mayShare ? steal(more, delay) : nil) else { return nil }
        pending.remove(span)
        lanes[id] = Lane(next: span.lowerBound, end: span.upperBound)
        return span
    }

    /// How many of the `count` bytes that a connection brings are wanted: they are its from now on.
    mutating func accept(_ id: Int, _ count: Int) -> Int {
        guard let lane = lanes[id] else { return 0 }
        let wanted = min(Int64(count), lane.rest)
        lanes[id]?.next += wanted
        lanes[id]?.recent += wanted
        return Int(wanted)
    }

    /// A connection has ended; what it did not bring is to be had again.
    mutating func close(_ id: Int) {
        guard let lane = lanes.removeValue(forKey: id) else { return }
        needAgain(lane.next..<lane.end)
    }

    mutating func needAgain(_ span: Range<Int64>) { pending.insert(span) }

    /// Time has passed: rates are measured anew.
    mutating func tick(seconds: Double) {
        guard seconds > 0 else { return }
        best *= max(0, 1 - seconds / Self.memory)
        for (id, lane) in lanes {
            let now = Double(lane.recent) / seconds
            lanes[id]?.recent = 0
            lanes[id]?.age += seconds
            if let rate = lane.rate {
                // About a second of memory.
                let weight = min(1, seconds)
                lanes[id]?.rate = rate * (1 - weight) + now * weight
            } else if lane.age + seconds >= 0.5 {
                lanes[id]?.rate = now
            }
            best = max(best, lanes[id]?.rate ?? 0)
        }
    }

    // MARK: Taking over

    /// As much as lets both end at the same time; all of it from one that is much slower than the rest.
    private mutating func steal(_ more: Int, _ delay: Double) -> Range<Int64>? {
        let usual = lanes.values.compactMap(\.rate).max() ?? 1
        func seconds(_ lane: Lane) -> Double { Double(lane.rest) / max(lane.rate ?? usual, 1e-6) }
        guard let (id, lane) = lanes.max(by: { (seconds($0.value), $1.key) < (seconds($1.value), $0.key) }) else {
            return nil
        }
        let isSlow = isSlow(lane, usual, delay) && seconds(lane) > Self.worthTaking + delay
        guard let cut = cut(lane, keeping: kept(lane, usual, more, delay)) ?? (isSlow ? lane.next : nil) else {
            return nil
        }
        let span = cut..<lane.end
        lanes[id]?.end = cut
        return span.isEmpty ? nil : span
    }

    /// Whether it had its time and others are twice as fast. What is too little to be split may be the last of all: then
    /// those that have ended are the measure, but only for one that brings something; else each new one would be replaced
    /// by the next before it could.
    private func isSlow(_ lane: Lane, _ usual: Double, _ delay: Double) -> Bool {
        guard let rate = lane.rate, lane.age >= Self.worthTaking + delay else { return false }
        return rate < usual / 2 || (rate > 0 && rate < best / 2 && lane.rest < 2 * Self.smallest)
    }

    /// The bytes that are left to `lane`. When many come at once each takes what is its share in the end, so that what it
    /// asks for is not cut again.
    private func kept(_ lane: Lane, _ usual: Double, _ more: Int, _ delay: Double) -> Double {
        let rest = Double(lane.rest)
        guard usual > 0 else { return rest / 2 }
        let sharers = more == 0 ? [lane] : Array(lanes.values)
        let newcomers = Double(more + 1)
        let bytes = sharers.reduce(newcomers * usual * delay) { $0 + Double($1.rest) }
        let rates = sharers.reduce(newcomers * usual) { $0 + ($1.rate ?? usual) }
        // Until all are done.
        let seconds = bytes / rates
        return max((lane.rate ?? usual) * seconds, rest - usual * (seconds - delay))
    }

    /// Where to split, or `nil` when it would be too little.
    private func cut(_ lane: Lane, keeping kept: Double) -> Int64? {
        guard lane.end != .max, kept < 0x1p63 else { return nil }
        let whole = max(Int64(kept) / Self.smallest, 1) * Self.smallest
        return whole <= lane.rest - Self.smallest ? lane.next + whole : nil
    }
}
