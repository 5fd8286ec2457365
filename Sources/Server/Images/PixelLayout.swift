/// How a decoder stores a pixel, with 8 bits per channel.
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
