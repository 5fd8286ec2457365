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
