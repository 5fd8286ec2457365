import ArgumentParser
import FeedClientKit
import FeedTerminal

/// Shows, checks or clears the cache of avatars and previews.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Show, check or clear the cache of avatars and previews.",
        discussion: """
              feedclient cache stats
              feedclient cache verify
              feedclient cache clear
            """,
        subcommands: [Stats.self, Verify.self, Clear.self])

    private struct Report: Encodable {
        var pictures: Int
        /// Sizes in bytes.
        var bytes, limit: Int64
        var folder: String

        init(_ stats: AvatarStats, _ folder: String) {
            (pictures, bytes, limit, self.folder) = (stats.count, stats.bytes, stats.limit, folder)
        }
    }

    struct Stats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the size of the cache.")

        @OptionGroup var global: GlobalOptions
        @Flag(help: "Print a JSON object with pictures, bytes, limit and folder.") var json = false

        func run() async throws {
            try await ErrorReporter.run {
                let stats = try await withCache(global) { await $0.stats() }
                if json { return print(try EntityJSON.line(Report(stats, GlobalOptions.folders.cache))) }
                print(
                    "\(Plural.text(stats.count, "picture")), \(ByteSize.text(stats.bytes)) of \(ByteSize.text(stats.limit))"
                )
                print(GlobalOptions.folders.cache)
            }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check all cached pictures.",
            discussion: "Damaged pictures are removed, and fetched again when they are needed. The exit code is then 8."
        )

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await ErrorReporter.run {
                let (damaged, stats) = try await withCache(global) { (try await $0.verify(), await $0.stats()) }
                guard damaged == 0 else {
                    throw FeedClientError(
                        .disk, Plural.text(damaged, "cached picture was", "cached pictures were") + " damaged",
                        hint: "They were removed, and are fetched again when they are needed.")
                }
                print("\(Plural.text(stats.count, "picture")), all intact")
            }
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove all cached pictures.")

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await ErrorReporter.run {
                try await withCache(global) { try await $0.clear() }
                print("the cache is empty")
            }
        }
    }
}

/// Opens the cache. The client can have any server address, because no request is sent.
private func withCache<Value>(_ global: GlobalOptions, _ body: (AvatarCache) async throws -> Value) async throws
    -> Value
{
    let client = FeedClient(server: try ServerAddress("http://localhost"))
    let cache = try AvatarCache(
        folder: GlobalOptions.folders.cache, limits: global.pictures.limits(), client: client)
    let result: Result<Value, any Error>
    do { result = .success(try await body(cache)) } catch { result = .failure(error) }
    await cache.close()
    await client.shutdown()
    return try result.get()
}
