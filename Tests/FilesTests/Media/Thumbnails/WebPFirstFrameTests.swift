import FeedImages
import FeedTestSupport
import TestKit
import Testing

@Suite struct WebPFirstFrameTests {
    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    }

    private static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
        Array(name.utf8) + number(payload.count, 4) + payload + (payload.count % 2 == 1 ? [0] : [])
    }

    private static func file(flags: UInt8 = 2, width: Int = 300, height: Int = 200, _ chunks: [UInt8]) -> [UInt8] {
        let body =
            Array("WEBP".utf8) + chunk("VP8X", [flags, 0, 0, 0] + number(width - 1, 3) + number(height - 1, 3)) + chunks
        return Array("RIFF".utf8) + number(body.count, 4) + body
    }

    private static func frame(_ left: Int, _ top: Int, _ columns: Int, _ rows: Int, _ data: [UInt8]) -> [UInt8] {
        let head = [left / 2, top / 2, columns - 1, rows - 1, 100].flatMap { number($0, 3) }
        return chunk("ANMF", head + [0] + data)
    }

    @Test func theFirstFrameIsFound() throws {
        let data = Self.chunk("VP8L", [1, 2, 3])
        let file = Self.file(
            Self.chunk("ICCP", [9]) + Self.chunk("ANIM", [0, 0, 0, 0, 0, 0]) + Self.frame(10, 20, 30, 40, data)
                + Self.frame(0, 0, 300, 200, [7]))
        let frame = try #require(WebPFirstFrame(file))
        #expect(frame.width == 300 && frame.height == 200)
        #expect(frame.left == 10 && frame.top == 20 && frame.columns == 30 && frame.rows == 40)
        #expect(Array(file[frame.data]) == data)
    }

    @Test func otherFilesHaveNone() {
        let frame = Self.frame(0, 0, 300, 200, [1, 2])
        #expect(WebPFirstFrame(Self.file(flags: 0, frame)) == nil)
        #expect(WebPFirstFrame(Self.file(Self.chunk("VP8L", [UInt8](repeating: 0, count: 30)))) == nil)
        #expect(WebPFirstFrame(Self.file(Self.frame(2, 0, 300, 200, [1, 2]))) == nil)
        #expect(WebPFirstFrame([UInt8](repeating: 0, count: 100)) == nil)
        #expect(WebPFirstFrame([]) == nil)
    }

    @Test func noPrefixAndNoMutationCrashes() {
        let file = Self.file(Self.chunk("ANIM", [0, 0, 0, 0, 0, 0]) + Self.frame(0, 0, 300, 200, [1, 2, 3]))
        for count in 0..<file.count { _ = WebPFirstFrame(Array(file.prefix(count))) }
        let seed = Soak.seed
        var mutator = Mutator(seed: seed, fragments: ["ANMF", "VP8X", "RIFF"])
        for _ in 0..<Soak.rounds(20_000, soaking: 1_000_000) {
            let mutated = mutator.mutated(file)
            if let frame = WebPFirstFrame(mutated) { #expect(frame.data.upperBound <= mutated.count, "seed \(seed)") }
        }
    }
}
