import Crypto
import Foundation

/// Decides whether a backup, or its restoration, has to copy a blob to a folder that may already contain it.
package enum BackupCopyRule: Sendable, Equatable {
    case copy
    /// The target already contains the blob.
    case skip
    /// Neither folder contains the blob.
    case missing

    /// Decides by sizes in bytes, because a blob is complete once it has its name.
    /// - Parameters:
    ///   - expected: The size that the database states, if any.
    ///   - source: The size in the source folder; `nil` if the blob is missing there.
    ///   - target: The size in the target folder; `nil` if the blob is missing there.
    package static func decide(expected: Int64?, source: Int64?, target: Int64?) -> BackupCopyRule {
        if let target, target == expected ?? source ?? target { return .skip }
        return source == nil ? .missing : .copy
    }
}

/// The result of copying one blob.
package enum BlobCopyOutcome: Sendable, Equatable {
    /// Sizes are in bytes.
    case copied(Int64)
    case skipped(Int64)
    case missing
    /// The source cannot be read, or its content does not have the hash in its name.
    case damaged
}

/// The results of copying many blobs.
package struct BlobTally: Sendable, Equatable {
    package private(set) var copied = 0
    package private(set) var copiedBytes: Int64 = 0
    package private(set) var skipped = 0
    package private(set) var skippedBytes: Int64 = 0
    /// The blobs that could not be copied; at most ``BackupManifest/maximumMissing`` plus one.
    package private(set) var failed: [BlobReference] = []

    package init() {}

    package var count: Int { copied + skipped + failed.count }
    package var bytes: Int64 { copiedBytes + skippedBytes }

    package mutating func add(_ outcome: BlobCopyOutcome, of blob: BlobReference) {
        switch outcome {
        case .copied(let bytes):
            copied += 1
            copiedBytes += bytes
        case .skipped(let bytes):
            skipped += 1
            skippedBytes += bytes
        case .missing, .damaged:
            if failed.count <= BackupManifest.maximumMissing { failed.append(blob) }
        }
    }
}

/// A blob to which files or accounts refer.
package struct BlobReference: Sendable, Equatable {
    package var hash: BlobHash
    /// The size in bytes that the files state; `nil` if only accounts refer to the blob.
    package var size: Int64?
    /// The name of a file, or of an account with a leading `@`, for messages.
    package var name: String

    package init(hash: BlobHash, size: Int64?, name: String) {
        self.hash = hash
        self.size = size
        self.name = name
    }
}

/// Computes one hash of a list of blobs, so that a backup can be compared with its manifest.
package struct BlobListDigest: Sendable {
    private var hash = SHA256()

    package init() {}

    package mutating func add(_ blob: BlobHash) { hash.update(data: Data(("\(blob)\n").utf8)) }

    package var hexadecimal: String { Hex.text(hash.finalize()) }
}
