import ArgumentParser
import FeedClientKit
import FeedTerminal
import Foundation

/// The capacity of the cache of pictures.
struct CacheOptions: ParsableArguments {
    @Option(
        help: .init(
            "The maximum size of the cache of pictures; also FEEDCLIENT_CACHE_SIZE.", valueName: "size"))
    var cacheSize: ByteSize?
    @Option(
        help: .init(
            "Remove pictures that were not used for this long; also FEEDCLIENT_CACHE_AGE.", valueName: "duration"))
    var cacheAge: DurationArgument?

    /// The options come first, then the environment.
    /// - Throws: ``FeedClientError`` `.usage` if a variable is not valid.
    func limits() throws -> AvatarCache.Limits {
        let environment = ProcessInfo.processInfo.environment
        var limits = AvatarCache.Limits()
        let size = try cacheSize ?? Self.value("FEEDCLIENT_CACHE_SIZE", environment) { ByteSize($0) }
        let age = try cacheAge ?? Self.value("FEEDCLIENT_CACHE_AGE", environment) { DurationArgument(argument: $0) }
        if let size { limits.diskBytes = size.bytes }
        if let age { limits.unusedSeconds = Int64(age.seconds) }
        return limits
    }

    private static func value<Value>(
        _ name: String, _ environment: [String: String], _ parse: (String) -> Value?
    ) throws -> Value? {
        guard let text = environment[name], !text.isEmpty else { return nil }
        guard let value = parse(text) else {
            throw FeedClientError(
                .usage, "\(name) is not valid: \"\(text)\"", hint: "Use a size such as 64MiB, and an age such as 30d.")
        }
        return value
    }
}
