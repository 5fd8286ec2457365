import ArgumentParser
import FeedCore
import FeedStore
import Foundation

/// Where everything is kept; an option of every subcommand.
struct DataOption: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: .init("The folder that holds everything (default: ./feed-data).", valueName: "dir"))
    var data: String?

    /// The folder in force.
    var folder: String { data ?? ServerEnvironment.current["data"] ?? "./feed-data" }

    /// Whether there is a feed in it.
    var hasFeed: Bool { FeedDatabase.exists(in: folder) }

    private func open(creating: Bool) throws -> FeedDatabase {
        guard creating || hasFeed else {
            throw FeedError(
                .notFound, "there is no feed in \(folder)",
                hint: "Name its folder with --data DIR; feedserver serve and account add make a new feed.")
        }
        return try FeedDatabase(folder: folder, clock: .system, version: Feedserver.version)
    }

    /// Opens the folder, runs `body`, and closes it again.
    /// - Parameter creating: Makes a new feed where there is none. Most commands must not: a folder may be mistyped.
    func use<Value>(creating: Bool = false, _ body: (FeedDatabase) async throws -> Value) async throws -> Value {
        let database = try open(creating: creating)
        let result: Result<Value, any Error>
        do { result = .success(try await body(database)) } catch { result = .failure(error) }
        try? database.close()
        return try result.get()
    }
}

extension WallClock {
    /// The machine's clock.
    static let system = WallClock { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }
}
