import Crypto
import Foundation

/// Pictures known by what they are: `avatars/ab/abcd…`, named by SHA-256. Written beside, synced, then renamed, so that a
/// name always stands for whole bytes. The folder may vanish at any time.
struct AvatarFiles: Sendable {
    let folder: String

    /// SHA-256 in hexadecimal.
    static func name(of bytes: [UInt8]) -> String {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Hexadecimal.text(hash.finalize())
    }

    func path(_ name: String) -> String { "\(folder)/\(name.prefix(2))/\(name)" }

    /// Whether there is such a file of `size` bytes.
    func has(_ name: String, size: Int64) -> Bool {
        var info = stat()
        return Self.isName(name) && stat(path(name), &info) == 0 && Int64(info.st_size) == size
    }

    /// - Returns: `nil` when the file is missing, or is not what its name says.
    func bytes(_ name: String, size: Int64) -> [UInt8]? {
        guard has(name, size: size), let data = FileManager.default.contents(atPath: path(name)) else { return nil }
        let bytes = [UInt8](data)
        return Self.name(of: bytes) == name ? bytes : nil
    }

    /// Writes a file unless it is there already.
    /// - Throws: ``FeedClientError`` `.disk`.
    func store(_ bytes: [UInt8], named name: String) throws(FeedClientError) {
        guard !has(name, size: Int64(bytes.count)) else { return }
        try Places.make("\(folder)/\(name.prefix(2))")
        try DurableFile.replace(path(name), with: Data(bytes))
    }

    func remove(_ name: String) {
        if Self.isName(name) { unlink(path(name)) }
    }

    /// Removes everything whose name is not in `kept`, also what a process that died has left behind.
    /// - Returns: The names that are there.
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

    /// Names come from a file anybody may have changed; they must not lead elsewhere.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func list(_ path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
}
