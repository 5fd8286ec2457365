import Foundation

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
        var scaler = AreaScaler(width: width, height: height, to: size)
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

    package var bytesPerPixel: Int {
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
