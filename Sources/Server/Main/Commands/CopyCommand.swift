import ArgumentParser
import FeedCore
import FeedStore
import FeedTerminal
import Foundation

/// `feedserver copy`.
struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a feed between SQLite and PostgreSQL.",
        discussion: """
            Stop all servers first. The target must be empty. The copy is compared with its source. \
            Uploaded files are not copied; they stay in the data folder.

              feedserver copy --from /srv/feed --to postgresql://db.example/feed
              feedserver serve --data /srv/feed --database postgresql://db.example/feed
            """)

    @Option(help: .init("A data folder or a PostgreSQL address.", valueName: "source")) var from: String
    @Option(help: .init("A data folder or a PostgreSQL address.", valueName: "target")) var to: String

    func validate() throws {
        guard from != to else { throw ValidationError("--from and --to must differ.") }
        guard try [from, to].contains(where: { try Self.postgres($0) != nil }) else {
            throw ValidationError(
                "--from or --to must be a PostgreSQL address. To copy a folder with its files, use feedserver backup "
                    + "and restore.")
        }
    }

    func run() async throws {
        try await Failure.reported {
            let source = try Self.open(from, creating: false)
            let target = try Self.open(to, creating: true)
            let line = ProgressLine(ProgressBar(label: "copying", total: nil), screen: .current())
            let result = await Result {
                try await DatabaseCopy(from: source, to: target).run { line.show(done: Int64($0), total: Int64($1)) }
            }
            line.clear()
            try? target.close()
            try? source.close()
            StandardError.line("copied \(Plural.text(try result.get(), "row")); the copy is equal to its source")
        }
    }

    /// - Throws: `ValidationError`, which ends the program with code 64.
    private static func postgres(_ place: String) throws -> PostgresAddress? {
        guard place.hasPrefix("postgres") && place.contains("://") else { return nil }
        do {
            return try PostgresAddress(place)
        } catch {
            throw ValidationError("\(error.message). \(error.hint ?? "")")
        }
    }

    private static func open(_ place: String, creating: Bool) throws -> FeedDatabase {
        if let url = try postgres(place) {
            return try FeedDatabase(
                postgres: url, creating: creating, clock: .system, version: FeedserverCommand.version)
        }
        guard creating || FeedDatabase.exists(in: place) else {
            throw FeedError(.notFound, "no feed found in \(place)", hint: "Specify a data folder that contains a feed.")
        }
        let database = try FeedDatabase(folder: place, clock: .system, version: FeedserverCommand.version)
        try database.refuseOthers()
        return database
    }
}

extension Result where Failure == any Error {
    fileprivate init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
