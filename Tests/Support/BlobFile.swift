import Foundation

/// A file in the folder of a server.
package enum BlobFile {
    /// Makes a file shorter while it is being sent.
    /// - Parameter size: The size that identifies it.
    /// - Returns: Whether there was one.
    package static func shorten(in folder: String, size: Int) -> Bool {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let found = names.map { folder + "/" + $0 }.first { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && Int(status.st_size) == size
        }
        guard let found else { return false }
        return chmod(found, 0o600) == 0 && truncate(found, 1) == 0
    }
}
