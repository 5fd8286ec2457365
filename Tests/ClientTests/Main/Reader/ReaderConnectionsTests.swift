import FeedClientKit
import Synchronization
import TestKit
import Testing

@testable import feedclient

@Suite(.hangLimit)
struct ReaderConnectionsTests {
    /// Counts the clients that are made.
    private final class Counter: Sendable {
        private let made = Mutex(0)
        private let server: ServerAddress

        var count: Int { made.withLock { $0 } }

        init() throws { server = try ServerAddress("http://127.0.0.1:1") }

        /// Asks for a client, as the options of a command do.
        func open(_ token: String?, _ policy: CachePolicy = .useProtocol) {
            let credential = token.map { Credential.token($0) }
            _ = ReaderConnections.current?.client(server, credential, policy) {
                made.withLock { $0 += 1 }
                return FeedClient(server: server, credential: credential)
            }
        }
    }

    @Test func requestsOfOneAccountShareAClient() async throws {
        let counter = try Counter()
        await ReaderConnections.sharing {
            for _ in 0..<3 { counter.open("a") }
            // Tasks belong to the same program.
            await withTaskGroup(of: Void.self) { group in
                group.addTask { counter.open("a") }
                await group.waitForAll()
            }
            #expect(counter.count == 1)
            counter.open("b")
            counter.open(nil)
            counter.open("a", .cacheOnly)
            #expect(counter.count == 4)
        }
        #expect(ReaderConnections.current == nil)
    }
}
