import FeedCore
import FeedFiles
import FeedStore
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
    private let changes: ChangeLogStore
    private let logger: Logger

    /// - Parameter folder: The data folder.
    init(_ catalog: EmojiCatalog, folder: String, changes: ChangeLogStore, logger: Logger) {
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
