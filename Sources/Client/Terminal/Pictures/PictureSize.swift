#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The size of a picture in pixels, as the head of its file states it. The file may contain anything.
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

    /// The maximum number of segments of a JPEG before its size.
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

/// The place of a picture on the terminal. Pictures are scaled down to it, never up.
public struct PictureArea: Sendable, Equatable {
    /// The number of cells that the picture covers, some of them only in part.
    public let columns, rows: Int
    /// The size of the picture there, in pixels.
    public let width, height: Int

    /// The largest area with the proportions of a picture.
    /// - Parameters:
    ///   - size: The size of the picture.
    ///   - columns: The maximum width in cells.
    ///   - rows: The maximum height in cells.
    ///   - cell: The size of a cell.
    public init(of size: PictureSize, columns: Int, rows: Int, cell: CellSize) {
        let (columns, rows) = (max(1, columns), max(1, rows))
        let (width, height) = (Double(size.width), Double(size.height))
        let scale = min(1, Double(columns * cell.width) / width, Double(rows * cell.height) / height)
        self.width = max(1, Int((width * scale).rounded()))
        self.height = max(1, Int((height * scale).rounded()))
        self.columns = min(columns, max(1, (self.width + cell.width / 2) / cell.width))
        self.rows = min(rows, max(1, (self.height + cell.height / 2) / cell.height))
    }
}

/// The size of a character cell in pixels.
public struct CellSize: Sendable, Equatable {
    public let width, height: Int

    /// - Parameters:
    ///   - width: The width, which is limited to 1 to 16 pixels.
    ///   - height: The height, which is limited to 1 to 32 pixels, so that a picture has a bounded number of them.
    public init(width: Int, height: Int) {
        self.width = min(max(1, width), 16)
        self.height = min(max(1, height), 32)
    }

    /// The size in most terminals.
    public static let usual = CellSize(width: 8, height: 16)
    /// Half blocks show a pixel above another one.
    public static let halfBlock = CellSize(width: 1, height: 2)

    /// The size in the terminal of standard output; the usual one if the terminal does not state it.
    public static func current() -> CellSize {
        let stated = TerminalCapabilities.windowSize(of: [STDOUT_FILENO]) { $0.ws_col > 0 && $0.ws_row > 0 }
        guard let size = stated else { return usual }
        let (width, height) = (Int(size.ws_xpixel) / Int(size.ws_col), Int(size.ws_ypixel) / Int(size.ws_row))
        // Some terminals state impossible numbers.
        guard (4...64).contains(width), (width...4 * width).contains(height) else { return usual }
        return CellSize(width: width, height: height)
    }
}

/// The pixels of a picture.
public struct PicturePixels: Sendable, Equatable {
    /// An opaque color.
    struct Color: Hashable, Sendable {
        var red, green, blue: UInt8
    }

    /// The size in pixels.
    public let width, height: Int
    /// Four bytes per pixel, in rows from the top: red, green, blue and alpha, which is not premultiplied.
    public let bytes: [UInt8]

    /// - Returns: `nil` unless there are four bytes for each pixel, and at least one pixel.
    public init?(width: Int, height: Int, bytes: [UInt8]) {
        let (area, isTooLarge) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !isTooLarge, area <= Int.max / 4, bytes.count == area * 4 else { return nil }
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// The color of a pixel; `nil` if it is more transparent than opaque, or outside the picture.
    subscript(x: Int, y: Int) -> Color? {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
        let start = (y * width + x) * 4
        guard bytes[start + 3] >= 128 else { return nil }
        return Color(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
    }
}
