import Foundation

/// A PNG of which all bytes are zero: a small file that needs much memory.
struct BlackPNG {
    var width: Int
    var height: Int
    /// 0 for gray, 2 for RGB, 6 for RGBA; 8 bits per channel.
    var colorType: UInt8
    /// The number of compressed bytes beyond those of the image.
    var excess = 0

    var data: Data {
        let channels = [0: 1, 2: 3, 6: 4][colorType] ?? 1
        let pixels = Self.compressedZeros((width * channels + 1) * height + excess)
        return head + Self.chunk("IDAT", pixels) + Self.chunk("IEND", [])
    }

    /// The file without its pixels.
    var head: Data {
        let header = Self.number(width) + Self.number(height) + [8, colorType, 0, 0, 0]
        return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Self.chunk("IHDR", header)
    }

    /// A zlib stream (RFC 1950) with one block of fixed codes (RFC 1951): a zero, and repetitions of it.
    private static func compressedZeros(_ count: Int) -> [UInt8] {
        var (bytes, bits, size): ([UInt8], UInt64, UInt64) = ([0x78, 0x01], 0, 0)
        func add(_ value: UInt64, _ width: UInt64) {
            bits |= value << size
            size += width
            while size >= 8 {
                bytes.append(UInt8(bits & 255))
                bits >>= 8
                size -= 8
            }
        }
        // The last block; fixed codes; the literal 0. Codes begin with their highest bit.
        add(0b011, 3)
        add(0b0000_1100, 8)
        // 258 bytes at the distance 1.
        for _ in 0..<(count - 1) / 258 { add(0b0_0000_1010_0011, 13) }
        for _ in 0..<(count - 1) % 258 { add(0b0000_1100, 8) }
        // The end, and the bits that are missing to a whole byte.
        add(0, 7)
        add(0, 7)
        return bytes + number(((count % 65_521) << 16) | 1)
    }

    private static func chunk(_ name: String, _ payload: [UInt8]) -> Data {
        let body = Array(name.utf8) + payload
        return Data(number(payload.count) + body + number(Int(checksum(body))))
    }

    private static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }

    private static let table: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 {
            let half = value >> 1
            value = value & 1 == 1 ? 0xEDB8_8320 ^ half : half
        }
        return value
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value = UInt32.max
        for byte in bytes {
            let index = UInt8(truncatingIfNeeded: value) ^ byte
            value = table[Int(index)] ^ (value >> 8)
        }
        return ~value
    }
}
