import FeedFiles
import Testing

/// A Range value against a file of 1000 bytes. Numbers are those of the table in the research on reliability.
struct RangeRow: CustomTestStringConvertible, Sendable {
    let id: String
    let value: String
    let expected: ByteRanges

    var testDescription: String { "\(id) \(value.prefix(40))" }

    static func parts(_ id: String, _ value: String, _ ranges: ByteRange...) -> RangeRow {
        RangeRow(id: id, value: value, expected: .parts(ranges))
    }

    static func ignored(_ id: String, _ value: String) -> RangeRow {
        RangeRow(id: id, value: value, expected: .ignored)
    }

    static func unsatisfiable(_ id: String, _ value: String) -> RangeRow {
        RangeRow(id: id, value: value, expected: .unsatisfiable)
    }

    /// Two bytes out of every four.
    static func disjoint(_ count: Int) -> [ByteRange] {
        (0..<count).map { ByteRange(Int64($0 * 4), Int64($0 * 4 + 1)) }
    }

    static func header(_ ranges: [ByteRange]) -> String {
        "bytes=" + ranges.map { "\($0.first)-\($0.last)" }.joined(separator: ",")
    }

    /// The shape of CVE-2011-3192: the whole file and many stretches of it.
    static func overlapping(_ ends: Range<Int>) -> String {
        "bytes=0-," + ends.map { "5-\($0)" }.joined(separator: ",")
    }

    static func repeated(_ element: String, _ count: Int) -> String {
        "bytes=" + Array(repeating: element, count: count).joined(separator: ",")
    }
}

extension RangeRow {
    static let all: [RangeRow] = [single, several, malformed, outside, many].flatMap(\.self)

    static let single: [RangeRow] = [
        parts("R01", "bytes=0-8", ByteRange(0, 8)),
        parts("R02", "bytes=0-0", ByteRange(0, 0)),
        parts("R03", "bytes=999-999", ByteRange(999, 999)),
        parts("R04", "bytes=990-", ByteRange(990, 999)),
        parts("R05", "bytes=-10", ByteRange(990, 999)),
        parts("R06", "bytes=-1", ByteRange(999, 999)),
        parts("R08", "bytes=-1000", ByteRange(0, 999)),
        parts("R09", "bytes=-2000", ByteRange(0, 999)),
        parts("R10", "bytes=0-", ByteRange(0, 999)),
        parts("R11", "bytes=0-999", ByteRange(0, 999)),
        parts("R12", "bytes=0-1000", ByteRange(0, 999)),
        parts("R13", "bytes=990-1990", ByteRange(990, 999)),
        parts("R25", "bytes=0-9 ", ByteRange(0, 9)),
        parts("R26", "bytes= 0-9", ByteRange(0, 9)),
        parts("R29", "Bytes=0-9", ByteRange(0, 9)),
        parts("R30", "BYTES=0-9", ByteRange(0, 9)),
        parts("R38", "bytes=0-18446744073709551615", ByteRange(0, 999)),
        parts("R39", "bytes=0-9223372036854775807", ByteRange(0, 999)),
        parts("R40", "bytes=0-9223372036854775808", ByteRange(0, 999)),
        parts("R42", "bytes=-9223372036854775808", ByteRange(0, 999)),
        parts("R43", "bytes=-99999999999999999999999", ByteRange(0, 999)),
        parts("R44", "bytes=00000000000000000005-9", ByteRange(5, 9)),
        parts("R50", "bytes=,0-9", ByteRange(0, 9)),
        parts("R51", "bytes=0-9,", ByteRange(0, 9)),
        parts("R56", "bytes=0-9,1000-", ByteRange(0, 9)),
        parts("R67", "bytes=0-1,-0", ByteRange(0, 1)),
    ]

    static let several: [RangeRow] = [
        parts("R45", "bytes=0-9,20-29", ByteRange(0, 9), ByteRange(20, 29)),
        parts("R46", "bytes=0-9, 20-29", ByteRange(0, 9), ByteRange(20, 29)),
        parts("R47", "bytes=0-9 ,\t20-29", ByteRange(0, 9), ByteRange(20, 29)),
        parts("R48", "bytes=0-9,,20-29", ByteRange(0, 9), ByteRange(20, 29)),
        parts("R52", "bytes=20-29,0-9", ByteRange(20, 29), ByteRange(0, 9)),
        parts("R53", "bytes=0-9,10-19", ByteRange(0, 19)),
        parts("R53b", "bytes=10-19,0-9", ByteRange(0, 19)),
        parts("R54", "bytes=0-9,5-14", ByteRange(0, 14)),
        parts("R54b", "bytes=40-49,0-9,5-14", ByteRange(0, 14), ByteRange(40, 49)),
        parts("R55", "bytes=0-9,0-9", ByteRange(0, 9)),
        parts("R60", "bytes=0-0,-1", ByteRange(0, 0), ByteRange(999, 999)),
        parts("R61", "bytes=0-,0-", ByteRange(0, 999)),
        parts("R62", "bytes=0-999,0-0", ByteRange(0, 999)),
        parts("R63", "bytes=500-,0-", ByteRange(0, 999)),
        parts("R66", "bytes=-5,-5", ByteRange(995, 999)),
    ]

    static let malformed: [RangeRow] = [
        ignored("R16", "bytes=5-2"), ignored("R17", "bytes="), ignored("R18", "bytes=,"), ignored("R19", "bytes=-"),
        ignored("R20", "bytes=abc"), ignored("R21", "bytes=10"), ignored("R22", "bytes=1-abc"),
        ignored("R23", "bytes=0x0-0x5"), ignored("R24", "bytes=+1-5"), ignored("R27", "bytes =0-9"),
        ignored("R28", "bytes:0-9"), ignored("R31", "items=0-9"), ignored("R32", "0-9"), ignored("R33", ""),
        ignored("R34", "bytes=--5"), ignored("R35", "bytes=1--5"), ignored("R36", "bytes=0-9-10"),
        ignored("R37", "bytes=1.5-3"), ignored("R49", ",bytes=0-9"), ignored("R58", "bytes=0-9,abc"),
        ignored("R59", "bytes=0-9,5-2"), ignored("R64", "bytes=0-9;20-29"),
        ignored("R65", "bytes=0-9,20-29,items=1-2"), ignored("R20b", "bytes=\u{0661}-\u{0665}"),
        ignored("R36b", "bytes=1- 5"), ignored("R16b", "bytes=99999999999999999999-5"),
    ]

    static let outside: [RangeRow] = [
        unsatisfiable("R07", "bytes=-0"), unsatisfiable("R14", "bytes=1000-"),
        unsatisfiable("R15", "bytes=1000-1001"), unsatisfiable("R41", "bytes=18446744073709551616-"),
        unsatisfiable("R57", "bytes=1000-,2000-"), unsatisfiable("R07b", "bytes=-0,-000"),
    ]

    static let many: [RangeRow] = [
        RangeRow(id: "R77", value: header(disjoint(10)), expected: .parts(disjoint(10))),
        RangeRow(id: "R78", value: header(disjoint(100)), expected: .parts(disjoint(100))),
        ignored("R78b", header(disjoint(101))),
        ignored("R79", header(disjoint(200))),
        ignored("R80", header(disjoint(201))),
        ignored("R81", header(disjoint(250))),
        parts("R82b", repeated("0-0", 100), ByteRange(0, 0)),
        ignored("R82", repeated("0-0", 500)),
        ignored("R83", repeated("0-0", 1000)),
        ignored("R84", overlapping(0..<1300)),
        ignored("R85", overlapping(5..<205)),
        parts("R51b", repeated("", 500) + "0-9", ByteRange(0, 9)),
    ]
}

@Suite(.timeLimit(.minutes(15)))
struct ByteRangeTests {
    @Test(arguments: RangeRow.all)
    func table(row: RangeRow) {
        #expect(ByteRanges(parsing: row.value, size: 1000) == row.expected)
    }

    /// No request may be answered with more than the file holds (format rule 4).
    @Test(arguments: RangeRow.all)
    func neverMoreThanTheFile(row: RangeRow) {
        guard case .parts(let parts) = ByteRanges(parsing: row.value, size: 1000) else { return }
        let total: Int64 = parts.reduce(0) { $0 + $1.count }
        #expect(total <= 1000)
        #expect(parts.count <= ByteRanges.maximumCount)
        #expect(parts.allSatisfy { $0.first >= 0 && $0.first <= $0.last && $0.last < 1000 })
    }

    /// R74–R76: nothing can be expressed as a range of an empty file.
    @Test(arguments: ["bytes=0-", "bytes=-5", "bytes=0-0", "bytes=-0", "bytes=5-2", ""])
    func emptyFile(value: String) {
        #expect(ByteRanges(parsing: value, size: 0) == .ignored)
    }

    @Test func largestFile() {
        let size = Int64.max
        #expect(ByteRanges(parsing: "bytes=0-", size: size) == .parts([ByteRange(0, size - 1)]))
        #expect(ByteRanges(parsing: "bytes=-1", size: size) == .parts([ByteRange(size - 1, size - 1)]))
        #expect(ByteRanges(parsing: "bytes=0-,-1", size: size) == .parts([ByteRange(0, size - 1)]))
    }

    @Test func contentRange() {
        #expect(ByteRange(0, 8).text(size: 1000) == "bytes 0-8/1000")
        #expect(ByteRange(0, 8).count == 9)
    }
}
