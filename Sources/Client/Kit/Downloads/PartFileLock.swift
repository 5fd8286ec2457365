import FeedFolders
import Foundation

/// Opens and locks part files in a folder to which others may be able to write. Links are not followed, and files that
/// others may have planted are not used.
enum PartFileLock {
    /// Opens and locks a file, and creates it if it is missing. The previous holder of the lock may have moved the file
    /// into place in the meantime, in which case the name is opened again.
    /// - Returns: A descriptor for reading and writing, which the caller closes.
    /// - Throws: ``FeedClientError`` `.disk`; `.failed` if another download holds the lock.
    static func openLocked(
        _ name: String, in folder: Folder, _ calls: SystemCalls
    ) throws(FeedClientError) -> CInt {
        for _ in 0..<10 {
            guard let file = try openOrCreate(name, in: folder, calls) else { continue }
            do throws(FeedClientError) {
                if try lock(file, name, in: folder, calls) { return file }
            } catch {
                close(file)
                throw error
            }
            close(file)
        }
        throw FeedClientError(
            .failed, "\(folder.path(name)) is being replaced repeatedly",
            hint: "Check whether another program writes it.")
    }

    /// - Returns: `nil` if the file was created by another process in the meantime.
    private static func openOrCreate(
        _ name: String, in folder: Folder, _ calls: SystemCalls
    ) throws(FeedClientError) -> CInt? {
        let existing = calls.open(name, in: folder, O_RDWR)
        if existing >= 0 {
            do throws(FeedClientError) {
                try require(existing, folder.path(name), calls)
                return existing
            } catch {
                close(existing)
                throw error
            }
        }
        guard errno == ENOENT else { throw AtomicFile.failure("write", name, in: folder) }
        // The owner of a new file is not checked, because some file systems do not know owners.
        let created = calls.open(name, in: folder, O_RDWR | O_CREAT | O_EXCL, 0o644)
        if created >= 0 { return created }
        guard errno == EEXIST else { throw AtomicFile.failure("write", name, in: folder) }
        return nil
    }

    /// Refuses an open file that others may have planted: they could change it at any time.
    /// - Throws: ``FeedClientError`` `.disk` if it is not a regular file of this user.
    static func require(_ file: CInt, _ path: String, _ calls: SystemCalls) throws(FeedClientError) {
        var status = stat()
        guard calls.status(file, &status) == 0 else { throw AtomicFile.failure("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FeedClientError(.disk, "\(path) is not a regular file", hint: "Choose another path with -o.")
        }
        guard status.st_uid == geteuid() else {
            throw FeedClientError(
                .disk, "\(path) belongs to another user", hint: "Choose another path with -o, or remove the file.")
        }
    }

    /// - Returns: `false` if the name refers to another file by now.
    private static func lock(
        _ file: CInt, _ name: String, in folder: Folder, _ calls: SystemCalls
    ) throws(FeedClientError) -> Bool {
        guard calls.lock(file) == 0 else {
            guard errno == EWOULDBLOCK else { throw AtomicFile.failure("lock", name, in: folder) }
            throw FeedClientError(
                .failed, "Another download is writing \(folder.path(name))", hint: "Wait until it has finished.")
        }
        guard let own = try status(of: file, named: name, in: folder, calls) else { return false }
        // Two names are left over from a crash while the file was moved into place. The finished file must not be
        // modified.
        guard own.st_nlink > 1 else { return true }
        guard calls.remove(name, in: folder) == 0 else { throw AtomicFile.failure("remove", name, in: folder) }
        return false
    }

    /// - Returns: The status of an open file; `nil` if the name does not refer to it.
    /// - Throws: ``FeedClientError`` `.disk`.
    static func status(
        of file: CInt, named name: String, in folder: Folder, _ calls: SystemCalls
    ) throws(FeedClientError) -> stat? {
        var (own, current) = (stat(), stat())
        guard calls.status(file, &own) == 0 else { throw AtomicFile.failure("read", name, in: folder) }
        guard calls.status(name, in: folder, &current) == 0 else {
            guard errno == ENOENT else { throw AtomicFile.failure("read", name, in: folder) }
            return nil
        }
        return areSame(own, current) ? own : nil
    }

    /// Whether both are the status of the same file.
    static func areSame(_ one: stat, _ other: stat) -> Bool {
        one.st_ino == other.st_ino && one.st_dev == other.st_dev
    }
}
