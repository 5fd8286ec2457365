/// Chooses among the backups of a folder.
package enum BackupSelection {
    /// The newest backup that is not newer than `time`.
    /// - Parameter time: `nil` for the newest of all.
    /// - Throws: ``FeedError`` `.notFound`.
    package static func newest(
        of manifests: [BackupManifest], at time: BackupName? = nil
    ) throws(FeedError) -> BackupManifest {
        guard let oldest = manifests.min(by: { $0.time < $1.time }) else {
            throw FeedError(.notFound, "the folder contains no complete backup", hint: "Check the path.")
        }
        let candidates = manifests.filter { manifest in time.map { manifest.time <= $0.time } ?? true }
        guard let newest = candidates.max(by: { $0.time < $1.time }) else {
            throw FeedError(
                .notFound, "no backup from that time or earlier",
                hint: "The oldest backup is from \(oldest.time).")
        }
        return newest
    }

    /// The backups to remove so that the newest `count` remain.
    package static func expired(among names: [BackupName], keeping count: Int) -> [BackupName] {
        Array(names.sorted().dropLast(max(0, count)))
    }
}
