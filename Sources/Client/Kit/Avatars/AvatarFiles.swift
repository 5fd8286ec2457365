import Crypto
import Foundation

/// Content-addressed files of pictures: `avatars/ab/abcd…`, named by SHA-256. A file is always complete, because it is
/// synced before it gets its name. The folder may be deleted at any time.
struct AvatarFiles: Sendable {
    let folder: String

    /// The SHA-256 in hexadecimal.
    static func name(of bytes: [UInt8]) -> String {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Hexadecimal.text(hash.finalize())
    }

    func path(_ name: String) -> String { "\(folder)/\(name.prefix(2))/\(name)" }

    /// Whether a file exists and has `size` bytes.
    func exists(_ name: String, size: Int64) -> Bool {
        var info = stat()
        return Self.isName(name) && stat(path(name), &info) == 0 && Int64(info.st_size) == size
    }

    /// - Returns: `nil` if the file does not exist, or if its content does not match its name.
    func bytes(_ name: String, size: Int64) -> [UInt8]? {
        guard exists(name, size: size), let data = FileManager.default.contents(atPath: path(name)) else { return nil }
        let bytes = [UInt8](data)
        return Self.name(of: bytes) == name ? bytes : nil
    }

    /// Writes a file unless it exists.
    /// - Throws: ``FeedClientError`` `.disk`.
    func store(_ bytes: [UInt8], named name: String) throws(FeedClientError) {
        guard !exists(name, size: Int64(bytes.count)) else { return }
        try ClientFolders.create("\(folder)/\(name.prefix(2))")
        try DurableFile.replace(path(name), with: Data(bytes))
    }

    /// Removes a file, if it exists.
    /// - Throws: ``FeedClientError`` `.disk` if it still exists.
    func remove(_ name: String) throws(FeedClientError) {
        guard Self.isName(name), unlink(path(name)) != 0 else { return }
        let failure = DurableFile.failure("remove", path(name))
        var info = stat()
        if lstat(path(name), &info) == 0, info.st_mode & S_IFMT == S_IFREG { throw failure }
    }

    /// Removes all files that are not in `kept`, including temporary files of a process that has crashed.
    /// - Returns: The files that exist.
    func sweep(keeping kept: Set<String>) -> Set<String> {
        var found: Set<String> = []
        for part in Self.list(folder) {
            let names = part.utf8.count == 2 ? Self.list("\(folder)/\(part)") : []
            let known = names.filter { kept.contains($0) && Self.isName($0) && $0.hasPrefix(part) }
            found.formUnion(known)
            if known.isEmpty {
                try? FileManager.default.removeItem(atPath: "\(folder)/\(part)")
            } else {
                for name in names where !known.contains(name) {
                    try? FileManager.default.removeItem(atPath: "\(folder)/\(part)/\(name)")
                }
            }
        }
        return found
    }

    /// Whether the text is a valid name. Names are read from a database that may have been tampered with; they must not
    /// contain a path.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func list(_ path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
}
