package import FeedCore
import FeedFolders
import Foundation

/// The user to whom a data folder belongs, and as whom its server usually runs.
package struct DataFolderOwner {
    /// `blobs`, the two folders of a blob, and the blob.
    private static let depth = 4

    private let folder: Folder
    private let id: uid_t

    /// - Returns: `nil` if this user cannot read the folder.
    package init?(of path: String) {
        var status = stat()
        guard let folder = try? Folder(path), fstat(folder.descriptor, &status) == 0 else { return nil }
        self.folder = folder
        id = status.st_uid
    }

    /// The name of the user, or the number of one without a name.
    package var name: String {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + "/.")
        return attributes?[.ownerAccountName] as? String ?? "\(id)"
    }

    /// The command that makes everything in the folder usable again.
    package var remedy: String { "Run chown -R \(name) \(folder.path) as root." }

    /// The files that belong to others, and cannot be used by the owner.
    package func unusable() -> UnusableEntries? {
        guard id != 0 else { return nil }
        var found: UnusableEntries?
        find(in: folder, at: "", depth: Self.depth) { path in
            found = UnusableEntries(example: found?.example ?? path, count: (found?.count ?? 0) + 1)
        }
        return found
    }

    private func find(in folder: Folder, at path: String, depth: Int, _ body: (String) -> Void) {
        for name in ((try? folder.names()) ?? []).sorted() {
            guard let status = folder.status(name), [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
                continue
            }
            if status.st_uid != id, !Self.isUsable(path + name, status) {
                body(path + name)
            } else if depth > 1, status.st_mode & S_IFMT == S_IFDIR, let inner = try? folder.folder(name) {
                find(in: inner, at: path + name + "/", depth: depth - 1, body)
            }
        }
    }

    /// Whether the server can use what belongs to another user.
    private static func isUsable(_ path: String, _ status: stat) -> Bool {
        let names = path.split(separator: "/")
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        guard isFolder, ["blobs", "tmp"].contains(names.first) else {
            return status.st_mode & 0o077 != 0 && !SQLiteDatabase.fileNames.contains(path)
        }
        // The server adds to these folders, and makes the first of them private.
        return names.count > 1 && status.st_mode & 0o003 == 0o003
    }
}
