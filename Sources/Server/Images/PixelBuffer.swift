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
