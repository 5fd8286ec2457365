/// Who fetches what: hands out missing bytes, and when there are none left, parts of what others still have before them.
/// Pure: it is told what happens and answers with ranges.
struct Scheduler: Sendable {
    /// Nothing is split below that.
    static let smallest: Int64 = 256 << 10
    /// A part that somebody faster takes over whole must be worth a new request.
    static let worthTaking = 1.0

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

    init(missing: SpanSet) { pending = missing }

    /// Gives a new connection something to do.
    /// - Parameters:
    ///   - more: How many others will be opened right after it.
    ///   - mayShare: Whether a part may be taken from another one.
    /// - Returns: `nil` when there is nothing.
    mutating func open(_ id: Int, more: Int = 0, mayShare: Bool = true) -> Range<Int64>? {
        guard let span = pending.spans.first ?? (mayShare ? steal(more: more) : nil) else { return nil }
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
        }
    }

    // MARK: Taking over

    /// The share that lets both end at the same time; all of it from one that is much slower than the rest.
    private mutating func steal(more: Int) -> Range<Int64>? {
        let usual = lanes.values.compactMap(\.rate).max() ?? 1
        func seconds(_ lane: Lane) -> Double { Double(lane.rest) / max(lane.rate ?? usual, 1e-6) }
        guard let (id, lane) = lanes.max(by: { (seconds($0.value), $1.key) < (seconds($1.value), $0.key) }) else {
            return nil
        }
        let rate = lane.rate ?? usual
        let isSlow = rate < usual / 2 && seconds(lane) > Self.worthTaking
        guard let cut = cut(lane, share: share(rate, usual, more)) ?? (isSlow ? lane.next : nil) else { return nil }
        let span = cut..<lane.end
        lanes[id]?.end = cut
        return span.isEmpty ? nil : span
    }

    /// The part of the rest that the slower one keeps.
    private func share(_ rate: Double, _ usual: Double, _ more: Int) -> Double {
        guard more == 0 else { return 1 / Double(more + 2) }
        return rate + usual > 0 ? rate / (rate + usual) : 0.5
    }

    /// Where to split, or `nil` when it would be too little.
    private func cut(_ lane: Lane, share: Double) -> Int64? {
        guard lane.rest >= 2 * Self.smallest, lane.end != .max else { return nil }
        let kept = Int64(min(Double(lane.rest) * share, 0x1p62)) / Self.smallest * Self.smallest
        return lane.next + min(max(kept, Self.smallest), lane.rest - Self.smallest)
    }
}
