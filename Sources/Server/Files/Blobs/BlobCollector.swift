package import Foundation

/// Removes unreferenced blobs, and temporary files left by processes that crashed during an upload.
package struct BlobCollector: Sendable {
    /// The result of a collection.
    package struct Report: Sendable, Equatable {
        /// The number of removed blobs.
        package var blobs = 0
        /// The total size of the removed blobs in bytes.
        package var bytes: Int64 = 0
        /// The number of removed unfinished uploads.
        package var unfinished = 0
        /// The number of blobs in use.
        package var kept = 0
    }

    private let store: BlobStore
    /// The minimum age of a removable blob in seconds, because a blob is stored before its file row is inserted.
    private let grace: TimeInterval

    /// - Parameter grace: The minimum age of a removable blob in seconds.
    package init(_ store: BlobStore, grace: TimeInterval) {
        self.store = store
        self.grace = grace
    }

    /// Removes unfinished uploads and unreferenced blobs.
    /// - Parameter isUsed: Whether a file or an avatar refers to the blob with the given hash.
    package func run(isUsed: (String) async throws -> Bool) async throws -> Report {
        var report = Report()
        report.unfinished = try sweep()
        for hash in Self.hashes(in: store.folder + "/blobs") {
            if try await isUsed(hash) {
                report.kept += 1
            } else if let size = try remove(hash) {
                report.blobs += 1
                report.bytes += size
            }
        }
        return report
    }

    /// Removes unfinished uploads whose temporary file is no longer locked by a writer.
    /// - Returns: The number of removed uploads.
    @discardableResult
    package func sweep() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: store.temporaryFolder).filter { name in
            let holder = String(name.prefix { $0 != BlobStore.heldMark })
            if holder != name, isHeld(holder) { return false }
            return whileUnlocked(name) { unlink($0) == 0 } ?? false
        }.count
    }

    /// Whether a writer holds the lock of a temporary file. The lock is tested before existence: a lock holder whose
    /// file has disappeared by then has been published.
    private func isHeld(_ name: String) -> Bool {
        whileUnlocked(name) { _ in true } == nil && access(store.temporaryFolder + "/" + name, F_OK) == 0
    }

    /// Calls `body` with the path of a temporary file while holding its lock.
    /// - Returns: The result of `body`, or `nil` if the file does not exist or is locked.
    private func whileUnlocked(_ name: String, _ body: (String) -> Bool) -> Bool? {
        let path = store.temporaryFolder + "/" + name
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return body(path)
    }

    /// Removes a blob if it is old enough. The blob is moved aside before its age is checked again, so that a
    /// concurrent upload of the same content does not find it and writes its own copy.
    /// - Returns: The size in bytes, or `nil` if the blob was kept.
    private func remove(_ hash: String) throws -> Int64? {
        let path = store.path(hash)
        guard isOld(path) else { return nil }
        let aside = store.temporaryFolder + "/gc-" + hash
        guard rename(path, aside) == 0 else { return nil }
        guard isOld(aside) else {
            link(aside, path)
            unlink(aside)
            return nil
        }
        let size = (try? FileManager.default.attributesOfItem(atPath: aside)[.size] as? Int64) ?? 0
        unlink(aside)
        return size
    }

    private func isOld(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return Date().timeIntervalSince1970 - TimeInterval(status.st_mtim.tv_sec) >= grace
    }

    private static func hashes(in folder: String) -> [String] {
        guard let names = FileManager.default.enumerator(atPath: folder) else { return [] }
        return names.compactMap { name in
            let last = (name as? String)?.split(separator: "/").last.map(String.init) ?? ""
            return last.utf8.count == 64 ? last : nil
        }
    }
}
