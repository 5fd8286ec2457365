/// A Range value for a file of 1000 bytes and its expected result, used with the pure rule and over a socket. A number
/// such as `R01` identifies a case in all suites.
package struct RangeRow: CustomStringConvertible, Sendable {
    package enum Expected: Sendable {
        /// The Range is ignored.
        case whole
        case parts([ClosedRange<Int>])
        case unsatisfiable
    }

    package let id: String
    package let value: String
    package let expected: Expected

    package var description: String { "\(id) \(value.prefix(40))" }

    private static func parts(_ id: String, _ value: String, _ ranges: ClosedRange<Int>...) -> RangeRow {
        RangeRow(id: id, value: value, expected: .parts(ranges))
    }

    private static func ignored(_ id: String, _ value: String) -> RangeRow {
        RangeRow(id: id, value: value, expected: .whole)
    }

    private static func unsatisfiable(_ id: String, _ value: String) -> RangeRow {
        RangeRow(id: id, value: value, expected: .unsatisfiable)
    }

    /// Two bytes out of every four.
    private static func disjoint(_ count: Int) -> [ClosedRange<Int>] { (0..<count).map { $0 * 4...$0 * 4 + 1 } }

    /// The Range header value for these ranges.
    package static func header(_ ranges: [ClosedRange<Int>]) -> String {
        "bytes=" + ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// The shape of CVE-2011-3192: the whole file and many ranges of it.
    private static func overlapping(_ ends: Range<Int>) -> String {
        "bytes=0-," + ends.map { "5-\($0)" }.joined(separator: ",")
    }

    private static func repeated(_ element: String, _ count: Int) -> String {
        "bytes=" + Array(repeating: element, count: count).joined(separator: ",")
    }
}

extension RangeRow {
    package static let all: [RangeRow] = [single, several, malformed, outside, many].flatMap(\.self)

    private static let single: [RangeRow] = [
        parts("R01", "bytes=0-8", 0...8), parts("R02", "bytes=0-0", 0...0), parts("R03", "bytes=999-999", 999...999),
        parts("R04", "bytes=990-", 990...999), parts("R05", "bytes=-10", 990...999),
        parts("R06", "bytes=-1", 999...999),
        parts("R08", "bytes=-1000", 0...999), parts("R09", "bytes=-2000", 0...999), parts("R10", "bytes=0-", 0...999),
        parts("R11", "bytes=0-999", 0...999), parts("R12", "bytes=0-1000", 0...999),
        parts("R13", "bytes=990-1990", 990...999), parts("R25", "bytes=0-9 ", 0...9), parts("R26", "bytes= 0-9", 0...9),
        parts("R29", "Bytes=0-9", 0...9), parts("R30", "BYTES=0-9", 0...9),
        parts("R38", "bytes=0-18446744073709551615", 0...999), parts("R39", "bytes=0-9223372036854775807", 0...999),
        parts("R40", "bytes=0-9223372036854775808", 0...999), parts("R42", "bytes=-9223372036854775808", 0...999),
        parts("R43", "bytes=-99999999999999999999999", 0...999), parts("R44", "bytes=00000000000000000005-9", 5...9),
        parts("R50", "bytes=,0-9", 0...9), parts("R51", "bytes=0-9,", 0...9), parts("R56", "bytes=0-9,1000-", 0...9),
        parts("R67", "bytes=0-1,-0", 0...1),
    ]

    private static let several: [RangeRow] = [
        parts("R45", "bytes=0-9,20-29", 0...9, 20...29), parts("R46", "bytes=0-9, 20-29", 0...9, 20...29),
        parts("R47", "bytes=0-9 ,\t20-29", 0...9, 20...29), parts("R48", "bytes=0-9,,20-29", 0...9, 20...29),
        parts("R52", "bytes=20-29,0-9", 20...29, 0...9), parts("R53", "bytes=0-9,10-19", 0...19),
        parts("R53b", "bytes=10-19,0-9", 0...19), parts("R54", "bytes=0-9,5-14", 0...14),
        parts("R54b", "bytes=40-49,0-9,5-14", 0...14, 40...49), parts("R55", "bytes=0-9,0-9", 0...9),
        parts("R60", "bytes=0-0,-1", 0...0, 999...999), parts("R61", "bytes=0-,0-", 0...999),
        parts("R62", "bytes=0-999,0-0", 0...999), parts("R63", "bytes=500-,0-", 0...999),
        parts("R66", "bytes=-5,-5", 995...999),
    ]

    private static let malformed: [RangeRow] = [
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

    private static let outside: [RangeRow] = [
        unsatisfiable("R07", "bytes=-0"), unsatisfiable("R14", "bytes=1000-"),
        unsatisfiable("R15", "bytes=1000-1001"), unsatisfiable("R41", "bytes=18446744073709551616-"),
        unsatisfiable("R57", "bytes=1000-,2000-"), unsatisfiable("R07b", "bytes=-0,-000"),
    ]

    private static let many: [RangeRow] = [
        RangeRow(id: "R77", value: header(disjoint(10)), expected: .parts(disjoint(10))),
        RangeRow(id: "R78", value: header(disjoint(100)), expected: .parts(disjoint(100))),
        ignored("R78b", header(disjoint(101))), ignored("R79", header(disjoint(200))),
        ignored("R80", header(disjoint(201))), ignored("R81", header(disjoint(250))),
        parts("R82b", repeated("0-0", 100), 0...0), ignored("R82", repeated("0-0", 500)),
        ignored("R83", repeated("0-0", 1000)), ignored("R84", overlapping(0..<1300)),
        ignored("R85", overlapping(5..<205)), parts("R51b", repeated("", 500) + "0-9", 0...9),
    ]
}
