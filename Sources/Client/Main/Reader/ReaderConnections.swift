import FeedClientKit
import Synchronization

/// Clients that stay open, so that the requests of a program that runs for long share their connections.
final class ReaderConnections: Sendable {
    private struct Opened {
        let server: String
        let credential: Credential?
        let policy: CachePolicy
        let client: FeedClient
    }

    /// Those that ``GlobalOptions/use(policy:_:)`` takes its clients from; `nil` for a new client each time.
    @TaskLocal static var current: ReaderConnections?

    private let opened = Mutex<[Opened]>([])

    /// Runs `body`, whose requests share clients, and closes them afterwards.
    static func sharing<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
        let clients = ReaderConnections()
        do {
            let value = try await $current.withValue(clients) { try await body() }
            await clients.close()
            return value
        } catch {
            await clients.close()
            throw error
        }
    }

    /// The client for a server and an account, which is made if there is none yet.
    func client(
        _ server: ServerAddress, _ credential: Credential?, _ policy: CachePolicy, make: () throws -> FeedClient
    ) rethrows -> FeedClient {
        try opened.withLock { opened in
            let known = opened.first {
                $0.server == server.description && $0.credential == credential && $0.policy == policy
            }
            if let known { return known.client }
            let client = try make()
            opened.append(Opened(server: server.description, credential: credential, policy: policy, client: client))
            return client
        }
    }

    private func close() async {
        let clients = opened.withLock { opened in
            defer { opened = [] }
            return opened.map(\.client)
        }
        for client in clients { await client.shutdown() }
    }
}
