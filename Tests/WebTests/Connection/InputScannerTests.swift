import NIOCore
import TestKit
import Testing

@testable import FeedWeb

@Suite(.hangLimit)
struct InputScannerTests {
    /// The bytes split after each empty line, however they arrive.
    private static func split(_ pieces: [[UInt8]]) -> [[UInt8]] {
        var scanner = EmptyLineScanner()
        var found: [[UInt8]] = [[]]
        for piece in pieces {
            var rest = ByteBuffer(bytes: piece)
            while rest.readableBytes > 0 {
                let length = scanner.next(in: rest.readableBytesView)
                let part = rest.readBytes(length: length) ?? []
                found[found.count - 1] += part
                if rest.readableBytes > 0 || endsEmpty(found[found.count - 1]) { found.append([]) }
            }
        }
        return found.filter { !$0.isEmpty }
    }

    private static func endsEmpty(_ bytes: [UInt8]) -> Bool {
        [[13, 10], [10]].contains(bytes) || [[10, 13, 10], [10, 10]].contains { bytes.suffix($0.count) == $0[...] }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", ["GET / HTTP/1.1\r\nHost: a\r\n\r\n"]),
        ("a\r\n\r\nb\r\n\r\n", ["a\r\n\r\n", "b\r\n\r\n"]), ("a\n\nb\n\n", ["a\n\n", "b\n\n"]),
        ("a\n\r\nb", ["a\n\r\n", "b"]), ("\r\na\r\n\r\n", ["\r\n", "a\r\n\r\n"]), ("a\r\r\nb\r\n", ["a\r\r\nb\r\n"]),
        ("a\n\r\r\nb", ["a\n\r\r\n", "b"]),
        ("a\r\n \r\nb", ["a\r\n \r\nb"]), ("\n\r\na\n\n", ["\n\r\n", "a\n\n"]), ("\n\n\n", ["\n\n\n"]),
        ("\n\n\ra", ["\n\n", "\ra"]), ("", []),
    ])
    func endsAfterEachEmptyLine(text: String, parts: [String]) {
        #expect(Self.split([Array(text.utf8)]).map { String(decoding: $0, as: UTF8.self) } == parts)
    }

    /// Otherwise, a client could make the server search the rest again for each line break.
    @Test(arguments: ["", "\r", "\rG", "G"]) func lineBreaksBetweenRequestsAreOnePiece(end: String) {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 65_536) + end.utf8
        let pieces = Self.split([bytes])
        #expect(pieces.map(\.count) == (end.isEmpty ? [65_536] : [65_536, end.utf8.count]))
    }

    /// A head ends with an empty line, so no piece may contain the beginning of another head behind one.
    @Test func noPieceContainsMoreThanOneHead() {
        var random = SplitMix64(seed: 40)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ -> UInt8 in
                [UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "a")].randomElement(using: &random) ?? 0
            }
            var (scanner, rest, pieces): (EmptyLineScanner, [UInt8], [[UInt8]]) = (EmptyLineScanner(), bytes, [])
            while !rest.isEmpty {
                var arrived = ByteBuffer(bytes: rest.prefix(Int.random(in: 1...rest.count, using: &random)))
                rest = Array(rest.dropFirst(arrived.readableBytes))
                while arrived.readableBytes > 0 {
                    let length = scanner.next(in: arrived.readableBytesView)
                    pieces.append(arrived.readBytes(length: length) ?? [])
                }
            }
            #expect(pieces.flatMap(\.self) == bytes && !pieces.contains([]))
            var before: [UInt8] = []
            for piece in pieces {
                #expect(!Self.hasHeadEnd(in: piece.dropLast(), after: before), "\(pieces)")
                before += piece
            }
        }
    }

    /// Whether an empty line ends within a piece, and something else than line breaks follows.
    private static func hasHeadEnd(in piece: ArraySlice<UInt8>, after before: [UInt8]) -> Bool {
        var (isLineEmpty, hasText) = (true, false)
        for byte in before {
            if byte == UInt8(ascii: "\n") {
                (isLineEmpty, hasText) = (true, hasText && !isLineEmpty)
            } else if byte != UInt8(ascii: "\r") {
                (isLineEmpty, hasText) = (false, true)
            }
        }
        var hasEnd = false
        for byte in piece {
            if byte == UInt8(ascii: "\n") {
                hasEnd = hasEnd || isLineEmpty
                isLineEmpty = true
            } else if byte != UInt8(ascii: "\r") {
                if hasEnd { return true }
                isLineEmpty = false
            }
        }
        return false
    }

    @Test(
        arguments: [
            ("0\r\n\r\n", 5), ("3\r\nabc\r\n0\r\n\r\nGET", 13), ("3;x=y\r\nabc\r\n0\r\nTrailer: a\r\n\r\nGET", 29),
            ("a\r\n\n\n\n\n\n\n\n\n\n\n\r\n0\r\n\r\n", 20), ("A\n0123456789\n0\n\nGET", 16), ("3\r\nabc", 6), ("", 0),
            ("3\r\nabcd\r\n0\r\n\r\n", 14),
        ] as [(String, Int)])
    func endOfAChunkedBodyIsFound(text: String, length: Int) {
        var whole = ChunkScanner()
        #expect(whole.next(in: ByteBuffer(string: text).readableBytesView) == length)
        var (scanner, passed) = (ChunkScanner(), 0)
        for byte in text.utf8.prefix(length) { passed += scanner.next(in: ByteBuffer(bytes: [byte]).readableBytesView) }
        #expect(passed == length)
    }
}
