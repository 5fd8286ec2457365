import FeedFiles
import FeedTestSupport
import TestKit
import Testing

extension ByteRanges {
    init(_ expected: RangeRow.Expected) {
        switch expected {
        case .whole: self = .ignored
        case .parts(let ranges): self = .parts(ranges.map { ByteRange(Int64($0.lowerBound), Int64($0.upperBound)) })
        case .unsatisfiable: self = .unsatisfiable
        }
    }
}

@Suite(.hangLimit)
struct ByteRangeTests {
    @Test(arguments: RangeRow.all)
    func rangesAreParsed(row: RangeRow) {
        #expect(ByteRanges(parsing: row.value, size: 1000) == ByteRanges(row.expected))
    }

    /// The ranges of a response may not exceed the size of the file.
    @Test(arguments: RangeRow.all)
    func rangesNeverExceedTheFile(row: RangeRow) {
        guard case .parts(let parts) = ByteRanges(parsing: row.value, size: 1000) else { return }
        let total: Int64 = parts.reduce(0) { $0 + $1.count }
        #expect(total <= 1000)
        #expect(parts.count <= ByteRanges.maximumCount)
        #expect(parts.allSatisfy { $0.first >= 0 && $0.first <= $0.last && $0.last < 1000 })
    }

    /// R74–R76: no range of an empty file is satisfiable.
    @Test(arguments: ["bytes=0-", "bytes=-5", "bytes=0-0", "bytes=-0", "bytes=5-2", ""])
    func rangesOfAnEmptyFileAreIgnored(value: String) {
        #expect(ByteRanges(parsing: value, size: 0) == .ignored)
    }

    @Test func rangesOfTheLargestFileDoNotOverflow() {
        let size = Int64.max
        #expect(ByteRanges(parsing: "bytes=0-", size: size) == .parts([ByteRange(0, size - 1)]))
        #expect(ByteRanges(parsing: "bytes=-1", size: size) == .parts([ByteRange(size - 1, size - 1)]))
        #expect(ByteRanges(parsing: "bytes=0-,-1", size: size) == .parts([ByteRange(0, size - 1)]))
    }

    @Test func contentRangeIsFormatted() {
        #expect(ByteRange(0, 8).contentRange(size: 1000) == "bytes 0-8/1000")
        #expect(ByteRange(0, 8).count == 9)
    }
}
