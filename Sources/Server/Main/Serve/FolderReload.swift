import FeedCore
import FeedFiles
import FeedStore
import FeedWeb
import Logging
import NIOCore
import NIOPosix

/// Reads the custom emoji from the data folder, at the start and on SIGHUP.
struct EmojiReload: Sendable {
    private static let folder = "emoji"
    /// The number of skipped files that are named in the log.
    private static let maximumNamed = 5

    private let catalog: EmojiCatalog
    private let path: String
    private let changes: ChangeStore
    private let logger: Logger

    /// - Parameter folder: The data folder.
    init(_ catalog: EmojiCatalog, folder: String, changes: ChangeStore, logger: Logger) {
        self.catalog = catalog
        path = folder + "/" + Self.folder
        self.changes = changes
        self.logger = logger
    }

    var action: ReloadAction { ReloadAction { await reload() } }

    /// Reads the emoji before any page is served.
    func load() async throws { _ = try await read() }

    private func reload() async {
        do {
            guard try await read() else { return }
            try await changes.recordEmojiChange()
            logger.notice("custom emoji reloaded", metadata: ["count": "\(catalog.current.all.count)"])
        } catch {
            logger.error("cannot reload the custom emoji", metadata: ["error": "\(error)"])
        }
    }

    /// - Returns: Whether anything changed.
    private func read() async throws -> Bool {
        let folder = try await NIOSingletons.posixBlockingThreadPool.runIfActive { [path] in EmojiFolder(path) }
        report(folder.skipped)
        return catalog.replace(with: folder.emoji)
    }

    private func report(_ skipped: [EmojiFolder.Skipped]) {
        guard !skipped.isEmpty else { return }
        var examples = skipped.prefix(Self.maximumNamed).map { "\($0.name.prefix(100)): \($0.reason)" }
        if skipped.count > examples.count { examples.append("…") }
        logger.warning(
            "some custom emoji are skipped",
            metadata: ["count": "\(skipped.count)", "files": "\(examples.joined(separator: "; "))"])
    }
}

/// Reads the folder of `--well-known`, at the start and on SIGHUP.
struct WellKnownReload: Sendable {
    private let catalog: WellKnownCatalog
    private let path: String
    private let logger: Logger

    init(_ catalog: WellKnownCatalog, path: String, logger: Logger) {
        self.catalog = catalog
        self.path = path
        self.logger = logger
    }

    var action: ReloadAction {
        ReloadAction {
            do {
                try await load()
                logger.notice(
                    "files of --well-known reloaded", metadata: ["count": "\(catalog.current.files.count)"])
            } catch {
                logger.error("cannot reload the files of --well-known; the old ones stay: \(error)")
            }
        }
    }

    /// - Throws: ``FeedError`` if the folder cannot be read.
    func load() async throws {
        do {
            let folder = try await NIOSingletons.posixBlockingThreadPool.runIfActive { [path] in
                try WellKnownFolder(path)
            }
            for file in folder.skipped.prefix(5) {
                logger.warning(
                    "a file of --well-known is skipped",
                    metadata: ["file": "\(file.name.prefix(100))", "reason": "\(file.reason)"])
            }
            catalog.replace(with: folder)
        } catch {
            throw FeedError(
                .storage, "cannot read the folder \(path)", hint: "Check --well-known DIR.", cause: error)
        }
    }
}
