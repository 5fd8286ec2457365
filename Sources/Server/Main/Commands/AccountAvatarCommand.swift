import ArgumentParser
import FeedCore
import FeedFiles
import FeedStore
import FeedTerminal
import NIOPosix

/// `feedserver account avatar NAME FILE`.
struct AccountAvatarCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "avatar", abstract: "Set or remove an account's avatar.",
        discussion: "Metadata is removed from the image. Without FILE, the generated avatar is shown again.")

    @OptionGroup var data: DataOptions
    @Argument(help: "The username.") var name: String
    @Argument(help: "An image: JPEG, PNG, WebP or GIF.", completion: .file()) var file: String?

    func run() async throws {
        try await Failure.reported {
            try await data.use { database in
                let account = try await database.account(name)
                let blobs = try BlobStore(folder: data.folder, threads: .singleton)
                guard let file else {
                    _ = try await AccountStore(database).update(account.id) { $0.avatar = nil }
                    return StandardError.line("removed \(account.username)'s avatar")
                }
                try await set(file, of: account, database, blobs)
                StandardError.line("set \(account.username)'s avatar")
            }
        }
    }

    private func set(_ file: String, of account: Account, _ database: FeedDatabase, _ blobs: BlobStore) async throws {
        let (limits, files) = (ServerEnvironment.current.mediaLimits, FileStore(database))
        let processed = try await process(file, blobs, limits)
        do {
            guard let picture = processed.picture(limits) else {
                throw FeedError.invalid("the avatar must be an image of at most \(limits.profileImageBytes) bytes")
            }
            try await blobs.whilePublishing {
                // `feedserver gc` may have removed a blob since it was published.
                for blob in picture.blobs { _ = try blobs.open(blob, name: file) }
                _ = try await AccountStore(database).update(account.id) {
                    $0.avatar = picture.image.hash
                    $0.avatarStatic = picture.still.hash
                }
            }
            try await files.recordUnused(processed.blobs.filter { !picture.blobs.contains($0) }, of: account.id)
        } catch {
            try? await files.recordUnused(processed.blobs, of: account.id)
            throw error
        }
    }

    private func process(_ file: String, _ blobs: BlobStore, _ limits: MediaLimits) async throws -> ProcessedMedia {
        do {
            return try await MediaPool(blobs: blobs).process(limits: limits) {
                try LocalMedia.open(file, limits: limits)
            }
        } catch let error as FeedError {
            throw error.ofImage.prefixed(with: file)
        }
    }
}
