import Crypto
import FeedAPI
import FeedFolders
import Foundation

/// Content-addressed files of pictures: `avatars/ab/abcd…`, named by SHA-256. A file is always complete, because it is
/// synced before it gets its name. The folder may be deleted at any time. Whatever has another name is left alone.
struct AvatarFiles: Sendable {
    private static let folderName = "avatars"

    /// The cache folder, which may be a symbolic link.
    let folder: String

    /// The SHA-256 in hexadecimal.
    static func name(of bytes: [UInt8]) -> String {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Hex.text(hash.finalize())
    }

    /// - Throws: ``FeedClientError`` `.disk` if the folder of the files is a symbolic link.
    func refuseLink() throws(FeedClientError) {
        guard let cache = try? Folder(folder), cache.type(Self.folderName) == S_IFLNK else { return }
        throw AtomicFile.symbolicLink(cache.path(Self.folderName))
    }

    /// Whether a file exists and has `size` bytes.
    func exists(_ name: String, size: Int64) -> Bool {
        guard Self.isName(name), let parent = try? parent(of: name) else { return false }
        return parent.size(ofFile: name) == size
    }

    /// - Returns: `nil` if the file does not exist, or if its content does not match its name.
    func bytes(_ name: String, size: Int64) -> [UInt8]? {
        guard Self.isName(name), let parent = try? parent(of: name), parent.size(ofFile: name) == size,
            let file = try? parent.openFile(name)
        else { return nil }
        defer { close(file) }
        guard let data = try? SystemCalls.system.contents(of: file, parent.path(name), limit: Int(size)) else {
            return nil
        }
        let bytes = [UInt8](data)
        return Self.name(of: bytes) == name ? bytes : nil
    }

    /// Writes a file unless it exists.
    /// - Throws: ``FeedClientError`` `.disk`.
    func store(_ bytes: [UInt8], named name: String) throws(FeedClientError) {
        guard !exists(name, size: Int64(bytes.count)) else { return }
        let parent = try ClientFolders.create(Self.folders(of: name), in: folder)
        try AtomicFile.replace(name, in: parent, with: Data(bytes))
    }

    /// Removes a file, if it exists.
    /// - Throws: ``FeedClientError`` `.disk` if it may still exist.
    func remove(_ name: String) throws(FeedClientError) {
        guard Self.isName(name), let parent = try parent(of: name) else { return }
        do throws(FolderError) {
            try parent.removeFile(name)
        } catch {
            if parent.size(ofFile: name) != nil { throw AtomicFile.failure("remove", error) }
        }
    }

    /// Removes all files that are not in `kept`, including temporary files of a process that has crashed.
    /// - Returns: The files that exist.
    /// - Throws: ``FeedClientError`` `.disk` if that is unknown.
    func sweep(keeping kept: Set<String>) throws(FeedClientError) -> Set<String> {
        guard let pictures = try pictures() else { return [] }
        var names: Set<String> = []
        do throws(FolderError) {
            for part in try pictures.names() where Self.isFolder(part, in: pictures) {
                let partNames = try Self.sweep(pictures.folder(part), part, keeping: kept)
                // Fails if anything else is left.
                if partNames.isEmpty { try? pictures.removeFolder(part) }
                names.formUnion(partNames)
            }
        } catch {
            throw AtomicFile.failure("read", error)
        }
        return names
    }

    /// - Parameter part: The name of the folder, which is the beginning of its files' names.
    private static func sweep(
        _ folder: Folder, _ part: String, keeping kept: Set<String>
    ) throws(FolderError) -> Set<String> {
        var names: Set<String> = []
        for name in try folder.names() where isName(TemporaryName.finalName(of: name) ?? name) {
            if kept.contains(name), isName(name), name.hasPrefix(part), folder.type(name) == S_IFREG {
                names.insert(name)
            } else {
                _ = try? folder.removeFile(name)
            }
        }
        return names
    }

    // MARK: Folders and names

    private static func folders(of name: String) -> [String] { [folderName, String(name.prefix(2))] }

    /// - Returns: `nil` if it does not exist.
    private func pictures() throws(FeedClientError) -> Folder? {
        try ClientFolders.open([Self.folderName], in: folder)
    }

    /// The folder of a file.
    /// - Returns: `nil` if it does not exist.
    private func parent(of name: String) throws(FeedClientError) -> Folder? {
        try ClientFolders.open(Self.folders(of: name), in: folder)
    }

    /// Whether a folder with this name contains stored files. Links are ignored.
    private static func isFolder(_ name: String, in pictures: Folder) -> Bool {
        Hex.isText(name, digits: 2) && pictures.type(name) == S_IFDIR
    }

    /// Whether the text is a valid name. Names are read from a database that may have been tampered with; they must not
    /// contain a path.
    private static func isName(_ name: String) -> Bool { Hex.isText(name, digits: 64) }
}
