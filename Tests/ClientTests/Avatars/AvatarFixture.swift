import FeedTestSupport
import Foundation
import TestKit

@testable import FeedClientKit

/// A server, a client with a credential, a folder and a clock.
struct AvatarFixture: Sendable {
    let server: PictureServer
    let client: FeedClient
    let folder = PictureFolder()
    let clock = TestClock()
    let address: String

    init(_ server: PictureServer) throws {
        self.server = server
        address = server.address
        client = FeedClient(server: try ServerAddress(server.address), credential: .token("secret"))
    }

    /// Opens the cache. Requests have time enough on a busy machine.
    func open(_ change: (inout AvatarCache.Limits) -> Void = { _ in }) throws -> AvatarCache {
        var limits = AvatarCache.Limits()
        (limits.requestSeconds, limits.revalidationSeconds) = (Int64(Wait.seconds), Int64(Wait.seconds))
        change(&limits)
        let clock = clock
        return try AvatarCache(folder: folder.path, limits: limits, client: client, now: { clock.now })
    }

    func url(_ path: String) -> String { address + path }

    func advance(seconds: Int64) { clock.now += seconds * 1000 }

    /// Runs `body` with a server, and shuts down the client afterwards.
    static func run(_ body: @escaping @Sendable (AvatarFixture) async throws -> Void) async throws {
        try await PictureServer.serving { server in
            let fixture = try AvatarFixture(server)
            do {
                try await body(fixture)
            } catch {
                await fixture.client.shutdown()
                throw error
            }
            await fixture.client.shutdown()
        }
    }
}

/// Waits until a condition is true; the suite's time limit is the only limit.
func until(_ isSo: @Sendable () -> Bool) async throws {
    while !isSo() { try await Task.sleep(for: .milliseconds(2)) }
}

/// The code of the error that `image(at:)` throws.
func refusal(_ cache: AvatarCache, _ url: String) async -> FeedClientError.Code? {
    do {
        _ = try await cache.image(at: url)
        return nil
    } catch {
        return (error as? FeedClientError)?.code
    }
}

/// A temporary folder, deleted on deinitialization.
final class PictureFolder: Sendable {
    let path = NSTemporaryDirectory() + "/avatars-" + UUID().uuidString

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var index: String { path + "/avatars.sqlite" }

    /// All picture files.
    var files: [String] {
        let root = path + "/avatars"
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        return names.filter { $0.contains("/") }.map { root + "/" + $0 }.sorted()
    }

    var bytes: Int64 { files.reduce(0) { $0 + Int64(FileManager.default.contents(atPath: $1)?.count ?? 0) } }

    /// Overwrites a file in place.
    func overwrite(_ file: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }
}
