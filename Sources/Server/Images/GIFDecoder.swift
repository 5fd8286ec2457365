/// The first frame of a GIF (GIF89a), decoded. The file may contain anything.
package struct GIFDecoder: Sendable {
    /// The size of the logical screen, enlarged to contain the frame, as in browsers.
    package let width: Int
    package let height: Int
    /// The rectangle of the frame.
    private let left: Int
    private let top: Int
    private let columns: Int
    private let rows: Int
    private let isInterlaced: Bool
    /// The colors of the indices; a missing color is transparent.
    private let palette: [Pixel]
    /// The palette indices of the frame in the order of the file. The last ones may be missing.
    private var pixels: [UInt8]
    private var decoded = 0

    /// - Parameter limit: The maximum number of pixels of the image and of the frame.
    /// - Returns: `nil` if there is no frame, or a larger one.
    package init?(_ file: [UInt8], limit: Int) {
        var reader = GIFReader(file)
        guard let screen = reader.screen(), let frame = reader.firstFrame(),
            let decoder = LZWDecoder(minimumWidth: frame.minimumWidth)
        else { return nil }
        (width, height) = (
            max(screen.width, frame.left + frame.columns), max(screen.height, frame.top + frame.rows)
        )
        // A product of two 17-bit numbers.
        guard width * height <= limit, min(frame.columns, frame.rows) > 0 else { return nil }
        (left, top, columns, rows) = (frame.left, frame.top, frame.columns, frame.rows)
        isInterlaced = frame.isInterlaced
        var colors = frame.colors ?? screen.colors
        if let clear = frame.transparent, clear < colors.count { colors[clear] = .clear }
        palette = colors + Array(repeating: .clear, count: 256 - colors.count)
        pixels = [UInt8](repeating: 0, count: columns * rows)
        var lzw = decoder
        while !lzw.isFinished, let block = reader.block() { lzw.decode(block, into: &pixels) }
        decoded = lzw.count
    }

    /// The image, scaled down to at most `size`.
    package func scaled(to size: ThumbnailSize) -> Bitmap {
        let places = places()
        var scaler = ImageScaler(width: width, height: height, to: size)
        var row = [UInt8](repeating: 0, count: width * 4)
        for y in 0..<height {
            draw(y, places, into: &row)
            scaler.add(row)
        }
        return scaler.bitmap
    }

    private func draw(_ y: Int, _ places: [Int], into row: inout [UInt8]) {
        guard y >= top, y - top < rows else {
            for index in row.indices { row[index] = 0 }
            return
        }
        let first = places[y - top] * columns
        for column in 0..<columns {
            let color = first + column < decoded ? palette[Int(pixels[first + column])] : .clear
            let start = (left + column) * 4
            row[start] = color.red
            row[start + 1] = color.green
            row[start + 2] = color.blue
            row[start + 3] = color.alpha
        }
    }

    /// For each row of the frame, its place in the file.
    private func places() -> [Int] {
        guard isInterlaced else { return Array(0..<rows) }
        let order = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
            Array(stride(from: first, to: rows, by: step))
        }
        var places = [Int](repeating: 0, count: rows)
        for (place, row) in order.enumerated() { places[row] = place }
        return places
    }
}

/// Reads the blocks of a GIF up to the data of its first frame.
private struct GIFReader {
    struct Screen {
        var width: Int
        var height: Int
        var colors: [Pixel]
    }

    struct Frame {
        var left: Int
        var top: Int
        var columns: Int
        var rows: Int
        var isInterlaced: Bool
        /// `nil` if the frame has the colors of the screen.
        var colors: [Pixel]?
        /// The index of the transparent color.
        var transparent: Int?
        var minimumWidth: Int
    }

    private var rest: ArraySlice<UInt8>

    init(_ file: [UInt8]) { rest = file[...] }

    /// Reads the header and the logical screen descriptor.
    mutating func screen() -> Screen? {
        guard let head = take(13), head.starts(with: Array("GIF8".utf8)) else { return nil }
        let bytes = Array(head)
        guard let table = bytes[10] & 0x80 == 0 ? [] : colors(bytes[10]) else { return nil }
        return Screen(width: Self.number(bytes, 6), height: Self.number(bytes, 8), colors: table)
    }

    /// Skips extensions, and reads the image descriptor.
    mutating func firstFrame() -> Frame? {
        var transparent: Int?
        while let kind = take(1)?.first {
            switch kind {
            case 0x21:
                guard let label = take(1)?.first else { return nil }
                if label == 0xF9, let control = block(), control.count >= 4 {
                    let bytes = Array(control)
                    transparent = bytes[0] & 1 == 1 ? Int(bytes[3]) : nil
                }
                while block() != nil {}
            case 0x2C:
                return frame(transparent)
            default:
                return nil
            }
        }
        return nil
    }

    /// The next data block; `nil` at the end of the series, and at the end of the file.
    mutating func block() -> ArraySlice<UInt8>? {
        guard let length = take(1)?.first, length > 0 else { return nil }
        // The last block of a truncated file is shorter.
        let block = rest.prefix(Int(length))
        rest = rest.dropFirst(Int(length))
        return block
    }

    private mutating func frame(_ transparent: Int?) -> Frame? {
        guard let head = take(9) else { return nil }
        let bytes = Array(head)
        let hasColors = bytes[8] & 0x80 != 0
        let own = hasColors ? colors(bytes[8]) : nil
        guard own != nil || !hasColors, let width = take(1)?.first else { return nil }
        return Frame(
            left: Self.number(bytes, 0), top: Self.number(bytes, 2), columns: Self.number(bytes, 4),
            rows: Self.number(bytes, 6), isInterlaced: bytes[8] & 0x40 != 0, colors: own, transparent: transparent,
            minimumWidth: Int(width))
    }

    /// - Parameter flags: The byte whose lower three bits are the size of the table.
    private mutating func colors(_ flags: UInt8) -> [Pixel]? {
        let count = 2 << Int(flags & 7)
        guard let table = take(count * 3) else { return nil }
        let bytes = Array(table)
        return (0..<count).map { Pixel(bytes[$0 * 3], bytes[$0 * 3 + 1], bytes[$0 * 3 + 2]) }
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static func number(_ bytes: [UInt8], _ start: Int) -> Int { Int(bytes[start]) | Int(bytes[start + 1]) << 8 }
}

/// Decompresses the image data of a GIF (GIF89a, appendix F). The data may contain anything.
struct LZWDecoder {
    /// The most codes that exist, which have at most 12 bits.
    private static let capacity = 4096

    private let clear: Int
    /// For each code: the code of all bytes but the last, the last byte, and the number of bytes.
    private var prefix = [Int16](repeating: -1, count: capacity)
    private var suffix = [UInt8](repeating: 0, count: capacity)
    private var length = [Int](repeating: 1, count: capacity)
    private var next: Int
    private var width: Int
    private var previous: Int?
    private var bits: UInt32 = 0
    private var bitCount = 0
    /// Whether the end code, an invalid code or the last pixel has been reached.
    private(set) var isFinished = false
    /// The number of bytes written so far.
    private(set) var count = 0
    private let minimumWidth: Int

    /// - Parameter minimumWidth: The number of bits of a pixel, 2 to 8.
    init?(minimumWidth: Int) {
        guard (2...8).contains(minimumWidth) else { return nil }
        self.minimumWidth = minimumWidth
        clear = 1 << minimumWidth
        next = clear + 2
        width = minimumWidth + 1
        for code in 0..<clear { suffix[code] = UInt8(code) }
    }

    /// Decompresses data, and continues where the last call ended.
    /// - Parameter pixels: Is filled from ``count`` on; when it is full, decompression is finished.
    mutating func decode(_ data: ArraySlice<UInt8>, into pixels: inout [UInt8]) {
        for byte in data where !isFinished {
            bits |= UInt32(byte) << UInt32(bitCount)
            bitCount += 8
            while bitCount >= width, !isFinished {
                let code = Int(bits & (1 << UInt32(width) - 1))
                bits >>= UInt32(width)
                bitCount -= width
                decode(code, &pixels)
            }
        }
    }

    private mutating func decode(_ code: Int, _ pixels: inout [UInt8]) {
        if code == clear {
            (next, width, previous) = (clear + 2, minimumWidth + 1, nil)
        } else if code == clear + 1 || code > next || (code == next && previous == nil) {
            isFinished = true
        } else {
            write(code, &pixels)
            previous = code
        }
    }

    /// Writes the bytes of a code, and adds a code for the bytes of the previous one and the first of these.
    private mutating func write(_ code: Int, _ pixels: inout [UInt8]) {
        let isNew = code == next
        if let previous, next < Self.capacity {
            (prefix[next], length[next]) = (Int16(previous), length[previous] + 1)
            suffix[next] = first(of: isNew ? previous : code)
            next += 1
            // A full table stays as it is until the next clear code.
            if next == 1 << width, width < 12 { width += 1 }
        } else if isNew {
            isFinished = true
            return
        }
        var (position, rest) = (count + length[code], code)
        count = min(position, pixels.count)
        while rest >= 0, position > 0 {
            position -= 1
            if position < pixels.count { pixels[position] = suffix[rest] }
            if length[rest] == 1 { break }
            rest = Int(prefix[rest])
        }
        isFinished = count == pixels.count
    }

    private func first(of code: Int) -> UInt8 {
        var code = code
        while length[code] > 1 { code = Int(prefix[code]) }
        return suffix[code]
    }
}
