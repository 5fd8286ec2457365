import CSandbox
import Foundation

/// Decodes PNG with the simplified interface of libpng 1.6, which reports errors by return values. Names, parameters and
/// constants are those of `png.h`.
package struct PNGDecoder {
    private typealias Image = UnsafeMutablePointer<csandbox_png_image>

    private static let version: UInt32 = 1
    private static let alpha: UInt32 = 1
    private static let color: UInt32 = 2
    private static let colormap: UInt32 = 8
    /// Without it, the library takes the values of images with 16 bits per channel for linear light.
    private static let sRGB16: UInt32 = 4

    private let beginRead: @convention(c) (Image, UnsafeRawPointer?, Int) -> Int32
    private let finishRead:
        @convention(c) (Image, UnsafeRawPointer?, UnsafeMutableRawPointer, Int32, UnsafeMutableRawPointer?) -> Int32
    private let freeImage: @convention(c) (Image) -> Void

    init(_ library: LoadedLibrary) throws {
        beginRead = try library.find("png_image_begin_read_from_memory")
        finishRead = try library.find("png_image_finish_read")
        freeImage = try library.find("png_image_free")
    }

    /// - Parameter limit: The maximum number of pixels before scaling.
    package func decode(_ content: [UInt8], to size: ThumbnailSize, limit: Int) throws(DecodingFailure) -> Bitmap {
        // The library keeps pointers to both until the end, so they must not move.
        let image = Image.allocate(capacity: 1)
        image.initialize(to: csandbox_png_image())
        image.pointee.version = Self.version
        defer {
            freeImage(image)
            image.deallocate()
        }
        let result = content.withUnsafeBytes { bytes -> Result<Bitmap, DecodingFailure> in
            Result { () throws(DecodingFailure) -> Bitmap in try decode(bytes, image, size, limit) }
        }
        return try result.get()
    }

    private func decode(
        _ content: UnsafeRawBufferPointer, _ image: Image, _ size: ThumbnailSize, _ limit: Int
    ) throws(DecodingFailure) -> Bitmap {
        guard beginRead(image, content.baseAddress, content.count) != 0 else { throw Self.failure(image) }
        image.pointee.flags |= Self.sRGB16
        let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
        guard width >= size.width, height >= size.height, width * height <= limit else {
            throw .damaged("another size")
        }
        // As few bytes per pixel as possible, because the library decodes the whole image at once.
        let format = image.pointee.format & (Self.alpha | Self.color)
        if image.pointee.format & Self.colormap != 0 { return try indexed(image, width, height, size) }
        image.pointee.format = format
        let pixels = try PixelBuffer(width: width, height: height, Self.layout(format))
        guard finishRead(image, nil, pixels.start, 0, nil) != 0 else { throw Self.failure(image) }
        return pixels.scaled(to: size)
    }

    private func indexed(
        _ image: Image, _ width: Int, _ height: Int, _ size: ThumbnailSize
    ) throws(DecodingFailure) -> Bitmap {
        image.pointee.format = Self.alpha | Self.color | Self.colormap
        var palette = [UInt8](repeating: 0, count: 256 * 4)
        let pixels = try PixelBuffer(width: width, height: height, .gray)
        guard finishRead(image, nil, pixels.start, 0, &palette) != 0 else { throw Self.failure(image) }
        var scaler = ImageScaler(width: width, height: height, to: size)
        var row = [UInt8](repeating: 0, count: width * 4)
        for y in 0..<height {
            for x in 0..<width {
                let index = Int(pixels.start.load(fromByteOffset: y * width + x, as: UInt8.self))
                for channel in 0..<4 { row[x * 4 + channel] = palette[index * 4 + channel] }
            }
            scaler.add(row)
        }
        return scaler.bitmap
    }

    private static func layout(_ format: UInt32) -> PixelLayout {
        switch (format & color != 0, format & alpha != 0) {
        case (false, false): .gray
        case (false, true): .grayAlpha
        case (true, false): .rgb
        case (true, true): .rgba
        }
    }

    private static func failure(_ image: Image) -> DecodingFailure {
        let text = withUnsafeBytes(of: image.pointee.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return DecodingFailure(text)
    }
}
