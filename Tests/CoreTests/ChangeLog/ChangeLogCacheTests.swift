import FeedCore
import Synchronization
import Testing

final class ChangeLogCacheTests: Sendable {
    private let log = LogPosition(epoch: "e", sequence: 5)
    private let made = Mutex(0)

    private func ask(_ cache: ChangeLogCache<String, Int>, _ key: String) async throws -> Int {
        try await cache.value(for: key) {
            made.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test func valueIsCachedUntilSomethingChanges() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        #expect(try await ask(cache, "a") == 1)
        #expect(try await ask(cache, "a") == 1)
        log.advance(to: 6)
        #expect(try await ask(cache, "a") == 2)
        log.advance(to: 4)
        #expect(try await ask(cache, "a") == 2)
    }

    /// The value may be older or newer than the concurrent change, so it is not cached.
    @Test func valueComputedDuringAChangeIsNotCached() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 100)
        let first = try await cache.value(for: "a") {
            log.advance(to: 6)
            return -1
        }
        #expect(first == -1)
        #expect(try await ask(cache, "a") == 1)
    }

    @Test func cacheSizeIsBounded() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 4)
        for key in ["a", "b", "c", "d", "e"] { _ = try await ask(cache, key) }
        #expect(try await ask(cache, "e") == 5)
        #expect(try await ask(cache, "a") == 6)
    }

    @Test func failureIsNotCached() async throws {
        let cache = ChangeLogCache<String, Int>(log: log, limit: 4)
        await #expect(throws: FeedError.self) { _ = try await cache.value(for: "a") { throw FeedError.notFound } }
        #expect(try await ask(cache, "a") == 1)
    }
}
