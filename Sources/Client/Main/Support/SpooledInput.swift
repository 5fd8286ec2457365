import FeedClientKit
import Foundation

/// Standard input, copied to a temporary file: an upload needs to know its size, and may have to be repeated. The file
/// has no name, so that nothing is left behind, however the program ends.
final class SpooledInput {
    private static let chunk = 1 << 20
    private let file: FileHandle

    /// A path that leads to the file as long as this object exists.
    var path: String {
        #if os(Linux)
            "/proc/self/fd/\(file.fileDescriptor)"
        #else
            "/dev/fd/\(file.fileDescriptor)"
        #endif
    }

    /// Reads standard input to its end.
    /// - Throws: ``FeedClientError`` `.disk` if the temporary file cannot be written, which `TMPDIR` can move.
    init() throws {
        let path = FileManager.default.temporaryDirectory.path + "/feedclient-" + UUID().uuidString
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SpooledInput.failure(nil) }
        unlink(path)
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            while let data = try FileHandle.standardInput.read(upToCount: Self.chunk), !data.isEmpty {
                try file.write(contentsOf: data)
            }
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ cause: (any Error)?) -> FeedClientError {
        FeedClientError(
            .disk, "Standard input cannot be stored in \(FileManager.default.temporaryDirectory.path)",
            hint: "Free some space there, or name another folder in TMPDIR.", cause: cause)
    }
}
