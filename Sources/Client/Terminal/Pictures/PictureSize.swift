/// The size of a picture in pixels, as the head of its file states it. Pure; the file may contain anything.
public struct PictureSize: Sendable, Equatable {
    /// The bytes with which each PNG begins.
    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The largest width and height: those of a JPEG.
    private static let longestSide = 65_535

    public let width, height: Int

    /// The number of pixels.
    public var area: Int { width * height }

    /// - Returns: `nil` unless both sides have 1 to 65,535 pixels.
    public init?(width: Int, height: Int) {
        let range = 1...Self.longestSide
        guard range.contains(width), range.contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// Reads the head of a PNG, JPEG, GIF or WebP.
    /// - Returns: `nil` for anything else.
    public init?(of file: [UInt8]) {
        let head = PictureHead(bytes: file)
        guard let size = head.png ?? head.gif ?? head.webP ?? head.jpeg else { return nil }
        self.init(width: size.0, height: size.1)
    }
}

/// Reads numbers at places that a format fixes.
private struct PictureHead {
    typealias Size = (Int, Int)

    /// How many segments of a JPEG may precede its size.
    private static let maximumSegments = 1000

    let bytes: [UInt8]

    var png: Size? {
        guard has(PictureSize.pngSignature, at: 0), has(Array("IHDR".utf8), at: 12) else {
            return nil
        }
        return size(width: bigEndian(16, 4), height: bigEndian(20, 4))
    }

    var gif: Size? {
        guard has(Array("GIF8".utf8), at: 0) else { return nil }
        return size(width: littleEndian(6, 2), height: littleEndian(8, 2))
    }

    /// A lossy image, a lossless one, or one with further chunks (RFC 9649).
    var webP: Size? {
        guard has(Array("RIFF".utf8), at: 0), has(Array("WEBP".utf8), at: 8) else { return nil }
        if has(Array("VP8X".utf8), at: 12) {
            return size(width: littleEndian(24, 3), height: littleEndian(27, 3), adding: 1)
        }
        if has(Array("VP8 ".utf8), at: 12), has([0x9D, 0x01, 0x2A], at: 23) {
            return size(width: littleEndian(26, 2).map { $0 & 0x3FFF }, height: littleEndian(28, 2).map { $0 & 0x3FFF })
        }
        guard has(Array("VP8L".utf8), at: 12), has([0x2F], at: 20), let bits = littleEndian(21, 4) else { return nil }
        return size(width: bits & 0x3FFF, height: bits >> 14 & 0x3FFF, adding: 1)
    }

    /// The first frame header among the segments (ITU-T T.81, B.2.2).
    var jpeg: Size? {
        guard has([0xFF, 0xD8, 0xFF], at: 0) else { return nil }
        var place = 2
        for _ in 0..<Self.maximumSegments {
            guard has([0xFF], at: place), let marker = bigEndian(place + 1, 1) else { return nil }
            // Any number of fill bytes may precede a marker.
            guard marker != 0xFF else {
                place += 1
                continue
            }
            if Self.isFrame(marker) { return size(width: bigEndian(place + 7, 2), height: bigEndian(place + 5, 2)) }
            guard let length = bigEndian(place + 2, 2), length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    /// SOF0 to SOF15; DHT, JPG and DAC have numbers between them.
    private static func isFrame(_ marker: Int) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    private func size(width: Int?, height: Int?, adding offset: Int = 0) -> Size? {
        guard let width, let height else { return nil }
        return (width + offset, height + offset)
    }

    private func has(_ expected: [UInt8], at place: Int) -> Bool { bytes.dropFirst(place).starts(with: expected) }

    private func bigEndian(_ place: Int, _ count: Int) -> Int? {
        guard place <= bytes.count - count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private func littleEndian(_ place: Int, _ count: Int) -> Int? {
        guard place <= bytes.count - count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
