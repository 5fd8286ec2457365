import Foundation

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
    package subscript(x: Int, y: Int) -> Pixel {
        let start = (y * width + x) * 4
        return Pixel(bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3])
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

/// An RGBA color with 8 bits per channel.
package struct Pixel: Equatable, Sendable {
    package var red, green, blue, alpha: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    package static let clear = Pixel(0, 0, 0, 0)
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

/// Memory into which a library decodes an image. Unlike an array, it can tell that there is not enough.
struct PixelBuffer: ~Copyable {
    let start: UnsafeMutableRawPointer
    let layout: PixelLayout
    let width: Int
    let height: Int

    var count: Int { width * height * layout.bytesPerPixel }

    /// - Throws: ``DecodingFailure/tooCostly``.
    init(width: Int, height: Int, _ layout: PixelLayout) throws(DecodingFailure) {
        guard width > 0, height > 0, width <= 1 << 24, height <= 1 << 24,
            let start = calloc(width * height, layout.bytesPerPixel)
        else { throw .tooCostly }
        self.start = start
        self.layout = layout
        self.width = width
        self.height = height
    }

    deinit { free(start) }

    /// The image, scaled down to `size`.
    borrowing func scaled(to size: ThumbnailSize) -> Bitmap {
        var scaler = ImageScaler(width: width, height: height, to: size)
        var row = [UInt8](repeating: 0, count: width * 4)
        let length = width * layout.bytesPerPixel
        for y in 0..<height {
            layout.convert(UnsafeRawBufferPointer(start: start + y * length, count: length), to: &row)
            scaler.add(row)
        }
        return scaler.bitmap
    }
}

/// The layout of a pixel that a decoder returns, with 8 bits per channel.
package enum PixelLayout: Sendable {
    case gray, grayAlpha, rgb, rgba
    /// With inverted values, as Adobe writes them: 255 means no ink.
    case cmyk

    var bytesPerPixel: Int {
        switch self {
        case .gray: 1
        case .grayAlpha: 2
        case .rgb: 3
        case .rgba, .cmyk: 4
        }
    }

    /// Converts the pixels of a row to RGBA.
    /// - Parameter result: Four bytes per pixel. The row is as long as this array says, or shorter.
    package func convert(_ row: UnsafeRawBufferPointer, to result: inout [UInt8]) {
        for pixel in 0..<min(row.count / bytesPerPixel, result.count / 4) {
            let (from, to) = (pixel * bytesPerPixel, pixel * 4)
            let (red, green, blue, alpha) = color(row, from)
            result[to] = red
            result[to + 1] = green
            result[to + 2] = blue
            result[to + 3] = alpha
        }
    }

    @inline(__always)
    private func color(_ row: UnsafeRawBufferPointer, _ start: Int) -> (UInt8, UInt8, UInt8, UInt8) {
        switch self {
        case .gray: (row[start], row[start], row[start], 255)
        case .grayAlpha: (row[start], row[start], row[start], row[start + 1])
        case .rgb: (row[start], row[start + 1], row[start + 2], 255)
        case .rgba: (row[start], row[start + 1], row[start + 2], row[start + 3])
        case .cmyk:
            (
                Self.product(row[start], row[start + 3]), Self.product(row[start + 1], row[start + 3]),
                Self.product(row[start + 2], row[start + 3]), 255
            )
        }
    }

    @inline(__always)
    private static func product(_ ink: UInt8, _ black: UInt8) -> UInt8 { UInt8(UInt16(ink) * UInt16(black) / 255) }
}
