import CZlib

/// Encodes PNG images (ISO/IEC 15948): RGBA with 8 bits per channel, not interlaced.
package struct PNGEncoder {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Encodes an image.
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - pixel: Returns the color of a pixel.
    /// - Returns: The content of the PNG file.
    package static func encode(width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> Pixel) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (1 + width * 4))
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                let pixel = pixel(x, y)
                rows += [pixel.red, pixel.green, pixel.blue, pixel.alpha]
            }
        }
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 6, 0, 0, 0]
        return signature + chunk("IHDR", header) + chunk("IDAT", deflate(rows)) + chunk("IEND", [])
    }

    private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(kind.utf8) + data
        let checksum = UInt32(truncatingIfNeeded: crc32(0, body, uInt(body.count)))
        return bigEndian(UInt32(data.count)) + body + bigEndian(checksum)
    }

    private static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(length))
        let code = compress2(&result, &length, bytes, uLong(bytes.count), 9)
        precondition(code == Z_OK, "compressBound is the maximum size of compressed data")
        return Array(result.prefix(Int(length)))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
