package import FeedCore
import FeedFolders
import Foundation
import Synchronization

/// The blobs in a folder: `blobs/ab/cd/abcd…`. All functions block.
struct BlobFolder: Sendable {
    private static let name = "blobs"

    let root: Folder
    private let durable = DurableFolders()
    /// Makes the names in a folder durable. Tests record the calls.
    var syncFolder: @Sendable (Folder) throws(FolderError) -> Void = { folder throws(FolderError) in try folder.sync() }

    /// Creates the folder of the blobs, which only the owner can access.
    func create() throws(FolderError) { try root.folder(Self.name, creating: true).restrictAccess() }

    /// The path of a blob, for messages and for other processes.
    func path(_ hash: BlobHash) -> String { Self.path(hash, in: root.path) }

    static func path(_ hash: BlobHash, in folder: String) -> String {
        let (first, second) = hash.folders
        return "\(folder)/\(name)/\(first)/\(second)/\(hash)"
    }

    /// Opens a blob for reading.
    /// - Returns: A descriptor, which the caller closes.
    func open(_ hash: BlobHash) throws(FolderError) -> Int32 { try folder(of: hash).openFile(hash.description) }

    /// The size of a blob in bytes; `nil` if it is missing.
    func size(_ hash: BlobHash) -> Int64? { (try? folder(of: hash))?.size(ofFile: hash.description) }

    /// Gives a complete file the name of its hash. It replaces an existing blob, which may be damaged.
    func add(_ hash: BlobHash, from name: String, in folder: Folder) throws(FolderError) {
        let (first, second) = hash.folders
        let blobs = try root.folder(Self.name)
        let isParentNew = try blobs.createFolder(first)
        let parent = try blobs.folder(first)
        if try parent.createFolder(second) || isParentNew { durable.remove(hash) }
        try folder.rename(name, to: hash.description, in: parent.folder(second))
    }

    /// Makes the name of a blob durable.
    func sync(_ hash: BlobHash) throws(FolderError) {
        let (first, second) = hash.folders
        let blobs = try root.folder(Self.name)
        let parent = try blobs.folder(first)
        try syncFolder(parent.folder(second))
        guard !durable.contains(hash) else { return }
        for folder in [parent, blobs, root] { try syncFolder(folder) }
        durable.insert(hash)
    }

    /// Removes a blob if it is at least `age` seconds old.
    /// - Returns: Its size in bytes; `nil` if it was not removed.
    func remove(_ hash: BlobHash, age: Int64 = 0) -> Int64? {
        guard let folder = try? folder(of: hash), let status = folder.status(hash.description),
            Int64(time(nil)) - Int64(status.st_mtim.tv_sec) >= age, (try? folder.removeFile(hash.description)) == true
        else { return nil }
        return Int64(status.st_size)
    }

    /// All blobs whose first byte is `prefix`, in no particular order.
    func list(prefix: UInt8) -> [BlobHash] {
        let first = Hex.text([prefix])
        guard let parent = try? root.folder(Self.name).folder(first), let names = try? parent.names() else { return [] }
        return names.flatMap { second -> [BlobHash] in
            guard let folder = try? parent.folder(second), let names = try? folder.names() else { return [] }
            return names.compactMap(BlobHash.init).filter { $0.folders == (first, second) }
        }
    }

    private func folder(of hash: BlobHash) throws(FolderError) -> Folder {
        let (first, second) = hash.folders
        return try root.folder(Self.name).folder(first).folder(second)
    }
}

/// The folders of blobs whose own names, and those of the folders that contain them, are known to be durable. They are
/// created once and hold many blobs, and each sync of a folder waits for the disk.
///
/// This assumes that nobody else removes the folders while the server runs. ``BlobFolder/add(_:from:in:)`` notices if
/// one is missing, but not if somebody has created it again.
private final class DurableFolders: Sendable {
    private let names = Mutex<Set<String>>([])

    func contains(_ hash: BlobHash) -> Bool { names.withLock { $0.contains(Self.name(hash)) } }
    func insert(_ hash: BlobHash) { names.withLock { _ = $0.insert(Self.name(hash)) } }
    func remove(_ hash: BlobHash) { names.withLock { _ = $0.remove(Self.name(hash)) } }

    private static func name(_ hash: BlobHash) -> String { String(hash.description.prefix(4)) }
}

extension BlobHash {
    /// The names of the folders that contain the blob.
    fileprivate var folders: (String, String) {
        (String(description.prefix(2)), String(description.dropFirst(2).prefix(2)))
    }
}

extension BlobStore {
    /// The path of a blob in any folder with this layout.
    package static func path(_ hash: BlobHash, in folder: String) -> String { BlobFolder.path(hash, in: folder) }
}
