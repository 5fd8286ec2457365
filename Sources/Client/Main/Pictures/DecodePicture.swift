import FeedClientKit
import FeedImages
import FeedTerminal
import Foundation

/// `feedclient decode-picture WIDTH HEIGHT`: decodes one picture in a process of its own, started by ``PictureDecoder``.
///
/// Descriptor 0 is the picture, a regular file. The pixels, four bytes each, are written to descriptor 1. The exit code is
/// 0 if the picture has been decoded.
enum DecodePicture {
    static let command = "decode-picture"
    /// The maximum number of pixels before scaling. The decoders of some formats need all of them in memory.
    static let maximumPixels = 1 << 24
    /// The maximum size of a picture in bytes.
    private static let maximumBytes = 8 << 20

    /// Decodes the picture and ends the process. Must be called before the process has a second thread.
    static func run(_ arguments: ArraySlice<String>) -> Never {
        let numbers = arguments.compactMap { Int($0) }
        guard numbers.count == 2, let size = PictureSize(width: numbers[0], height: numbers[1]),
            size.area <= maximumPixels
        else { _exit(2) }
        // Afterwards no file can be opened, so the libraries come first.
        let libraries = ImageLibraries.load()
        _ = MediaSandbox.enter(fileBytes: Int64(size.area * 4), niceness: MediaSpawn.niceness)
        let pixels = decode(read(), ThumbnailSize(width: size.width, height: size.height), libraries)
        // Skips the cleanup that `exit` performs, which might need a system call that is now forbidden.
        _exit(pixels.map { write($0.bytes) } == true ? 0 : 1)
    }

    private static func decode(_ file: [UInt8], _ size: ThumbnailSize, _ libraries: ImageLibraries) -> Bitmap? {
        switch AvatarType(sniffing: file) {
        case .png: return try? libraries.png?.decode(file, to: size, limit: maximumPixels)
        case .jpeg: return try? libraries.jpeg?.decode(file, to: size, limit: maximumPixels)
        case .webp: return try? libraries.webP?.decode(file, to: size, limit: maximumPixels)
        case .gif:
            guard let frame = GIFFirstFrame(file, limit: maximumPixels), frame.width >= size.width,
                frame.height >= size.height
            else { return nil }
            return frame.scaled(to: size)
        case nil: return nil
        }
    }

    private static func read() -> [UInt8] {
        var file = [UInt8]()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while file.count <= maximumBytes {
            let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? file : [] }
            file += buffer.prefix(count)
        }
        return []
    }

    /// - Returns: Whether all bytes have been written.
    private static func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
