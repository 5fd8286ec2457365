import ArgumentParser
import FeedTerminal
import Synchronization
import TestKit
import Testing

@testable import FeedClientKit
@testable import feedclient

/// What the reader learns of its connection.
@Suite(.hangLimit)
struct ReaderStreamsTests {
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBfjCCASWgAwIBAgIUeQBqpwqzT5TPr57oHpsQhbCvy9cwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJYXV0aG9yaXR5MCAXDTI2MTEyODA5MDExOFoYDzIxMjYxMTA0
        MDkwMTE4WjAUMRIwEAYDVQQDDAlhdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAARuHm/WJqPQ+32AWl49Rzc3r81bYEkQ3bdtLkEU3BfaoqbRb/GoiYK8
        1XLqBI+oghU+q0aiaCc7P24ZNLe7eSFvo1MwUTAdBgNVHQ4EFgQUgybq0NIrEffD
        BAsnPfWoKEhl7uwwHwYDVR0jBBgwFoAUgybq0NIrEffDBAsnPfWoKEhl7uwwDwYD
        VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiA7Fp4Rr7QuNKCQ24Czsewl
        KppjfKs0wP6SHl8NVY7MBwIgCSFeQybN6WOj4pteipnwdICYdWDxRxQBifYBIf6W
        M3s=
        -----END CERTIFICATE-----
        """

    @Test func connectionIsObservedAsSoonAsAClientCanBeMade() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("authorities.pem")
        let global = try GlobalOptions.parse(["--server", "http://127.0.0.1:1", "--cacert", file])
        let isOnline = Mutex(false)
        let items = ReaderItemRenderer(style: TextStyle(hasColor: false), account: "")
        let loader = ReaderLoader(global: global, items: items) { message in
            if case .offline(nil) = message { isOnline.withLock { $0 = true } }
        }
        try await ReaderConnections.sharing {
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { await ReaderStreams(loader: loader).observeConnection(pause: .milliseconds(1)) }
                await #expect(throws: FeedClientError.self) { try await global.use { _ in } }
                _ = try folder.file("authorities.pem", Self.certificate)
                try await global.use { $0.connection.record(.online) }
                try await Wait.until("the connection is observed") { isOnline.withLock(\.self) }
            }
        }
    }
}
