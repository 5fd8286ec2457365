import FeedTestSupport
import Foundation
import Testing

/// A request for a file of 1000 bytes and what must come. Numbers are those of the table in the research on reliability;
/// where it leaves a choice, this is ours.
struct RangeHTTPRow: CustomTestStringConvertible, Sendable {
    enum Expected: Sendable {
        case whole
        case parts([ClosedRange<Int>])
        case unsatisfiable
    }

    static let content = SampleBytes.make(1000)

    @Sendable static func prepare(_ server: FileServer) async throws {
        try await server.store("sample.bin", content)
        try await server.store("empty.bin", Data())
    }

    let id: String
    /// Values of Range lines.
    let values: [String]
    let expected: Expected

    var testDescription: String { "\(id) \(values.first?.prefix(40) ?? "")" }

    static func parts(_ id: String, _ value: String, _ ranges: ClosedRange<Int>...) -> RangeHTTPRow {
        RangeHTTPRow(id: id, values: [value], expected: .parts(ranges))
    }

    static func ignored(_ id: String, _ values: String...) -> RangeHTTPRow {
        RangeHTTPRow(id: id, values: values, expected: .whole)
    }

    static func unsatisfiable(_ id: String, _ value: String) -> RangeHTTPRow {
        RangeHTTPRow(id: id, values: [value], expected: .unsatisfiable)
    }

    /// Two bytes out of every four.
    static func disjoint(_ count: Int) -> [ClosedRange<Int>] { (0..<count).map { $0 * 4...$0 * 4 + 1 } }

    static func header(_ ranges: [ClosedRange<Int>]) -> String {
        "bytes=" + ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// The shape of CVE-2011-3192: the whole file and many stretches of it.
    static func overlapping(_ ends: Range<Int>) -> String {
        "bytes=0-," + ends.map { "5-\($0)" }.joined(separator: ",")
    }

    static func repeated(_ element: String, _ count: Int) -> String {
        "bytes=" + Array(repeating: element, count: count).joined(separator: ",")
    }
}

extension RangeHTTPRow {
    static let all: [RangeHTTPRow] = [single, several, malformed, outside, many].flatMap(\.self)

    static let single: [RangeHTTPRow] = [
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

    static let several: [RangeHTTPRow] = [
        parts("R45", "bytes=0-9,20-29", 0...9, 20...29), parts("R46", "bytes=0-9, 20-29", 0...9, 20...29),
        parts("R47", "bytes=0-9 ,\t20-29", 0...9, 20...29), parts("R48", "bytes=0-9,,20-29", 0...9, 20...29),
        parts("R52", "bytes=20-29,0-9", 20...29, 0...9), parts("R53", "bytes=0-9,10-19", 0...19),
        parts("R53b", "bytes=10-19,0-9", 0...19), parts("R54", "bytes=0-9,5-14", 0...14),
        parts("R54b", "bytes=40-49,0-9,5-14", 0...14, 40...49), parts("R55", "bytes=0-9,0-9", 0...9),
        parts("R60", "bytes=0-0,-1", 0...0, 999...999), parts("R61", "bytes=0-,0-", 0...999),
        parts("R62", "bytes=0-999,0-0", 0...999), parts("R63", "bytes=500-,0-", 0...999),
        parts("R66", "bytes=-5,-5", 995...999),
    ]

    static let malformed: [RangeHTTPRow] = [
        ignored("R16", "bytes=5-2"), ignored("R17", "bytes="), ignored("R18", "bytes=,"), ignored("R19", "bytes=-"),
        ignored("R20", "bytes=abc"), ignored("R21", "bytes=10"), ignored("R22", "bytes=1-abc"),
        ignored("R23", "bytes=0x0-0x5"), ignored("R24", "bytes=+1-5"), ignored("R27", "bytes =0-9"),
        ignored("R28", "bytes:0-9"), ignored("R31", "items=0-9"), ignored("R32", "0-9"), ignored("R33", ""),
        ignored("R34", "bytes=--5"), ignored("R35", "bytes=1--5"), ignored("R36", "bytes=0-9-10"),
        ignored("R37", "bytes=1.5-3"), ignored("R49", ",bytes=0-9"), ignored("R58", "bytes=0-9,abc"),
        ignored("R59", "bytes=0-9,5-2"), ignored("R64", "bytes=0-9;20-29"),
        ignored("R65", "bytes=0-9,20-29,items=1-2"), ignored("R68", "bytes=0-9", "bytes=20-29"),
        ignored("R20b", "bytes=\u{0661}-\u{0665}"), ignored("R36b", "bytes=1- 5"),
        ignored("R16b", "bytes=99999999999999999999-5"),
    ]

    static let outside: [RangeHTTPRow] = [
        unsatisfiable("R07", "bytes=-0"), unsatisfiable("R14", "bytes=1000-"),
        unsatisfiable("R15", "bytes=1000-1001"), unsatisfiable("R41", "bytes=18446744073709551616-"),
        unsatisfiable("R57", "bytes=1000-,2000-"), unsatisfiable("R07b", "bytes=-0,-000"),
    ]

    static let many: [RangeHTTPRow] = [
        RangeHTTPRow(id: "R77", values: [header(disjoint(10))], expected: .parts(disjoint(10))),
        RangeHTTPRow(id: "R78", values: [header(disjoint(100))], expected: .parts(disjoint(100))),
        ignored("R78b", header(disjoint(101))), ignored("R79", header(disjoint(200))),
        ignored("R80", header(disjoint(201))), ignored("R81", header(disjoint(250))),
        parts("R82b", repeated("0-0", 100), 0...0), ignored("R82", repeated("0-0", 500)),
        ignored("R83", repeated("0-0", 1000)), ignored("R84", overlapping(0..<1300)),
        ignored("R85", overlapping(5..<205)), parts("R51b", repeated("", 500) + "0-9", 0...9),
    ]
}

/// A body of `multipart/byteranges`, read without any tolerance but for the line end before its first boundary.
struct ByteRangesBody {
    struct Part: Equatable {
        var type: String
        var contentRange: String
        var content: Data
    }

    let boundary: String
    let parts: [Part]

    /// - Parameter lengths: How many bytes each part has.
    init(_ answer: RawHTTP.Answer, lengths: [Int]) throws {
        let type = try #require(answer.headers["content-type"])
        let lead = "multipart/byteranges; boundary="
        try #require(type.hasPrefix(lead), "\(type)")
        boundary = type.dropFirst(lead.count).trimmingCharacters(in: ["\""])
        var reader = Reader(rest: answer.body)
        if reader.rest.starts(with: Data("\r\n".utf8)) { try reader.skip("\r\n") }
        var parts: [Part] = []
        for length in lengths {
            try reader.skip("--\(boundary)\r\n")
            let fields = [try reader.field(), try reader.field()]
            try reader.skip("\r\n")
            let named = Dictionary(fields, uniquingKeysWith: { first, _ in first })
            parts.append(
                Part(
                    type: try #require(named["content-type"]), contentRange: try #require(named["content-range"]),
                    content: try reader.take(length)))
            try reader.skip("\r\n")
        }
        try reader.skip("--\(boundary)--\r\n")
        try #require(reader.rest.isEmpty, "\(reader.rest.count) bytes after the end")
        self.parts = parts
    }

    private struct Reader {
        var rest: Data

        mutating func take(_ count: Int) throws -> Data {
            try #require(rest.count >= count, "the body ends too early")
            defer { rest = Data(rest.dropFirst(count)) }
            return Data(rest.prefix(count))
        }

        mutating func skip(_ text: String) throws {
            let found = try take(text.utf8.count)
            try #require(found == Data(text.utf8), "\(String(decoding: found, as: UTF8.self)) instead of \(text)")
        }

        mutating func field() throws -> (String, String) {
            let end = try #require(rest.range(of: Data("\r\n".utf8)), "a header line has no end")
            let line = String(decoding: try take(end.upperBound), as: UTF8.self).dropLast()
            let pair = line.split(separator: ":", maxSplits: 1)
            try #require(pair.count == 2, "\(line)")
            return (pair[0].lowercased(), pair[1].trimmingCharacters(in: .whitespaces))
        }
    }
}

@Suite(.timeLimit(.minutes(15)), .serialized, .fileServer(prepare: RangeHTTPRow.prepare))
struct RangeTableTests {
    private static let content = RangeHTTPRow.content

    @Test(arguments: RangeHTTPRow.all)
    func table(row: RangeHTTPRow) async throws {
        let server = try FileServer.here()
        let plain = try await server.head("sample.bin")
        let answer = try await server.get("sample.bin", row.values.map { "Range: " + $0 })
        #expect(answer.headers["accept-ranges"] == "bytes")
        #expect(answer.headers["content-length"] == String(answer.body.count))
        #expect(answer.headers["content-encoding"] == nil && answer.headers["transfer-encoding"] == nil)
        switch row.expected {
        case .whole:
            #expect(answer.status == 200 && answer.body == Self.content)
            #expect(answer.headers["content-range"] == nil)
            expectSameFields(answer, plain, ["content-type"])
        case .unsatisfiable:
            #expect(answer.status == 416)
            #expect(answer.headers["content-range"] == "bytes */1000")
            #expect(answer.body.count <= 500)
        case .parts(let ranges):
            try #require(answer.status == 206)
            // Format rule 4.
            #expect(answer.body.count <= 1000 + 200 * ranges.count)
            if ranges.count == 1 {
                expectSingle(answer, ranges[0], plain)
            } else {
                try expectSeveral(answer, ranges, plain)
            }
        }
    }

    /// What a 206 has as a 200 has it (RFC 9110 §15.3.7).
    private func expectSameFields(_ answer: RawHTTP.Answer, _ plain: RawHTTP.Answer, _ more: [String] = []) {
        for name in ["etag", "last-modified", "cache-control", "vary", "content-disposition"] + more {
            #expect(answer.headers[name] == plain.headers[name], "\(name)")
        }
        #expect(answer.headers["etag"]?.hasPrefix("\"") == true)
        #expect(answer.headers["last-modified"]?.hasSuffix(" GMT") == true)
    }

    private func expectSingle(_ answer: RawHTTP.Answer, _ range: ClosedRange<Int>, _ plain: RawHTTP.Answer) {
        expectSameFields(answer, plain, ["content-type"])
        #expect(answer.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound)/1000")
        #expect(answer.headers["content-length"] == String(range.count))
        #expect(answer.body == Self.content[range])
    }

    private func expectSeveral(
        _ answer: RawHTTP.Answer, _ ranges: [ClosedRange<Int>], _ plain: RawHTTP.Answer
    ) throws {
        expectSameFields(answer, plain)
        #expect(answer.headers["content-range"] == nil)
        let body = try ByteRangesBody(answer, lengths: ranges.map(\.count))
        let type = try #require(plain.headers["content-type"])
        #expect(
            body.parts
                == ranges.map {
                    ByteRangesBody.Part(
                        type: type, contentRange: "bytes \($0.lowerBound)-\($0.upperBound)/1000",
                        content: Data(Self.content[$0]))
                })
        #expect(Self.content.range(of: Data(body.boundary.utf8)) == nil)
    }

    /// Random, of at least 60 bits (15 hexadecimal digits would do), of characters that need no quotes, never the same.
    @Test func boundariesAreRandom() async throws {
        let server = try FileServer.here()
        var seen: Set<String> = []
        for _ in 0..<20 {
            let answer = try await server.get("sample.bin", ["Range: bytes=0-9,20-29"])
            let boundary = try ByteRangesBody(answer, lengths: [10, 10]).boundary
            #expect((15...70).contains(boundary.utf8.count), "\(boundary)")
            #expect(boundary.utf8.allSatisfy { Self.boundaryCharacters.contains($0) }, "\(boundary)")
            seen.insert(boundary)
        }
        #expect(seen.count == 20)
    }

    private static let boundaryCharacters = Set(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8)

    @Test(arguments: ["bytes=0-9", "bytes=1000-", "bytes=0-9,20-29", nil])
    func headIgnoresRange(value: String?) async throws {
        let server = try FileServer.here()
        let whole = try await server.get("sample.bin")
        let answer = try await server.head("sample.bin", value.map { ["Range: " + $0] } ?? [])
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(answer.headers["content-length"] == "1000" && answer.headers["content-range"] == nil)
        for (name, text) in whole.headers where name != "date" { #expect(answer.headers[name] == text, "\(name)") }
    }

    /// R72.
    @Test func oldVersionsGetThePartToo() async throws {
        let server = try FileServer.here()
        let answer = try await Wire.on(port: server.port) { wire in
            wire.send("GET /files/sample.bin HTTP/1.0\r\nRange: bytes=0-9\r\n\r\n")
            return try wire.answer()
        }
        #expect(answer?.status == 206 && answer?.body == Self.content.prefix(10))
    }

    /// HTTP/1.0 knows no persistent connection unless it asks for one (RFC 9112 §9.3).
    @Test func anOldConnectionIsClosed() async throws {
        let server = try FileServer.here()
        let rest = try await Wire.on(port: server.port) { wire in
            wire.send("GET /files/sample.bin HTTP/1.0\r\n\r\n")
            return try wire.readToEnd()
        }
        #expect(try RawHTTP.parse(rest).body == Self.content)
    }

    /// R73.
    @Test func whatIsNotThereHasNoParts() async throws {
        let answer = try await FileServer.here().get("nothing.bin", ["Range: bytes=0-9"])
        #expect(answer.status == 404 && answer.headers["content-range"] == nil)
    }

    /// R74–R76.
    @Test(arguments: ["bytes=0-", "bytes=-5", "bytes=0-0", "bytes=-0", "bytes=5-2"])
    func anEmptyFileIsWhole(value: String) async throws {
        let answer = try await FileServer.here().get("empty.bin", ["Range: " + value])
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(answer.headers["content-length"] == "0" && answer.headers["content-range"] == nil)
    }

    /// Parts that are larger than what is read at once.
    @Test func largePartsAreWhole() async throws {
        let server = try FileServer.here()
        let content = SampleBytes.make(2_000_000, seed: 2)
        try await server.store("large.bin", content)
        let ranges = [1_500_000...1_999_999, 0...0, 100_000...700_000]
        let answer = try await server.get("large.bin", ["Range: " + RangeHTTPRow.header(ranges)])
        let body = try ByteRangesBody(answer, lengths: ranges.map(\.count))
        #expect(body.parts.map(\.content) == ranges.map { Data(content[$0]) })
        let one = try await server.get("large.bin", ["Range: bytes=999999-1600000"])
        #expect(one.body == content[999_999...1_600_000])
    }

    /// Format rule 7: no coding, so ranges are always those of the file.
    @Test func nothingIsCoded() async throws {
        let server = try FileServer.here()
        let coded = try await server.get("sample.bin", ["Accept-Encoding: gzip, br, zstd", "Range: bytes=0-9"])
        #expect(coded.status == 206 && coded.headers["content-encoding"] == nil)
        #expect(coded.body == Self.content.prefix(10))
    }

    /// The digest is that of the whole file, also beside a part (RFC 9530 §3).
    @Test(arguments: ["bytes=0-9", nil])
    func theDigestIsThatOfTheFile(value: String?) async throws {
        let server = try FileServer.here()
        let answer = try await server.get("sample.bin", value.map { ["Range: " + $0] } ?? [])
        #expect(answer.headers["repr-digest"] == Checksum.digestField(Self.content))
        #expect(answer.headers["content-digest"] == nil)
    }

    /// Format rule 6: whoever has begun to read a file gets that file to its end, or is cut off.
    @Test(arguments: [nil, "bytes=1-", "bytes=0-9,20-8388606"])
    func neverAMixOfOldAndNew(value: String?) async throws {
        let server = try FileServer.here()
        let old = Data(repeating: 0x6F, count: 8 << 20)
        try await server.store("mixed.bin", old)
        let request = server.request("GET", "/files/mixed.bin", value.map { ["Range: " + $0] } ?? [])
        let reading = Task {
            try await Wire.on(port: server.port) { wire in
                wire.send(request)
                let start = try wire.read(atLeast: 4096)
                // Longer than it takes to replace the file.
                Thread.sleep(forTimeInterval: 0.5)
                guard let end = start.range(of: Data("\r\n\r\n".utf8))?.upperBound else { return (Data(), 0) }
                let length = try RawHTTP.parse(start).headers["content-length"].flatMap { Int($0) } ?? 0
                let body = Data(start[end...])
                return (body + (try wire.read(atLeast: length - body.count)), length)
            }
        }
        try await Task.sleep(for: .milliseconds(100))
        try await server.store("mixed.bin", Data(repeating: 0x6E, count: 8 << 20))
        let (body, length) = try await reading.value
        #expect(length > 8_000_000)
        // A multipart body has a few other letters in its part headers.
        #expect(body.count { $0 == 0x6E } < 100, "bytes of the new file came")
        #expect(body.count { $0 == 0x6F } > 0)
    }
}
