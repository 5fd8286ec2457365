import ArgumentParser
import FeedCore
import FeedStore
import Foundation

/// The data folder, an option of every subcommand.
struct DataOption: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: .init("The data folder (default: ./feed-data).", valueName: "dir"))
    var data: String?

    /// The path from the option, the environment or the default.
    var folder: String { data ?? ServerEnvironment.current["data"] ?? "./feed-data" }

    /// Whether the folder contains a feed.
    var hasFeed: Bool { FeedDatabase.exists(in: folder) }

    private func open(creating: Bool) throws -> FeedDatabase {
        guard creating || hasFeed else {
            throw FeedError(
                .notFound, "no feed found in \(folder)",
                hint: "Specify its folder with --data DIR. feedserver serve, account add and import create a new feed.")
        }
        return try FeedDatabase(folder: folder, clock: .system, version: Feedserver.version)
    }

    /// Opens the database, runs `body` and closes the database.
    /// - Parameter creating: Creates a new feed if none exists. Most commands must not, since the path may be mistyped.
    /// - Throws: ``FeedError`` `.notFound` if there is no feed, and any error thrown by `body`.
    func use<Value>(creating: Bool = false, _ body: (FeedDatabase) async throws -> Value) async throws -> Value {
        let database = try open(creating: creating)
        let result: Result<Value, any Error>
        do { result = .success(try await body(database)) } catch { result = .failure(error) }
        try? database.close()
        return try result.get()
    }
}

extension WallClock {
    /// The system clock.
    static let system = WallClock { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }
}
