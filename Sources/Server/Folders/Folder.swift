package import Foundation

/// An open folder. Files and folders in it are named relative to its descriptor, and symbolic links in it are never
/// followed, so someone who can write to the folder cannot make us write, delete or read elsewhere.
///
/// A file that root creates belongs to the owner of the folder that contains it, as SQLite's own files do: a command
/// that is run as root must not leave behind what the server cannot use.
///
/// All functions block.
package final class Folder: Sendable {
    /// The path by which the folder was opened, for messages and for SQLite.
    package let path: String
    package let descriptor: Int32

    /// Opens a folder. The path itself may be a symbolic link, or contain some.
    package convenience init(_ path: String) throws(FolderError) {
        let descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FolderError(call: "open", path: path, code: errno) }
        self.init(path: path, descriptor: descriptor)
    }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens a folder in this one.
    /// - Parameter creating: Whether to create it if it is missing, so that only the owner can access it.
    package func folder(_ name: String, creating: Bool = false) throws(FolderError) -> Folder {
        try check(name)
        if creating { _ = try createFolder(name) }
        let opened = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { throw failure("open", name) }
        return Folder(path: path(name), descriptor: opened)
    }

    /// Creates a folder that only the owner can access, unless the name is taken.
    /// - Returns: Whether it has been created.
    package func createFolder(_ name: String) throws(FolderError) -> Bool {
        try check(name)
        if mkdirat(descriptor, name, 0o700) == 0 {
            if let created = try? folder(name) { giveToOwner(created) }
            return true
        }
        guard errno == EEXIST else { throw failure("mkdir", name) }
        return false
    }

    /// Creates a folder that only the owner can access.
    /// - Throws: ``FolderError`` with `EEXIST` if the name is taken.
    package func newFolder(_ name: String) throws(FolderError) -> Folder {
        try check(name)
        guard mkdirat(descriptor, name, 0o700) == 0 else { throw failure("mkdir", name) }
        let created = try folder(name)
        giveToOwner(created)
        return created
    }

    /// Opens a regular file.
    /// - Returns: A descriptor, which the caller closes.
    package func openFile(_ name: String, _ flags: Int32 = O_RDONLY) throws(FolderError) -> Int32 {
        try check(name)
        // O_NONBLOCK, so that a named pipe does not block.
        let file = openat(descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw failure("open", name) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw FolderError(call: "open", path: path(name), code: EINVAL)
        }
        return file
    }

    /// Creates a file that only the owner can access.
    /// - Returns: A descriptor for writing, which the caller closes.
    /// - Throws: ``FolderError`` with `EEXIST` if the name is taken.
    package func createFile(_ name: String) throws(FolderError) -> Int32 {
        try newFile(name, O_WRONLY)
    }

    /// Opens a file that is to be locked, and creates it if it is missing. Only the owner can access it.
    /// - Returns: A descriptor for reading and writing, which the caller closes.
    package func openLockFile(_ name: String) throws(FolderError) -> Int32 {
        do {
            // Keeps its owner: it may be a hard link to a file that is not ours.
            let file = try openFile(name, O_RDWR)
            fchmod(file, 0o600)
            return file
        } catch {
            guard error.code == ENOENT else { throw error }
        }
        do { return try newFile(name, O_RDWR) } catch { guard error.code == EEXIST else { throw error } }
        // Another process has just created it.
        return try openFile(name, O_RDWR)
    }

    private func newFile(_ name: String, _ flags: Int32) throws(FolderError) -> Int32 {
        let file = try openFile(name, flags | O_CREAT | O_EXCL)
        fchmod(file, 0o600)
        giveToOwner(file)
        return file
    }

    /// Only an empty folder: the owner of this one may have put another in the place of what was created.
    private func giveToOwner(_ created: Folder) {
        guard geteuid() == 0, (try? created.names().isEmpty) == true else { return }
        giveToOwner(created.descriptor)
    }

    /// Gives what root has just created in this folder to the owner of the folder. Without effect on file systems that
    /// have no owners.
    private func giveToOwner(_ created: Int32) {
        var status = stat()
        guard geteuid() == 0, fstat(descriptor, &status) == 0, status.st_uid != 0 else { return }
        fchown(created, status.st_uid, status.st_gid)
    }

    /// Renames a file or a folder, and replaces a file that has the new name.
    package func rename(_ name: String, to newName: String, in target: Folder) throws(FolderError) {
        try check(name)
        try check(newName)
        guard renameat(descriptor, name, target.descriptor, newName) == 0 else {
            throw failure("rename", name)
        }
    }

    /// - Returns: Whether there was such a file.
    @discardableResult
    package func removeFile(_ name: String) throws(FolderError) -> Bool {
        try check(name)
        if unlinkat(descriptor, name, 0) == 0 { return true }
        guard errno == ENOENT else { throw failure("unlink", name) }
        return false
    }

    /// Removes an empty folder.
    package func removeFolder(_ name: String) throws(FolderError) {
        try check(name)
        guard unlinkat(descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT else { throw failure("rmdir", name) }
    }

    /// Removes a file or a link, or a folder with everything in it.
    /// - Parameter depth: The number of nested folders to which this is limited.
    package func removeTree(_ name: String, depth: Int = 4) throws(FolderError) {
        guard let status = status(name), status.st_mode & S_IFMT == S_IFDIR else {
            try removeFile(name)
            return
        }
        guard depth > 0 else { throw FolderError(call: "rmdir", path: path(name), code: ENOTEMPTY) }
        let inner = try folder(name)
        for name in try inner.names() { try inner.removeTree(name, depth: depth - 1) }
        try removeFolder(name)
    }

    /// The status of the entry with a name: a file, a folder or a link.
    /// - Returns: `nil` if nothing has the name.
    package func status(_ name: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// The type of what has a name, such as `S_IFREG` or `S_IFLNK`.
    /// - Returns: `nil` if nothing has the name.
    package func type(_ name: String) -> mode_t? { status(name).map { $0.st_mode & S_IFMT } }

    /// The size of a regular file in bytes; `nil` if there is none of the name.
    package func size(ofFile name: String) -> Int64? {
        status(name).flatMap { $0.st_mode & S_IFMT == S_IFREG ? Int64($0.st_size) : nil }
    }

    /// The names of everything in the folder, in no particular order.
    package func names() throws(FolderError) -> [String] {
        // A descriptor of its own, because reading moves its position.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw failure("open", ".") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes other users' access. Its failure is ignored for the owner, because some file systems have no modes.
    package func restrictAccess() throws(FolderError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 != 0, fchmod(descriptor, 0o700) != 0 else {
            return
        }
        guard status.st_uid == geteuid() else { throw FolderError(call: "chmod", path: path, code: EPERM) }
    }

    /// Makes names in the folder durable.
    package func sync() throws(FolderError) {
        guard fsync(descriptor) == 0 else { throw FolderError(call: "fsync", path: path, code: errno) }
    }

    package func path(_ name: String) -> String { path + "/" + name }

    /// Refuses everything but a single path segment.
    private func check(_ name: String) throws(FolderError) {
        let bytes = name.utf8
        guard !bytes.isEmpty, name != ".", name != "..", !bytes.contains(UInt8(ascii: "/")), !bytes.contains(0) else {
            throw FolderError(call: "open", path: path(name), code: EINVAL)
        }
    }

    private func failure(_ call: String, _ name: String) -> FolderError {
        let code = errno
        let isLink = status(name).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
        return FolderError(call: call, path: path(name), code: code, isLink: isLink)
    }
}

/// A failed operation in a ``Folder``.
package struct FolderError: Error, CustomStringConvertible, Sendable {
    package let call: String
    package let path: String
    /// The value of `errno`.
    package let code: Int32
    /// Whether the name is that of a symbolic link.
    package var isLink = false

    package init(call: String, path: String, code: Int32, isLink: Bool = false) {
        self.call = call
        self.path = path
        self.code = code
        self.isLink = isLink
    }

    package var description: String {
        isLink ? "\(path) is a symbolic link" : "\(call) \(path): \(String(cString: strerror(code)))"
    }
}
