import CSandbox
import Foundation

/// Decodes WebP with libwebp, which scales while it decodes. Names, parameters and constants are those of `decode.h`.
package struct WebPDecoder {
    private typealias Bytes = UnsafePointer<UInt8>
    private typealias Configuration = UnsafeMutablePointer<csandbox_webp_config>

    /// The version of the interface. The library accepts all minor versions (the lower byte).
    private static let version: Int32 = 0x0209
    private static let modeRGBA: Int32 = 1
    private static let outOfMemory: Int32 = 1
    /// A newer minor version may have a larger structure.
    private static let reserve = 1024

    private let getInfo: @convention(c) (Bytes?, Int, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>) -> Int32
    private let initConfiguration: @convention(c) (Configuration, Int32) -> Int32
    private let decodeInto: @convention(c) (Bytes?, Int, Configuration) -> Int32

    init(_ library: LoadedLibrary) throws {
        getInfo = try library.find("WebPGetInfo")
        initConfiguration = try library.find("WebPInitDecoderConfigInternal")
        decodeInto = try library.find("WebPDecode")
    }

    /// - Parameter limit: The maximum number of pixels before scaling.
    package func decode(_ content: [UInt8], to size: ThumbnailSize, limit: Int) throws(DecodingFailure) -> Bitmap {
        guard let frame = WebPFirstFrame(content) else { return try still(content[...], to: size, limit) }
        guard frame.width >= size.width, frame.height >= size.height else { throw .damaged("another size") }
        // The rectangle of the frame in the thumbnail. The frame lies within the image.
        let left = min(frame.left * size.width / frame.width, size.width - 1)
        let top = min(frame.top * size.height / frame.height, size.height - 1)
        let part = ThumbnailSize(
            width: max(1, min(size.width - left, frame.columns * size.width / frame.width)),
            height: max(1, min(size.height - top, frame.rows * size.height / frame.height)))
        var image = Bitmap(width: size.width, height: size.height)
        image.draw(try still(content[frame.data], to: part, limit), x: left, y: top)
        return image
    }

    /// - Parameter content: A file, or a frame of an animation.
    private func still(
        _ content: ArraySlice<UInt8>, to size: ThumbnailSize, _ limit: Int
    ) throws(DecodingFailure) -> Bitmap {
        let result = content.withUnsafeBufferPointer { bytes -> Result<Bitmap, DecodingFailure> in
            Result { () throws(DecodingFailure) -> Bitmap in try still(bytes, to: size, limit) }
        }
        return try result.get()
    }

    private func still(
        _ content: UnsafeBufferPointer<UInt8>, to size: ThumbnailSize, _ limit: Int
    ) throws(DecodingFailure) -> Bitmap {
        var (width, height): (Int32, Int32) = (0, 0)
        guard getInfo(content.baseAddress, content.count, &width, &height) != 0 else { throw .damaged("no image") }
        guard width >= size.width, height >= size.height, Int(width) * Int(height) <= limit else {
            throw .damaged("another size")
        }
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<csandbox_webp_config>.size + Self.reserve, alignment: 16)
        defer { memory.deallocate() }
        let configuration = memory.initializeMemory(as: csandbox_webp_config.self, to: csandbox_webp_config())
        guard initConfiguration(configuration, Self.version) != 0 else { throw .tooCostly }
        let pixels = try PixelBuffer(width: size.width, height: size.height, .rgba)
        Self.configure(&configuration.pointee, pixels)
        let status = decodeInto(content.baseAddress, content.count, configuration)
        guard status == 0 else { throw status == Self.outOfMemory ? .tooCostly : .damaged("status \(status)") }
        return pixels.scaled(to: size)
    }

    private static func configure(_ configuration: inout csandbox_webp_config, _ pixels: borrowing PixelBuffer) {
        configuration.options.use_scaling = 1
        configuration.options.scaled_width = Int32(pixels.width)
        configuration.options.scaled_height = Int32(pixels.height)
        configuration.output.colorspace = modeRGBA
        configuration.output.is_external_memory = 1
        configuration.output.u.rgba.rgba = pixels.start.assumingMemoryBound(to: UInt8.self)
        configuration.output.u.rgba.stride = Int32(pixels.width * 4)
        configuration.output.u.rgba.size = pixels.count
    }
}

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
