import FeedImages
import FeedTestSupport
import TestKit
import Testing

@Suite(.hangLimit)
struct GIFDecoderTests {
    /// Writes GIF files with one frame.
    struct Writer {
        var width = 4
        var height = 3
        var left = 0
        var top = 0
        var columns = 4
        var rows = 3
        var isInterlaced = false
        var transparent: UInt8?
        /// The colors are gray: 256 / 2^bits · index.
        var bits = 2
        var hasOwnColors = false
        var pixels: [UInt8] = []

        var bytes: [UInt8] {
            let table = (0..<1 << bits).flatMap { index in [UInt8](repeating: UInt8(index << (8 - bits)), count: 3) }
            let flags = UInt8(0x80 | (bits - 1))
            var file = Array("GIF89a".utf8) + Self.number(width) + Self.number(height)
            file += [hasOwnColors ? 0 : flags, 0, 0] + (hasOwnColors ? [] : table)
            if let transparent { file += [0x21, 0xF9, 4, 1, 0, 0, transparent, 0] }
            file += [0x21, 0xFE, 3] + Array("hey".utf8) + [0]
            file += [0x2C] + Self.number(left) + Self.number(top) + Self.number(columns) + Self.number(rows)
            file += [(hasOwnColors ? flags : 0) | (isInterlaced ? 0x40 : 0)] + (hasOwnColors ? table : [])
            return file + [UInt8(max(2, bits))] + Self.blocks(Self.compress(pixels, bits: max(2, bits))) + [0x3B]
        }

        private static func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

        private static func blocks(_ data: [UInt8]) -> [UInt8] {
            stride(from: 0, to: data.count, by: 255).flatMap { start in
                let block = data[start..<min(start + 255, data.count)]
                return [UInt8(block.count)] + block
            } + [0]
        }

        /// The compression of GIF89a, appendix F. A full table is used until the end.
        private static func compress(_ pixels: [UInt8], bits: Int) -> [UInt8] {
            let clear = 1 << bits
            var output = BitWriter()
            var table: [[UInt8]: Int] = [:]
            for value in 0..<clear { table[[UInt8(value)]] = value }
            var (next, width) = (clear + 2, bits + 1)
            output.write(clear, width)
            var word: [UInt8] = []
            for pixel in pixels {
                if table[word + [pixel]] != nil {
                    word.append(pixel)
                    continue
                }
                output.write(table[word] ?? 0, width)
                if next < 4096 {
                    table[word + [pixel]] = next
                    // The decoder learns this code only with the next one.
                    if next == 1 << width { width += 1 }
                    next += 1
                }
                word = [pixel]
            }
            if !word.isEmpty { output.write(table[word] ?? 0, width) }
            // The decoder has one code more by now.
            if next == 1 << width, width < 12 { width += 1 }
            output.write(clear + 1, width)
            return output.finished
        }
    }

    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var bits = 0
        private var count = 0

        mutating func write(_ code: Int, _ width: Int) {
            bits |= code << count
            count += width
            while count >= 8 {
                bytes.append(UInt8(bits & 255))
                bits >>= 8
                count -= 8
            }
        }

        var finished: [UInt8] { count > 0 ? bytes + [UInt8(bits & 255)] : bytes }
    }

    /// The decoded image in its own size: gray values, or `nil` for transparent pixels.
    private static func decode(_ file: [UInt8], limit: Int = 1_000_000) -> [[UInt8?]]? {
        guard let frame = GIFDecoder(file, limit: limit) else { return nil }
        let image = frame.scaled(to: ThumbnailSize(width: frame.width, height: frame.height))
        return (0..<image.height).map { y in
            (0..<image.width).map { x in image[x, y].alpha == 0 ? nil : image[x, y].red }
        }
    }

    private static let pixels: [UInt8] = [0, 1, 2, 3, 3, 2, 1, 0, 1, 1, 1, 1]

    @Test func aFrameOfTheWholeImage() {
        let expected: [[UInt8?]] = [[0, 64, 128, 192], [192, 128, 64, 0], [64, 64, 64, 64]]
        #expect(Self.decode(Writer(pixels: Self.pixels).bytes) == expected)
        #expect(Self.decode(Writer(hasOwnColors: true, pixels: Self.pixels).bytes) == expected)
    }

    @Test func oneColorIsTransparent() {
        let expected: [[UInt8?]] = [[0, nil, 128, 192], [192, 128, nil, 0], [nil, nil, nil, nil]]
        #expect(Self.decode(Writer(transparent: 1, pixels: Self.pixels).bytes) == expected)
    }

    @Test func whatAFrameDoesNotCoverIsTransparent() {
        let file = Writer(left: 1, top: 1, columns: 2, rows: 1, pixels: [3, 2]).bytes
        #expect(Self.decode(file) == [[nil, nil, nil, nil], [nil, 192, 128, nil], [nil, nil, nil, nil]])
    }

    @Test func aFrameThatExceedsTheScreenEnlargesTheImage() {
        let file = Writer(width: 2, height: 0, left: 1, top: 1, columns: 4, rows: 3, pixels: Self.pixels).bytes
        #expect(
            Self.decode(file) == [
                [nil, nil, nil, nil, nil], [nil, 0, 64, 128, 192], [nil, 192, 128, 64, 0], [nil, 64, 64, 64, 64],
            ])
        let whole = Writer(pixels: Self.pixels).bytes
        #expect(Self.decode(Writer(width: 0, height: 0, pixels: Self.pixels).bytes) == Self.decode(whole))
        // The image would have 3.6 gigapixels.
        let outside = Writer(left: 60_000, top: 60_000, pixels: Self.pixels).bytes
        #expect(Self.decode(outside) == nil)
    }

    @Test func anInterlacedFrameIsSorted() {
        // In the file: rows 0, 8, 4, 2, 6, 1, 3, 5, 7, 9.
        let file = Writer(
            width: 1, height: 10, columns: 1, rows: 10, isInterlaced: true, bits: 4,
            pixels: [0, 8, 4, 2, 6, 1, 3, 5, 7, 9]
        ).bytes
        #expect(Self.decode(file) == (0..<10).map { [UInt8($0 << 4)] })
    }

    @Test(arguments: 1...8) func randomPixelsSurvive(_ bits: Int) {
        var random = SplitMix64(seed: UInt64(bits))
        for (width, height) in [(1, 1), (300, 200), (7, 1000)] {
            // Runs of equal pixels fill the table with long codes, noise with many.
            var pixels: [UInt8] = []
            while pixels.count < width * height {
                let value = UInt8.random(in: 0...UInt8((1 << bits) - 1), using: &random)
                pixels += Array(repeating: value, count: Int.random(in: 1...9, using: &random))
            }
            pixels = Array(pixels.prefix(width * height))
            let file = Writer(
                width: width, height: height, columns: width, rows: height, bits: bits, pixels: pixels
            ).bytes
            let expected = (0..<height).map { y in
                (0..<width).map { x in UInt8?.some(UInt8(Int(pixels[y * width + x]) << (8 - bits))) }
            }
            #expect(Self.decode(file) == expected)
        }
    }

    @Test func theRestOfATruncatedFrameIsTransparent() {
        let whole = Writer(pixels: Self.pixels).bytes
        let decoded = Self.decode(Array(whole.dropLast(5)))
        #expect(decoded?[0][0] == 0)
        #expect(decoded?[2][3] == .some(nil))
    }

    @Test func theSizeIsBoundedBeforeMemoryIsReserved() {
        #expect(Self.decode(Writer(width: 65_535, height: 65_535, pixels: []).bytes) == nil)
        #expect(Self.decode(Writer(columns: 65_535, rows: 65_535, pixels: []).bytes) == nil)
        #expect(Self.decode(Writer(pixels: Self.pixels).bytes, limit: 11) == nil)
        #expect(Self.decode(Writer(width: 0, height: 0, columns: 0, rows: 0, pixels: []).bytes) == nil)
        #expect(Self.decode(Writer(columns: 0, rows: 0, pixels: []).bytes) == nil)
    }

    @Test func noMutationCrashes() {
        let originals = [
            Writer(pixels: Self.pixels).bytes, Writer(isInterlaced: true, transparent: 3, pixels: Self.pixels).bytes,
            Writer(hasOwnColors: true, pixels: Self.pixels).bytes,
        ]
        var mutator = Mutator(seed: Soak.seed, fragments: ["GIF89a", "\u{21}", "\u{2C}", "\u{0}\u{0}"])
        for _ in 0..<Soak.rounds(20_000, soaking: 1_000_000) {
            _ = Self.decode(mutator.mutated(mutator.one(of: originals)), limit: 100_000)
        }
    }

    @Test func everyPrefixIsHandled() {
        let whole = Writer(transparent: 1, pixels: Self.pixels).bytes
        for count in 0..<whole.count { _ = Self.decode(Array(whole.prefix(count))) }
        #expect(Self.decode([]) == nil)
    }
}
