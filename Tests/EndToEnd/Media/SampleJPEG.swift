import Foundation

/// Writes baseline JPEG files of which each block of 8 × 8 pixels has one color, so that the decoded pixels are known.
struct SampleJPEG {
    /// The number of blocks.
    var columns: Int
    var rows: Int
    /// The components of a block: one for gray, three for YCbCr, four for inverted CMYK.
    var components = 1
    /// The value of the Exif tag `Orientation`.
    var orientation: UInt8?
    /// The values of a block's components.
    var block: (_ column: Int, _ row: Int) -> [UInt8]

    var data: Data {
        var file: [UInt8] = [0xFF, 0xD8]
        if let orientation { file += Self.exif(orientation) }
        // Without a transformation of colors.
        if components == 4 { file += Self.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]) }
        // A step of 8 is one gray value.
        file += Self.segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
        let identifiers = (1...components).map { UInt8($0) }
        file += Self.segment(
            0xC0,
            [8] + Self.number(rows * 8) + Self.number(columns * 8) + [UInt8(components)]
                + identifiers.flatMap { [$0, 0x11, 0] })
        // Differences of 0 to 11 bits have the codes 0 to 11 of four bits; the only other code, of one bit, ends a block.
        file += Self.segment(0xC4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + (0...11).map { UInt8($0) })
        file += Self.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
        file += Self.segment(0xDA, [UInt8(components)] + identifiers.flatMap { [$0, 0] } + [0, 63, 0])
        return Data(file + scan + [0xFF, 0xD9])
    }

    private var scan: [UInt8] {
        var bits = BitWriter()
        var previous = [Int](repeating: 0, count: components)
        for row in 0..<rows {
            for column in 0..<columns {
                for (index, value) in block(column, row).enumerated() {
                    let level = Int(value) - 128
                    bits.write(difference: level - previous[index])
                    previous[index] = level
                }
            }
        }
        return bits.finished
    }

    private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xFF, marker] + number(payload.count + 2) + payload
    }

    private static func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }

    private static func exif(_ orientation: UInt8) -> [UInt8] {
        let tag: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let head = Array("Exif".utf8) + [0, 0] + Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
        return segment(0xE1, head + tag + [0, 0, 0, 0])
    }

    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var pending = 0
        private var count = 0

        mutating func write(difference: Int) {
            let size = Int.bitWidth - abs(difference).leadingZeroBitCount
            write(size, 4)
            write(difference < 0 ? difference + (1 << size) - 1 : difference, size)
            write(0, 1)
        }

        private mutating func write(_ value: Int, _ width: Int) {
            pending = pending << width | value
            count += width
            while count >= 8 {
                count -= 8
                append(UInt8(pending >> count & 255))
            }
            pending &= (1 << count) - 1
        }

        private mutating func append(_ byte: UInt8) { bytes += byte == 0xFF ? [0xFF, 0] : [byte] }

        /// Filled with ones.
        var finished: [UInt8] {
            guard count > 0 else { return bytes }
            var copy = self
            copy.append(UInt8(pending << (8 - count) | ((1 << (8 - count)) - 1)))
            return copy.bytes
        }
    }
}
