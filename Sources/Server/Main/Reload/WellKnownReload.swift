import FeedCore
import FeedFiles
import FeedWeb
import Logging
import NIOCore
import NIOPosix

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
