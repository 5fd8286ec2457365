package import Foundation

/// Removes what nobody names: blobs of files that were replaced or deleted, and unfinished uploads of a process that
/// died.
package struct BlobCollector: Sendable {
    /// What was removed.
    package struct Report: Sendable, Equatable {
        package var blobs = 0
        package var bytes: Int64 = 0
        package var unfinished = 0
        /// Blobs that are in use.
        package var kept = 0
    }

    private let store: BlobStore
    /// A blob may be there a moment before its name is; so long it is left alone.
    private let grace: TimeInterval

    /// - Parameter grace: Seconds.
    package init(_ store: BlobStore, grace: TimeInterval) {
        self.store = store
        self.grace = grace
    }

    /// - Parameter isUsed: Whether a name stands for the blob.
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

    /// Removes unfinished uploads whose writer is gone.
    /// - Returns: How many.
    @discardableResult
    package func sweep() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: store.temporaryFolder).filter { name in
            let holder = String(name.prefix { $0 != BlobStore.heldMark })
            if holder != name, isHeld(holder) { return false }
            return whileUnlocked(name) { unlink($0) == 0 } ?? false
        }.count
    }

    /// In this order: a holder that is gone when it is looked for has published what it stood for.
    private func isHeld(_ name: String) -> Bool {
        whileUnlocked(name) { _ in true } == nil && access(store.temporaryFolder + "/" + name, F_OK) == 0
    }

    /// - Returns: What `body` made of the path, or `nil` when there is no such file or somebody holds its lock.
    private func whileUnlocked(_ name: String, _ body: (String) -> Bool) -> Bool? {
        let path = store.temporaryFolder + "/" + name
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return body(path)
    }

    /// Taken away first and looked at then: an upload of the same bytes that comes meanwhile finds nothing and writes
    /// its own.
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
