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

    func open() throws -> FeedDatabase {
        try FeedDatabase(folder: folder, surroundings: .system, version: Feedserver.version)
    }

    /// Opens the folder, runs `body`, and closes it again.
    func use<Value>(_ body: (FeedDatabase) async throws -> Value) async throws -> Value {
        let database = try open()
        let result: Result<Value, any Error>
        do { result = .success(try await body(database)) } catch { result = .failure(error) }
        try? database.close()
        return try result.get()
    }
}

extension Surroundings {
    /// The machine's clock.
    static let system = Surroundings { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }
}
