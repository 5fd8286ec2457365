import ArgumentParser
import FeedCore
import FeedStore
import FeedTerminal
import FeedWeb
import Foundation

/// The options that select the configuration file, the data folder and the database. Must be the first group of a
/// command, because the others use the file.
struct DataOptions: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: .init(
            "A JSON file with settings; options and the environment take precedence.", valueName: "file"))
    var configurationFile: String?

    @Option(
        name: .customLong("data"),
        help: .init("The data folder (default: ./feed-data).", valueName: "dir"))
    var data: String?

    /// The path from the option, the environment, the configuration file, or the default.
    var folder: String { data ?? ServerEnvironment.current["data"] ?? "./feed-data" }

    @Option(
        help: .init(
            "Store the feed in PostgreSQL; files stay in the data folder (default: SQLite in the data folder).",
            valueName: "url"))
    var database: String?

    func validate() throws {
        try Failure.exiting { try ServerEnvironment.readFile(configurationFile) }
        _ = try postgres()
    }

    /// The address of the PostgreSQL database; `nil` for SQLite.
    /// - Throws: `ValidationError`, which ends the program with code 64.
    func postgres() throws -> PostgresAddress? {
        do {
            return try (database ?? ServerEnvironment.current["database"]).map { try PostgresAddress($0) }
        } catch let error as FeedError {
            throw ValidationError("--database: \(error.message). \(error.hint ?? "")")
        }
    }

    /// Whether the data folder contains a feed. A PostgreSQL database is only examined when it is opened.
    var hasFeed: Bool { (try? postgres()) == nil && FeedDatabase.exists(in: folder) }

    /// - Parameters:
    ///   - creating: Whether to create a new feed if none exists.
    ///   - isServing: Whether to refuse a folder with an SQLite database that another process serves.
    ///   - caches: The memory of all caches.
    ///   - report: Called once for each reason why the database is no longer writable.
    func open(
        creating: Bool, isServing: Bool = false, caches: CacheBudget = Limits().caches,
        report: @escaping @Sendable (FeedError) -> Void = { _ in }
    ) throws -> FeedDatabase {
        try DataFolderRestore.refuseIncomplete(folder)
        if let url = try postgres() {
            return try FeedDatabase(
                postgres: url, creating: creating, clock: .system, version: FeedserverCommand.version, caches: caches)
        }
        guard creating || FeedDatabase.exists(in: folder) else {
            throw FeedError(
                .notFound, "no feed found in \(folder)",
                hint: "Specify its folder with --data DIR. feedserver serve, account add and import create a new feed.")
        }
        return try FeedDatabase(
            folder: folder, clock: .system, version: FeedserverCommand.version, isServing: isServing, caches: caches,
            report: report)
    }

    /// Opens the database, runs `body` and closes the database.
    /// - Parameters:
    ///   - creating: Creates a new feed if none exists. Most commands must not, since the path may be mistyped.
    ///   - isAnnounced: Whether to say that a new feed has been created.
    /// - Throws: ``FeedError`` `.notFound` if there is no feed, and any error thrown by `body`.
    func use<Value>(
        creating: Bool = false, isAnnounced: Bool = true, _ body: (FeedDatabase) async throws -> Value
    ) async throws -> Value {
        let isNew = try postgres() == nil && !hasFeed
        let database = try open(creating: creating)
        if isNew, isAnnounced { StandardError.line("created a new feed in \(folder)") }
        let result: Result<Value, any Error>
        do { result = .success(try await body(database)) } catch { result = .failure(error) }
        try? database.close()
        return try result.get()
    }
}

/// The option for the public URL of the server, with which addresses are printed.
struct PublicAddressOption: ParsableArguments {
    @Option(help: .init("The public URL of the server (default: that of the running server).", valueName: "url"))
    var baseURL: String?

    func validate() throws { _ = try base() }

    /// Prints the address of a page. If the public URL is not known, prints the path, and says so.
    /// - Parameter data: The data folder, whose running server may know the URL.
    func printAddress(of path: String, data: String) throws {
        if let base = try base() ?? Self.running(data) { return print(base + path) }
        print(path)
        StandardError.line("note: this is only a path; --base-url URL adds the address of the server")
    }

    /// The URL of a server that is running on the data folder. It is checked, as it may be one of another version.
    private static func running(_ data: String) -> String? {
        StatsClient.read(data: data).lazy.compactMap(\.baseURL).compactMap { try? BaseURL.parse($0) }.first
    }

    /// The URL that is given, without a trailing slash.
    /// - Throws: `ValidationError`, which ends the program with code 64.
    private func base() throws -> String? {
        guard let text = baseURL ?? ServerEnvironment.current["base-url"] else { return nil }
        do {
            return try BaseURL.parse(text)
        } catch {
            throw ValidationError("--base-url: \(error.message). \(error.hint ?? "")")
        }
    }
}
