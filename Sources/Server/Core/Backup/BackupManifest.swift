package import Foundation

/// The description of a complete backup, a JSON file that is written last. The backup's files have names derived from
/// its own, so that a manifest cannot refer to any other file.
package struct BackupManifest: Sendable, Equatable, Codable {
    package static let format = 1
    /// The largest manifest that is read, in bytes.
    package static let maximumBytes = 2 << 20
    /// The largest number of blobs that a backup may lack.
    package static let maximumMissing = 10_000

    package struct Counts: Sendable, Equatable, Codable {
        package var accounts, statuses, files: Int

        package init(accounts: Int, statuses: Int, files: Int) {
            self.accounts = accounts
            self.statuses = statuses
            self.files = files
        }
    }

    package struct Database: Sendable, Equatable, Codable {
        /// The size of the file in bytes.
        package var bytes: Int64
        package var sha256: String

        package init(bytes: Int64, sha256: String) {
            self.bytes = bytes
            self.sha256 = sha256
        }
    }

    package struct Blobs: Sendable, Equatable, Codable {
        package var count: Int
        package var bytes: Int64
        /// The value of ``BlobListDigest`` for all blobs to which the database refers.
        package var sha256: String
        /// The hashes of blobs that were missing or damaged in the data folder.
        package var missing: [String]

        package init(count: Int, bytes: Int64, sha256: String, missing: [String]) {
            self.count = count
            self.bytes = bytes
            self.sha256 = sha256
            self.missing = missing
        }
    }

    package var format = Self.format
    /// The version of feedserver.
    package var version: String
    /// The time of the snapshot, as in ``BackupName/time``.
    package var time: String
    /// The number of the newest migration.
    package var schema: Int
    package var epoch: String
    /// The last sequence number of the change log.
    package var lastChange: Int64
    package var counts: Counts
    package var database: Database
    package var blobs: Blobs

    package init(
        version: String, name: BackupName, schema: Int, epoch: String, lastChange: Int64, counts: Counts,
        database: Database, blobs: Blobs
    ) {
        self.version = version
        time = name.time
        self.schema = schema
        self.epoch = epoch
        self.lastChange = lastChange
        self.counts = counts
        self.database = database
        self.blobs = blobs
    }

    package func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

extension BackupManifest {
    /// Parses a manifest and checks every value, because anyone may have written the file.
    /// - Parameter name: The name under which the manifest was found.
    /// - Throws: ``FeedError`` `.malformed`.
    package static func parse(_ data: Data, name: BackupName) throws(FeedError) -> BackupManifest {
        guard data.count <= maximumBytes, let manifest = try? JSONDecoder().decode(Self.self, from: data) else {
            throw .malformed("the manifest of \(name) cannot be read")
        }
        guard manifest.format == format else {
            throw .malformed(
                "\(name) was written by another version of feedserver", hint: "Restore it with that version.")
        }
        guard manifest.time == name.time, manifest.isPlausible else {
            throw .malformed("the manifest of \(name) contains invalid values")
        }
        return manifest
    }

    /// The name of the backup.
    package var name: BackupName? { BackupName(time: time) }

    private var isPlausible: Bool {
        let numbers: [Int64] = [
            Int64(schema), lastChange, Int64(counts.accounts), Int64(counts.statuses), Int64(counts.files),
            database.bytes, Int64(blobs.count), blobs.bytes,
        ]
        return numbers.allSatisfy { $0 >= 0 } && epoch.utf8.count <= 100 && version.utf8.count <= 100
            && ([database.sha256, blobs.sha256] + blobs.missing).allSatisfy(Hex.isSHA256)
            && blobs.missing.count <= Self.maximumMissing
    }
}
