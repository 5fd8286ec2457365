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
