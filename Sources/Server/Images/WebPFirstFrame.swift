/// The location of the first frame of a WebP image. The file may contain anything.
package struct WebPFirstFrame: Sendable, Equatable {
    /// The size of the image.
    package var width: Int
    package var height: Int
    /// The position of the frame in the image.
    package var left: Int
    package var top: Int
    /// The size of the frame.
    package var columns: Int
    package var rows: Int
    /// The bytes of the file that the decoder gets.
    package var data: Range<Int>

    /// - Returns: `nil` if the image is not animated, or has no frame.
    package init?(_ file: [UInt8]) {
        guard file.count >= 30, file.starts(with: Array("RIFF".utf8)), Self.name(file, 8) == "WEBP",
            Self.name(file, 12) == "VP8X", file[20] & 0x02 != 0
        else { return nil }
        width = Self.number(file, 24, 3) + 1
        height = Self.number(file, 27, 3) + 1
        (left, top, columns, rows, data) = (0, 0, 0, 0, 0..<0)
        var start = 12
        while start <= file.count - 8 {
            let length = min(Self.number(file, start + 4, 4), file.count - start - 8)
            if Self.name(file, start) == "ANMF" {
                guard readFrame(file, start + 8, length) else { return nil }
                return
            }
            // Chunks have an even length.
            start += 8 + length + length % 2
        }
        return nil
    }

    private mutating func readFrame(_ file: [UInt8], _ start: Int, _ length: Int) -> Bool {
        guard length > 16 else { return false }
        left = Self.number(file, start, 3) * 2
        top = Self.number(file, start + 3, 3) * 2
        columns = Self.number(file, start + 6, 3) + 1
        rows = Self.number(file, start + 9, 3) + 1
        data = start + 16..<start + length
        return left + columns <= width && top + rows <= height
    }

    private static func name(_ file: [UInt8], _ start: Int) -> String {
        String(decoding: file[start..<start + 4], as: UTF8.self)
    }

    private static func number(_ file: [UInt8], _ start: Int, _ count: Int) -> Int {
        file[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
