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
