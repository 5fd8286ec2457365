/// An image in memory.
package struct Bitmap: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// Four bytes per pixel, in rows from the top: red, green, blue and alpha, which is not premultiplied.
    package var bytes: [UInt8]

    package init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(bytes.count == width * height * 4, "four bytes per pixel")
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// A transparent image.
    package init(width: Int, height: Int) {
        self.init(width: width, height: height, bytes: [UInt8](repeating: 0, count: width * height * 4))
    }

    package var isOpaque: Bool { stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 } }

    /// The color of a pixel.
    package subscript(x: Int, y: Int) -> PNG.Pixel {
        let start = (y * width + x) * 4
        return PNG.Pixel(bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3])
    }

    /// Replaces the pixels of a rectangle. What exceeds this image is left out.
    package mutating func draw(_ other: Bitmap, x: Int, y: Int) {
        let columns = min(other.width, width - x)
        guard columns > 0, x >= 0, y >= 0 else { return }
        for row in 0..<max(0, min(other.height, height - y)) {
            let (from, to) = (row * other.width * 4, ((y + row) * width + x) * 4)
            bytes.replaceSubrange(to..<to + columns * 4, with: other.bytes[from..<from + columns * 4])
        }
    }
}
