import FeedCore
import FeedFiles
import FeedStore

/// Finds out which avatars and headers are animated, and makes still images of these: pictures that older versions have
/// stored.
struct StillPictures: Sendable {
    private typealias Property = any WritableKeyPath<Account, BlobHash?> & Sendable

    private static var properties: [(image: Property, still: Property)] {
        [(\.avatar, \.avatarStatic), (\.header, \.headerStatic)]
    }

    let accounts: AccountStore
    let files: FileStore
    let blobs: BlobStore
    let processing: any MediaProcessing
    let limits: MediaLimits

    /// - Throws: The error of the last picture that could not be read or stored; it is tried again by the next call.
    func complete() async throws {
        var (last, failure): (Int64, (any Error)?) = (0, nil)
        while let account = try await accounts.withoutStill(after: last) {
            last = account.id
            for (image, still) in Self.properties where account[keyPath: still] == nil {
                guard let hash = account[keyPath: image] else { continue }
                do {
                    try await complete(hash, of: account.id, image, still)
                } catch {
                    try Task.checkCancellation()
                    failure = error
                }
            }
        }
        if let failure { throw failure }
    }

    private func complete(_ hash: BlobHash, of account: Int64, _ image: Property, _ still: Property) async throws {
        guard let processed = try await process(hash) else {
            return try await set(hash, hash, of: account, image, still)
        }
        do {
            let thumbnail = processed.isAnimated ? processed.thumbnail : nil
            try await blobs.whilePublishing {
                // It may have been removed since it was published.
                if let thumbnail { _ = try blobs.open(thumbnail, name: "picture") }
                try await set(thumbnail?.hash ?? hash, hash, of: account, image, still)
            }
            try await files.recordUnused(processed.blobs.filter { $0 != thumbnail }, of: account)
        } catch {
            try? await files.recordUnused(processed.blobs, of: account)
            throw error
        }
    }

    /// - Returns: `nil` for a picture that is refused, which an older version has accepted.
    private func process(_ hash: BlobHash) async throws -> ProcessedMedia? {
        do {
            return try await processing.process(blobs.path(hash), limits: limits)
        } catch let error as FeedError where error.kind == .invalid {
            return nil
        }
    }

    /// Stores the still image unless the picture has been replaced meanwhile.
    private func set(
        _ found: BlobHash, _ hash: BlobHash, of account: Int64, _ image: Property, _ still: Property
    ) async throws {
        _ = try await accounts.update(account) {
            if $0[keyPath: image] == hash { $0[keyPath: still] = found }
        }
    }
}
