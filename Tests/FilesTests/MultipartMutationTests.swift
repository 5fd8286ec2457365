import FeedFiles
import HTTPTypes
import Testing

/// Random numbers that come again in every run.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Spoils bytes a little, so that they still get deep into a parser.
struct Mutator {
    var random: SplitMix64
    /// What gets inserted now and then, beside single bytes.
    let fragments: [[UInt8]]

    init(seed: UInt64, fragments: [[UInt8]]) {
        random = SplitMix64(seed: seed)
        self.fragments = fragments
    }

    mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes) }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: flip(&bytes)
        case 1: bytes.removeSubrange(stretch(of: bytes))
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: position(in: bytes))
        case 3: bytes.insert(contentsOf: fragments.randomElement(using: &random) ?? [], at: position(in: bytes))
        case 4: bytes.insert(contentsOf: Array(bytes[stretch(of: bytes)]), at: position(in: bytes))
        default: bytes.removeSubrange(position(in: bytes)...)
        }
    }

    private mutating func flip(_ bytes: inout [UInt8]) {
        guard let index = bytes.indices.randomElement(using: &random) else { return }
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }

    /// Anywhere, the end included.
    private mutating func position(in bytes: [UInt8]) -> Int { Int.random(in: 0...bytes.count, using: &random) }

    private mutating func stretch(of bytes: [UInt8]) -> Range<Int> {
        let start = position(in: bytes)
        let length = Int.random(in: 0...20, using: &random)
        return start..<min(start + length, bytes.count)
    }

    /// Pieces of random sizes, empty ones included.
    mutating func pieces(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        let largest = [2, 8, 64].randomElement(using: &random) ?? 8
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 0...largest, using: &random))
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}

/// Ten times a thousand mutations; a seed is one test case.
@Suite(.timeLimit(.minutes(1)))
struct MultipartMutationTests {
    static let seeds: [UInt64] = Array(1...10)
    static let perSeed = 1000

    static let bodies: [[UInt8]] = [
        form([fieldPart("a", "v"), filePart("f", "x.txt", "hello\r\n--Xb\r\nworld")]),
        form([part("Content-Disposition: form-data; name=\"f\"; filename*=UTF-8''%e2%82%ac.txt", "v")]),
        lines("preamble⏎") + form([filePart("f", "C:\\a%22b\\\"c.txt", "\r\n\r\n"), fieldPart("b", "")], tail: " end"),
        lines("--XbX⏎Content-Disposition: form-data; name=f; filename=\"p\"⏎⏎DATA⏎--XbX--", end: "\n"),
        lines("⏎--XbX⏎Content-Disposition: form-data; name=\"a\"⏎⏎TEXT⏎--XbX⏎"),
    ]

    static let fragments: [[UInt8]] = [
        "\r\n", "\n", "\r", "\r\n\r\n", "--", "--XbX", "\r\n--XbX\r\n", "\r\n--XbX--", "\n--XbX\n", "\"", "\\\"", ";", "=",
        ":", "\u{0}", "'", "%", "%00", "; filename=\"", "; name=a", "Content-Disposition: form-data", " ",
    ].map { Array($0.utf8) }

    @Test(arguments: seeds)
    func bodies(seed: UInt64) throws {
        var mutator = Mutator(seed: seed, fragments: Self.fragments)
        for count in 0..<Self.perSeed {
            let body = mutator.mutated(try #require(Self.bodies.randomElement(using: &mutator.random)))
            let style: MultipartParser.Style = Bool.random(using: &mutator.random) ? .strict : .classic
            let whole = parse(body, boundary: "XbX", style: style, pieces: nil)
            let split = parse(mutator.pieces(body), boundary: "XbX", style: style)
            #expect(whole == split, "seed \(seed), mutation \(count), \(style): \(body)")
            #expect(Self.isExpected(whole), "seed \(seed), mutation \(count), \(style): \(body)")
        }
    }

    private static func isExpected(_ outcome: FormOutcome) -> Bool {
        switch outcome {
        case .parts(let parts): parts.allSatisfy { !$0.name.contains("\u{0}") && isHarmless($0.fileName) }
        case .refused(let kind): kind == .malformed || kind == .tooLarge
        case .disorder: false
        }
    }

    /// Whatever was sent, no path and no control character is left of it.
    private static func isHarmless(_ fileName: String?) -> Bool {
        guard let fileName else { return true }
        return !fileName.isEmpty && fileName.unicodeScalars.allSatisfy { $0 != "/" && $0 != "\\" && $0.value >= 0x20 }
    }

    @Test(arguments: seeds)
    func contentTypes(seed: UInt64) {
        var mutator = Mutator(seed: seed, fragments: Self.fragments)
        let valid = Array("multipart/form-data; charset=utf-8; boundary=\"X\\\"bX\"".utf8)
        for _ in 0..<Self.perSeed {
            let type = String(decoding: mutator.mutated(valid), as: UTF8.self)
            guard let boundary = try? MultipartBoundary.parse(type) else { continue }
            #expect((1...70).contains(boundary.utf8.count), "\(type)")
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ConditionMutationTests {
    static let values: [String] = [
        "bytes=0-9", "bytes=0-9,20-29, -5", "bytes=-10", "bytes=990-", "bytes=0-9223372036854775807,5-",
        "\"E\"", "W/\"E\"", "\"X\", \"a,b\", W/\"E\"", "*", When.equal, When.rfc850, When.asctime,
    ]

    static let fragments: [[UInt8]] = [
        "-", ",", "=", "bytes=", "0-", "-0", "18446744073709551616", "\"", "W/", "*", " ", "\t", ", ", "GMT",
        "\u{301}", "\u{661}", ":", "99",
    ].map { Array($0.utf8) }

    static let sizes: [Int64] = [0, 1, 2, 10, 1000, .max]

    static let names: [HTTPField.Name] = [
        .range, .ifRange, .ifNoneMatch, .ifMatch, .ifModifiedSince, .ifUnmodifiedSince,
    ]

    @Test(arguments: MultipartMutationTests.seeds)
    func ranges(seed: UInt64) throws {
        var mutator = Mutator(seed: seed, fragments: Self.fragments)
        for _ in 0..<MultipartMutationTests.perSeed {
            let size = try #require(Self.sizes.randomElement(using: &mutator.random))
            let fields = try Self.fields(&mutator)
            let representation = Representation(tag: EntityTag("E"), modified: When.modified, size: size)
            let conditions = Conditions(method: .get, headers: fields)
            _ = conditions.allowWrite(over: representation)
            guard case .parts(let parts) = conditions.decide(representation, now: .max) else { continue }
            #expect(Self.lie(parts, inside: size), "\(fields) \(parts)")
        }
    }

    /// A valid Range and one or two spoilt headers, the Range itself among them.
    private static func fields(_ mutator: inout Mutator) throws -> HTTPFields {
        var fields = headerFields([(.range, "bytes=0-9,20-29")])
        for _ in 0..<Int.random(in: 1...2, using: &mutator.random) {
            let name = try #require(names.randomElement(using: &mutator.random))
            let value = try #require(values.randomElement(using: &mutator.random))
            fields[name] = String(decoding: mutator.mutated(Array(value.utf8)), as: UTF8.self)
        }
        return fields
    }

    private static func lie(_ parts: [ByteRange], inside size: Int64) -> Bool {
        let areInside = parts.allSatisfy { $0.first >= 0 && $0.first <= $0.last && $0.last < size }
        return areInside && !parts.isEmpty && parts.count <= ByteRanges.maximumCount
    }
}
