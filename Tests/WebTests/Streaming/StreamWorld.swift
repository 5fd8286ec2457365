import FeedCore
import FeedStore
import FeedTestSupport
import Foundation
import NIOCore
import TestKit
import Testing

@testable import FeedWeb

/// A server with open sockets and its publisher, and four accounts: ada follows bob and cleo.
struct StreamWorld: Sendable {
    let server: LiveServer
    let ada: (account: Account, token: String)
    let bob: (account: Account, token: String)
    let cleo: (account: Account, token: String)

    var test: TestServices { server.test }
    var store: TestStore { test.store }
    var port: Int { server.port }
    var streams: StreamRegistry { services.streams }

    /// - Parameters:
    ///   - heartbeat: The milliseconds between two comments or pings.
    ///   - readTimeout: The milliseconds in which a client must read a part of what it has missed.
    ///   - store: The database; `nil` for a new one.
    static func run(
        limits: Limits = Limits(), connections: ConnectionLimits = ConnectionLimits(), heartbeat: Int64 = 3_600_000,
        readTimeout: Int64 = 3_600_000, store: TestStore? = nil,
        _ body: @escaping @Sendable (StreamWorld) async throws -> Void
    ) async throws {
        let test = try TestServices(limits: limits, store: store)
        var services = test.services
        services.streams = StreamRegistry(
            log: services.log, interval: .milliseconds(heartbeat), readTimeout: .milliseconds(readTimeout))
        let (ada, bob, cleo) = (
            try await test.account("ada"), try await test.account("bob"), try await test.account("cleo")
        )
        for followed in [bob, cleo] { _ = try await test.store.follows.follow(followed.account.id, by: ada.account.id) }
        let used = services
        try await LiveServer.run(connections, test, used) { server in
            let world = StreamWorld(server: server, ada: ada, bob: bob, cleo: cleo, used: used)
            // What has happened so far is no event of any stream.
            try await Wait.until("the publisher") { used.streams.position.sequence == used.log.sequence }
            try await body(world)
        }
    }

    /// The services of the server. Its streams are separate from the streams of ``test``.
    let services: Services

    private init(
        server: LiveServer, ada: (account: Account, token: String), bob: (account: Account, token: String),
        cleo: (account: Account, token: String), used: Services
    ) {
        self.server = server
        (self.ada, self.bob, self.cleo) = (ada, bob, cleo)
        services = used
    }

    /// A stream that is open.
    func open(
        _ path: String, as person: (account: Account, token: String)? = nil, since: String? = nil,
        from source: String? = nil
    ) async throws -> EventStreamClient {
        let client = try EventStreamClient(port: port, path, token: person?.token, since: since, from: source)
        let head = try await client.opened()
        try #require(head.status == 200, "\(path): \(head.status) \(head.text)")
        return client
    }

    /// Posts a status, and returns its id.
    @discardableResult
    func post(
        _ text: String, by person: (account: Account, token: String), _ visibility: Visibility = .public,
        replyTo: Int64? = nil
    ) async throws -> String {
        store.clock.now += 1000
        return String(try await store.post(text, by: person.account, visibility, replyTo: replyTo).id)
    }

    func delete(_ id: String, by person: (account: Account, token: String)) async throws {
        _ = try await store.statuses.delete(id: try #require(Int64(id)), by: person.account.id)
    }

    /// The position after all changes so far.
    var position: String { "\(store.database.log.epoch)-\(store.database.log.sequence)" }
}

extension EventStreamClient {
    /// The names of the events with the ids of their statuses.
    static func summary(_ events: [Event]) -> [String] {
        events.map { event in [event.name, event["id"] ?? event.data].joined(separator: " ") }
    }

    func summary(_ count: Int) async throws -> [String] { Self.summary(try await events(count)) }
}
