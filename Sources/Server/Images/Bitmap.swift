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

extension Bitmap {
    /// The image as it is meant to be seen.
    /// - Parameter orientation: The value of the Exif tag `Orientation`. A value that is not defined means 1.
    package func upright(from orientation: Int) -> Bitmap {
        guard (2...8).contains(orientation) else { return self }
        let swapsSides = orientation >= 5
        let (columns, rows) = swapsSides ? (height, width) : (width, height)
        var result = Bitmap(width: columns, height: rows)
        for y in 0..<rows {
            for x in 0..<columns {
                let from = source(ofX: x, y: y, orientation) * 4
                let to = (y * columns + x) * 4
                for channel in 0..<4 { result.bytes[to + channel] = bytes[from + channel] }
            }
        }
        return result
    }

    /// The index of the pixel that an upright image shows at a position.
    private func source(ofX x: Int, y: Int, _ orientation: Int) -> Int {
        let (right, bottom) = (width - 1, height - 1)
        let (column, row) =
            switch orientation {
            case 2: (right - x, y)
            case 3: (right - x, bottom - y)
            case 4: (x, bottom - y)
            case 5: (y, x)
            case 6: (y, bottom - x)
            case 7: (right - y, bottom - x)
            default: (right - y, x)
            }
        return row * width + column
    }
}

/// The size of a thumbnail in pixels.
package struct ThumbnailSize: Sendable, Equatable {
    /// The largest width and height, which only very long images reach. JPEG allows 65,500.
    private static let longestSide = 8192

    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The largest size with the proportions of an image that has at most `pixels` pixels; never more than the size of
    /// the image.
    package init(fitting width: Int, _ height: Int, pixels: Int) {
        let (width, height, pixels) = (max(1, width), max(1, height), max(1, pixels))
        let scale = min(1, (Double(pixels) / (Double(width) * Double(height))).squareRoot())
        let short = max(1, Int(Double(min(width, height)) * scale))
        // The short side of a very long image is rounded up to one pixel.
        let long = max(1, min(Int(Double(max(width, height)) * scale), pixels / short, Self.longestSide))
        self.init(width: width < height ? short : long, height: width < height ? long : short)
    }
}
