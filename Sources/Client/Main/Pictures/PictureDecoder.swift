import FeedAPI
import FeedClientKit
import FeedImages
import FeedTerminal
import Foundation

/// Decodes pictures that strangers have made. Decoders have had many vulnerabilities, so they run in a process that can
/// neither open files nor sockets, and has limits of memory and time (``PictureHelper``, `MediaSandbox`). What it
/// returns is only trusted to be pixels.
struct PictureDecoder: Sendable {
    /// The time after which a process is killed.
    private static let deadline = Duration.seconds(Timeout.seconds(5))
    /// The interval between two checks of a process, in microseconds.
    private static let pause: UInt32 = 2000

    /// The program to start, and its first argument.
    var program = ["/proc/self/exe", PictureHelper.command]

    /// The first frame of a picture, scaled down.
    /// - Parameter area: Must not be larger than the picture.
    /// - Returns: `nil` if the picture is damaged, too large, or of a format for which no library is installed.
    func decode(_ file: [UInt8], to area: PictureArea) async -> PicturePixels? {
        // The kernel kills the process when the thread that started it ends, so this must not be a thread of a pool.
        let bytes = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: decodeNow(file, area)) }
        }
        return bytes.flatMap { PicturePixels(width: area.width, height: area.height, bytes: $0) }
    }

    private func decodeNow(_ file: [UInt8], _ area: PictureArea) -> [UInt8]? {
        guard let input = UnnamedFile(file), let output = UnnamedFile(),
            let errors = FileHandle(forWritingAtPath: "/dev/null")
        else { return nil }
        let words = program + [String(area.width), String(area.height)]
        let descriptors = [input.descriptor, output.descriptor, errors.fileDescriptor]
        guard let processID = try? MediaSpawn.start(words, descriptors, niceness: 0), Self.hasSucceeded(processID)
        else {
            return nil
        }
        return output.content(count: area.width * area.height * 4)
    }

    /// Waits for the end of a process, and kills it at the deadline.
    private static func hasSucceeded(_ processID: pid_t) -> Bool {
        let end = ContinuousClock.now + deadline
        var status: Int32 = 0
        while true {
            let result = waitpid(processID, &status, WNOHANG)
            if result == processID { return status == 0 }
            guard result == 0 || errno == EINTR else { return false }
            if ContinuousClock.now >= end { kill(-processID, SIGKILL) }
            usleep(pause)
        }
    }
}

/// A file that nobody else can open, and that disappears with this object.
private final class UnnamedFile {
    private let file: UnsafeMutablePointer<FILE>

    var descriptor: Int32 { fileno(file) }

    /// - Parameter content: What the file contains; reading begins at its start.
    init?(_ content: [UInt8] = []) {
        guard let file = tmpfile() else { return nil }
        self.file = file
        guard fwrite(content, 1, content.count, file) == content.count, fflush(file) == 0,
            lseek(fileno(file), 0, SEEK_SET) == 0
        else { return nil }
    }

    /// The content, if it has this number of bytes.
    func content(count: Int) -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size == count else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, 0) == count ? bytes : nil
    }

    deinit { fclose(file) }
}

/// `feedclient decode-picture WIDTH HEIGHT`: decodes one picture in a process of its own, started by ``PictureDecoder``.
///
/// Descriptor 0 is the picture, a regular file. The pixels, four bytes each, are written to descriptor 1. The exit code is
/// 0 if the picture has been decoded.
enum PictureHelper {
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
        _ = MediaSandbox.enter(fileBytes: Int64(size.area * 4))
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
            guard let frame = GIFDecoder(file, limit: maximumPixels), frame.width >= size.width,
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
