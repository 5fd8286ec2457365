/// A set of bytes of a file: ranges that neither overlap nor touch, in order.
struct SpanSet: Sendable, Equatable {
    private(set) var spans: [Range<Int64>] = []

    init() {}

    init(_ span: Range<Int64>) { insert(span) }

    var isEmpty: Bool { spans.isEmpty }

    /// Bytes in it.
    var count: Int64 { spans.reduce(0) { $0 + Int64($1.count) } }

    mutating func insert(_ span: Range<Int64>) {
        guard !span.isEmpty else { return }
        let first = firstIndex { $0.upperBound >= span.lowerBound }
        var (lower, upper, last) = (span.lowerBound, span.upperBound, first)
        while last < spans.count, spans[last].lowerBound <= upper {
            lower = min(lower, spans[last].lowerBound)
            upper = max(upper, spans[last].upperBound)
            last += 1
        }
        spans.replaceSubrange(first..<last, with: [lower..<upper])
    }

    mutating func remove(_ span: Range<Int64>) {
        guard !span.isEmpty else { return }
        let first = firstIndex { $0.upperBound > span.lowerBound }
        var (rest, last) = ([Range<Int64>](), first)
        while last < spans.count, spans[last].lowerBound < span.upperBound {
            let old = spans[last]
            if old.lowerBound < span.lowerBound { rest.append(old.lowerBound..<span.lowerBound) }
            if old.upperBound > span.upperBound { rest.append(span.upperBound..<old.upperBound) }
            last += 1
        }
        spans.replaceSubrange(first..<last, with: rest)
    }

    /// What of `whole` is not in it.
    func missing(in whole: Range<Int64>) -> SpanSet {
        var rest = SpanSet(whole)
        for span in spans { rest.remove(span) }
        return rest
    }

    /// Where the bytes that follow each other from `offset` on end.
    func end(from offset: Int64) -> Int64 {
        let index = firstIndex { $0.upperBound > offset }
        return index < spans.count && spans[index].lowerBound <= offset ? spans[index].upperBound : offset
    }

    /// The first span for which `isTrue` holds; it must hold for all later ones too.
    private func firstIndex(where isTrue: (Range<Int64>) -> Bool) -> Int {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if isTrue(spans[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
