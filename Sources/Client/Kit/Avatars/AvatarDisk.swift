import Crypto
import FeedAPI
import FeedFolders
import Foundation
import GRDB

/// Pictures on disk. Methods do not throw; a failing disk is treated as empty. Files are also accessed on the
/// database's queue, so that no thread of the cooperative pool waits for the disk.
final class AvatarDisk: Sendable {
    /// The time that one process waits for another, in seconds.
    private static let busyTimeout = Double(Timeout.seconds(2))

    private let limit: Int64
    private let files: AvatarFiles
    private let database: ReplaceableDatabase

    /// - Parameters:
    ///   - limit: The total size of all pictures, in bytes.
    ///   - time: Pictures that were last used before are removed, in milliseconds since 1970.
    /// - Throws: ``FeedClientError`` `.disk` if the folder cannot be created or written, or if what is stored in it is a
    ///   symbolic link.
    init(folder: String, limit: Int64, usedSince time: Int64) throws(FeedClientError) {
        let files = AvatarFiles(folder: folder)
        (self.limit, self.files) = (limit, files)
        database = ReplaceableDatabase(
            folder: folder, name: "avatars.sqlite", busyTimeout: AvatarDisk.busyTimeout, isCheckedWhenOpened: true
        ) { queue in
            try queue.inTransaction(.immediate) { db in
                try AvatarIndex(db: db, files: files).prepare(limit: limit, usedSince: time)
                return .commit
            }
        }
        try ClientFolders.create(folder)
        guard access(folder, W_OK | X_OK) == 0 else { throw DurableFile.failure("write to", folder) }
        try files.refuseLink()
        try database.refuseLinks()
        try? database.open()
    }

    func entry(_ url: String) async -> AvatarEntry? { await perform { try $0.entry(url) } }

    /// - Parameter otherUses: The times at which other pictures were last used, in milliseconds since 1970.
    func store(_ entry: AvatarEntry, at url: String, usedAt: Int64, otherUses: [String: Int64]) async {
        guard Int64(entry.bytes.count) <= limit else { return await remove(url) }
        _ = await perform { [limit] index in
            try index.store(entry, at: url, usedAt: usedAt, otherUses: otherUses, limit: limit)
            return true
        }
    }

    /// Saves the times at which pictures were last used, in milliseconds since 1970.
    func recordUses(_ uses: [String: Int64]) async {
        guard !uses.isEmpty else { return }
        _ = await perform { index in
            try index.db.inTransaction(.immediate) {
                try index.recordUses(uses)
                return .commit
            }
            return true
        }
    }

    func remove(_ url: String) async {
        _ = await perform { index in
            try index.remove(url)
            return true
        }
    }

    func totals() async -> AvatarIndex.Totals? { await perform { try $0.totals() } }

    /// Removes damaged pictures, each in an access of its own, so that other processes need not wait for all of them.
    /// - Returns: Their number; `nil` if the index cannot be read.
    func verify() async -> Int? {
        guard let urls = await perform({ try $0.urls() }) else { return nil }
        var damaged = 0
        for url in urls {
            guard let isIntact = await perform({ try $0.isIntact(url) }) else { return nil }
            if !isIntact { damaged += 1 }
        }
        return damaged
    }

    /// - Returns: Whether all pictures were removed.
    func clear() async -> Bool {
        await perform { index in
            try index.removeAll()
            return true
        } ?? false
    }

    func close() { database.close() }

    private func perform<Value: Sendable>(_ work: @Sendable (AvatarIndex) throws -> Value?) async -> Value? {
        try? await database.perform { [files] queue in
            try await queue.writeWithoutTransaction { db in try work(AvatarIndex(db: db, files: files)) }
        }
    }
}

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
        return Hexadecimal.text(hash.finalize())
    }

    /// - Throws: ``FeedClientError`` `.disk` if the folder of the files is a symbolic link.
    func refuseLink() throws(FeedClientError) {
        guard let cache = try? Folder(folder), cache.type(Self.folderName) == S_IFLNK else { return }
        throw DurableFile.symbolicLink(cache.path(Self.folderName))
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
        guard let data = try? FileCalls.system.contents(of: file, parent.path(name), limit: Int(size)) else {
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
        try DurableFile.replace(name, in: parent, with: Data(bytes))
    }

    /// Removes a file, if it exists.
    /// - Throws: ``FeedClientError`` `.disk` if it may still exist.
    func remove(_ name: String) throws(FeedClientError) {
        guard Self.isName(name), let parent = try parent(of: name) else { return }
        do throws(FolderError) {
            try parent.removeFile(name)
        } catch {
            if parent.size(ofFile: name) != nil { throw DurableFile.failure("remove", error) }
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
            throw DurableFile.failure("read", error)
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
        Hexadecimal.isText(name, digits: 2) && pictures.type(name) == S_IFDIR
    }

    /// Whether the text is a valid name. Names are read from a database that may have been tampered with; they must not
    /// contain a path.
    private static func isName(_ name: String) -> Bool { Hexadecimal.isText(name, digits: 64) }
}
