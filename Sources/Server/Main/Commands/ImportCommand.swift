import ArgumentParser
import FeedCore
import FeedFiles
import FeedStore
import FeedTerminal
import Foundation
import NIOPosix

/// `feedserver import`.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import accounts, follows, statuses and their images from an NDJSON file.",
        discussion: """
            If any line is invalid, nothing is imported. Importing a file again has no further effect. \
            The server may be running.

            A line may name images below the folder of the file:

              {"kind":"account","username":"ada","avatar":"ada.png"}
              {"kind":"status","author":"ada","text":"Look",
               "created_at":"2023-01-01T12:00:00Z",
               "media":[{"file":"photos/boat.jpg","description":"A red boat"}]}

            (A status is one line.) They are copied without metadata. Absolute paths, .. and symbolic links are \
            refused. Docs/operating.md describes all members.
            """)

    @OptionGroup var data: DataOptions
    @Argument(help: "The NDJSON file.", completion: .file()) var path: String
    @Flag(help: "Check the file without importing it.") var dryRun = false

    func run() async throws {
        try await Failure.reported {
            let file = try LineReader(path: path)
            let report = try await use { data in
                let isSQLite = try data.postgres() == nil
                return try await data.use(creating: !dryRun || isSQLite, isAnnounced: !dryRun) { database in
                    try await session(in: database) { session in
                        try await ImportReader(session: session, file: file) { try media(database, data) }.run()
                    }
                }
            }
            StandardError.line(Self.text(report, dryRun: dryRun))
        }
    }

    /// Calls `body` with the place of the feed. A dry run for a folder without one gets an empty feed that is removed.
    private func use(_ body: (DataOptions) async throws -> ImportReport) async throws -> ImportReport {
        guard dryRun, !data.hasFeed, try data.postgres() == nil else { return try await body(data) }
        let folder = FileManager.default.temporaryDirectory.path + "/feed-dry-run-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var empty = data
        empty.data = folder
        return try await body(empty)
    }

    /// Publishes what `body` adds, or removes it.
    private func session(
        in database: FeedDatabase, _ body: (ImportSession) async throws -> Void
    ) async throws -> ImportReport {
        let session = try await ImportSession.begin(in: database, limits: ServerEnvironment.current.mediaLimits)
        do {
            try await body(session)
            guard dryRun else { return try await session.publish() }
            try session.checkComplete()
            return try await session.abandon()
        } catch {
            _ = try? await session.abandon()
            throw error
        }
    }

    private func media(_ database: FeedDatabase, _ data: DataOptions) throws -> ImportMedia {
        ImportMedia(
            database, try BlobStore(folder: data.folder, threads: .singleton), folder: try ImportFolder(of: path),
            limits: ServerEnvironment.current.mediaLimits)
    }

    private static func text(_ report: ImportReport, dryRun: Bool) -> String {
        var counts = [
            Plural.text(report.accounts, "account"), Plural.text(report.follows, "follow"),
            Plural.text(report.statuses, "status", "statuses"),
        ]
        if report.media > 0 { counts.append(Plural.text(report.media, "media file")) }
        let existing = "; skipped " + Plural.text(report.known, "existing record")
        return (dryRun ? "would import " : "imported ") + counts.joined(separator: ", ")
            + (report.known > 0 ? existing : "")
    }
}

extension ServerEnvironment {
    /// The limits on media, as the configuration file sets them.
    var mediaLimits: MediaLimits {
        var limits = Limits()
        file?.apply(to: &limits)
        return limits.media
    }
}
