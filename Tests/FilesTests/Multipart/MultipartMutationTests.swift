import FeedCore
import FeedFiles
import FeedTestSupport
import TestKit
import Testing

/// Ten test cases of a thousand mutations, one per seed.
@Suite(.hangLimit)
struct MultipartMutationTests {
    static let seeds: [UInt64] = Array(1...10)
    static let perSeed = 1000
    static let styles: [MultipartParser.Style] = [.strict, .classic]

    static let bodies: [[UInt8]] = [
        form([fieldPart("a", "v"), filePart("f", "x.txt", "hello\r\n--Xb\r\nworld")]),
        form([part("Content-Disposition: form-data; name=\"f\"; filename*=UTF-8''%e2%82%ac.txt", "v")]),
        lines("preamble⏎") + form([filePart("f", "C:\\a%22b\\\"c.txt", "\r\n\r\n"), fieldPart("b", "")], tail: " end"),
        lines("--XbX⏎Content-Disposition: form-data; name=f; filename=\"p\"⏎⏎DATA⏎--XbX--", end: "\n"),
        lines("⏎--XbX⏎Content-Disposition: form-data; name=\"a\"⏎⏎TEXT⏎--XbX⏎"),
    ]

    static let fragments: [String] = [
        "\r\n", "\n", "\r", "\r\n\r\n", "--", "--XbX", "\r\n--XbX\r\n", "\r\n--XbX--", "\n--XbX\n", "\"", "\\\"",
        ";", "=", ":", "\u{0}", "'", "%", "%00", "; filename=\"", "; name=a", "Content-Disposition: form-data", " ",
    ]

    @Test(arguments: seeds)
    func mutatedFormsParseTheSameInAnyPieces(seed: UInt64) {
        var mutator = Mutator(seed: seed, fragments: Self.fragments)
        for count in 0..<Self.perSeed {
            let valid = mutator.one(of: Self.bodies)
            let body = mutator.mutated(valid)
            let style = mutator.one(of: Self.styles)
            let whole = parse(body, boundary: "XbX", style: style, pieces: nil)
            let pieces = mutator.pieces(body)
            let split = parse(pieces, boundary: "XbX", style: style)
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

    /// Whether a file name contains no path and no control character.
    private static func isHarmless(_ fileName: String?) -> Bool {
        guard let fileName else { return true }
        return !fileName.isEmpty && fileName.unicodeScalars.allSatisfy { $0 != "/" && $0 != "\\" && $0.value >= 0x20 }
    }

    @Test(arguments: seeds)
    func mutatedContentTypesHaveValidBoundaries(seed: UInt64) {
        var mutator = Mutator(seed: seed, fragments: Self.fragments)
        let valid = Array("multipart/form-data; charset=utf-8; boundary=\"X\\\"bX\"".utf8)
        for _ in 0..<Self.perSeed {
            let type = String(decoding: mutator.mutated(valid), as: UTF8.self)
            guard let boundary = try? MultipartBoundary.parse(type) else { continue }
            #expect((1...70).contains(boundary.utf8.count), "\(type)")
        }
    }
}
