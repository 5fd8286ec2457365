import Foundation

/// Decodes and encodes JPEG with libjpeg-turbo. Names, parameters and constants are those of `turbojpeg.h`, version 2.
package struct JPEGCodec {
    private typealias Handle = UnsafeMutableRawPointer
    private typealias Bytes = UnsafePointer<UInt8>

    private static let pixelRGBA: Int32 = 7
    private static let pixelCMYK: Int32 = 11
    private static let colorspaceCMYK: Int32 = 3
    private static let colorspaceYCCK: Int32 = 4
    private static let subsampling420: Int32 = 2
    /// TJFLAG_FASTUPSAMPLE, TJFLAG_FASTDCT and TJFLAG_LIMITSCANS.
    private static let flags: Int32 = 256 | 2048 | 32768
    private static let fatal: Int32 = 1
    private static let quality: Int32 = 80

    private let initDecompress: @convention(c) () -> Handle?
    private let initCompress: @convention(c) () -> Handle?
    private let decompressHeader:
        @convention(c) (
            Handle, Bytes?, CUnsignedLong, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>,
            UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>
        ) -> Int32
    private let decompress:
        @convention(c) (
            Handle, Bytes?, CUnsignedLong, UnsafeMutablePointer<UInt8>?, Int32, Int32, Int32, Int32, Int32
        ) -> Int32
    private let compress:
        @convention(c) (
            Handle, Bytes?, Int32, Int32, Int32, Int32, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
            UnsafeMutablePointer<CUnsignedLong>, Int32, Int32, Int32
        ) -> Int32
    private let errorText: @convention(c) (Handle) -> UnsafePointer<CChar>?
    private let errorCode: @convention(c) (Handle) -> Int32
    private let freeBytes: @convention(c) (UnsafeMutablePointer<UInt8>?) -> Void
    private let destroy: @convention(c) (Handle) -> Int32

    init(_ library: LoadedLibrary) throws {
        initDecompress = try library.find("tjInitDecompress")
        initCompress = try library.find("tjInitCompress")
        decompressHeader = try library.find("tjDecompressHeader3")
        decompress = try library.find("tjDecompress2")
        compress = try library.find("tjCompress2")
        errorText = try library.find("tjGetErrorStr2")
        errorCode = try library.find("tjGetErrorCode")
        freeBytes = try library.find("tjFree")
        destroy = try library.find("tjDestroy")
    }

    /// - Parameter limit: The maximum number of pixels before scaling.
    package func decode(_ content: [UInt8], to size: ThumbnailSize, limit: Int) throws(DecodingFailure) -> Bitmap {
        guard let handle = initDecompress() else { throw .tooCostly }
        defer { _ = destroy(handle) }
        var (width, height, subsampling, colorspace): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let count = CUnsignedLong(content.count)
        let head = decompressHeader(handle, content, count, &width, &height, &subsampling, &colorspace)
        guard head == 0 || isWarning(handle) else { throw failure(handle) }
        guard width >= size.width, height >= size.height, Int(width) * Int(height) <= limit else {
            throw .damaged("another size")
        }
        let scaled = Self.scaled(Int(width), Int(height), for: size)
        let isCMYK = [Self.colorspaceCMYK, Self.colorspaceYCCK].contains(colorspace)
        let pixels = try PixelBuffer(width: scaled.width, height: scaled.height, isCMYK ? .cmyk : .rgba)
        let result = decompress(
            handle, content, count, pixels.start.assumingMemoryBound(to: UInt8.self), Int32(scaled.width), 0,
            Int32(scaled.height), isCMYK ? Self.pixelCMYK : Self.pixelRGBA, Self.flags)
        guard result == 0 || isWarning(handle) else { throw failure(handle) }
        return pixels.scaled(to: size)
    }

    /// The smallest size that the library can decode to directly (in eighths) and that is not smaller than `size`.
    private static func scaled(_ width: Int, _ height: Int, for size: ThumbnailSize) -> ThumbnailSize {
        for eighths in 1..<8 {
            let scaled = ThumbnailSize(width: (width * eighths + 7) / 8, height: (height * eighths + 7) / 8)
            if scaled.width >= size.width, scaled.height >= size.height { return scaled }
        }
        return ThumbnailSize(width: width, height: height)
    }

    /// - Returns: `nil` if there is not enough memory.
    package func encode(_ image: Bitmap) -> [UInt8]? {
        guard let handle = initCompress() else { return nil }
        defer { _ = destroy(handle) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: CUnsignedLong = 0
        defer { freeBytes(bytes) }
        let result = compress(
            handle, image.bytes, Int32(image.width), 0, Int32(image.height), Self.pixelRGBA, &bytes, &count,
            Self.subsampling420, Self.quality, 0)
        guard result == 0, let bytes else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Whether the last call has decoded something despite errors in the data.
    private func isWarning(_ handle: Handle) -> Bool { errorCode(handle) != Self.fatal }

    private func failure(_ handle: Handle) -> DecodingFailure {
        DecodingFailure(errorText(handle).map { String(cString: $0) } ?? "")
    }
}
