import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// The cache of avatars.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Look at the cache of avatars, or empty it.",
        subcommands: [Stats.self, Clear.self])

    struct Stats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show how much the cache holds.")

        func run() async throws {
            try await Failure.reported {
                let stats = try await withCache { await $0.stats() }
                print("\(stats.count) pictures, \(ProgressBar.bytes(stats.bytes)) of \(ProgressBar.bytes(stats.limit))")
                print(GlobalOptions.places.cache)
            }
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Empty the cache.")

        func run() async throws {
            try await Failure.reported {
                try await withCache { try await $0.clear() }
                print("the cache is empty")
            }
        }
    }
}

/// Opens the cache without a network: nothing here fetches.
private func withCache<Value>(_ body: (AvatarCache) async throws -> Value) async throws -> Value {
    let client = FeedClient(server: try ServerAddress("http://localhost"))
    let cache = try AvatarCache(folder: GlobalOptions.places.cache, client: client)
    let result: Result<Value, any Error>
    do { result = .success(try await body(cache)) } catch { result = .failure(error) }
    await cache.close()
    await client.shutdown()
    return try result.get()
}
