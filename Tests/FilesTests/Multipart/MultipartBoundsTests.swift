import FeedCore
import FeedFiles
import NIOCore
import TestKit
import Testing

/// The cost of parsing an upload, whatever its size and content.
@Suite(.hangLimit)
struct MultipartBoundsTests {
    /// A parser that kept the data it has emitted would end up holding the whole upload in memory.
    @Test func memoryIsBounded() throws {
        let piece = ByteBuffer(repeating: 0x78, count: 64 * 1024)
        var parser = MultipartParser(boundary: "XbX", style: .strict)
        _ = try parser.feed(ByteBuffer(bytes: broken(filePart("f", "x", ""), "")))
        var largest = 0
        var total = 0
        for _ in 0..<128 {
            for event in try parser.feed(piece) {
                guard case .data(let data) = event else { continue }
                // A slice shares the storage of the parser's buffer.
                largest = max(largest, data.storageCapacity)
                total += data.readableBytes
            }
        }
        #expect(total > 127 * piece.readableBytes)
        #expect(largest <= 4 * piece.readableBytes)
    }

    /// The header limit counts bytes, not chunks.
    @Test(arguments: [16 * 1024 - 3, 16 * 1024, 16 * 1024 + 1])
    func headerLimitIsEnforced(length: Int) {
        let start = "Content-Disposition: form-data; name=\"a\"\r\nX-Long: "
        let headers = start + String(repeating: "n", count: length - start.utf8.count)
        let body = form([part(headers, "v")])
        let whole = parse(body, boundary: "XbX", style: .strict, pieces: nil)
        let expected: FormOutcome = length <= 16 * 1024 ? .parts([.field("a", "v")]) : .refused(.malformed)
        #expect(whole == expected)
        // Byte by byte around the end of the headers.
        let cut = length - 16
        let rest: [ArraySlice<UInt8>] = (cut..<body.count).map { body[$0...$0] }
        let pieces: [ArraySlice<UInt8>] = [body[..<cut]] + rest
        #expect(parse(pieces, boundary: "XbX", style: .strict) == expected)
    }

    /// Content that resembles a boundary, many times.
    @Test(arguments: ["\r\n--Xb", "\r\n--XbXtail", "\r\n", "\r"])
    func textSimilarToADelimiterIsContent(piece: String) {
        let text = String(repeating: piece, count: 20_000)
        let outcome = parse(form([fieldPart("a", text)]), boundary: "XbX", style: .strict, pieces: 4096)
        guard case .parts(let parts) = outcome else {
            Issue.record("\(outcome.testDescription)")
            return
        }
        #expect(parts.count == 1)
    }

    @Test func emptyPiecesAreIgnored() {
        let body = form([fieldPart("a", "v")])
        var pieces: [ArraySlice<UInt8>] = []
        for index in body.indices {
            pieces.append([])
            pieces.append(body[index...index])
        }
        #expect(parse(pieces, boundary: "XbX", style: .strict) == .parts([.field("a", "v")]))
        let nothing: [ArraySlice<UInt8>] = [[], []]
        #expect(parse(nothing, boundary: "XbX", style: .strict) == .refused(.malformed))
    }

    /// A body truncated anywhere is rejected, except that the two bytes after its last boundary may be missing.
    @Test(arguments: [true, false])
    func truncatedStrictFormIsRejected(lengthUsedUp: Bool) {
        let body = form([fieldPart("a", "v")])
        let whole = parse(body, boundary: "XbX", style: .strict, pieces: nil, lengthUsedUp: lengthUsedUp)
        #expect(whole == .parts([.field("a", "v")]))
        for length in 0..<(body.count - 2) {
            let cut = Array(body.prefix(length))
            let outcome = parse(cut, boundary: "XbX", style: .strict, pieces: nil, lengthUsedUp: lengthUsedUp)
            #expect(outcome == .refused(.malformed), "\(length)")
        }
    }
}
