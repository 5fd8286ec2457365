import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedStore
@testable import FeedWeb

/// Tokens that are not known from memory, or no longer for certain.
@Suite(.hangLimit)
struct UnknownTokenTests {
    private struct World: Sendable {
        let test: TestServices
        let engine: ObservedEngine
        let account: Account
        private let client: TestClient

        /// - Parameter refusals: The refused requests of a network in five minutes.
        init(refusals: Int, isShared: Bool? = nil) async throws {
            let (store, engine) = try ObservedEngine.store(isShared: isShared)
            var limits = Limits()
            limits.refusals = RateLimit(refusals, perSeconds: 300)
            test = try TestServices(limits: limits, enforcesRateLimits: true, store: store)
            self.engine = engine
            account = try await store.account("ada")
            client = TestClient(test.services)
        }

        func token() async throws -> String {
            try await test.services.login.tokens.create(
                for: account.id, scopes: .all, application: ClientApplication(name: "test app"))
        }

        /// The status of a request with a token.
        func status(_ token: String) async throws -> Int {
            try await client.execute(
                uri: "/api/v1/accounts/verify_credentials", method: .get,
                headers: [.authorization: "Bearer " + token]
            ) { $0.status.code }
        }
    }

    /// Guesses cost queries only up to the limit.
    @Test func unknownTokensCountAgainstTheNetworkFirst() async throws {
        let world = try await World(refusals: 3)
        let known = try await world.token()
        #expect(try await world.status(known) == 200)
        for _ in 0..<3 { #expect(try await world.status(Secret.randomText()) == 401) }
        let statements = world.engine.statements
        for _ in 0..<5 { #expect(try await world.status(Secret.randomText()) == 429) }
        // On PostgreSQL, the position of the log is read before.
        if !world.test.store.database.isShared { #expect(world.engine.statements == statements) }
        // A token that is in memory costs no query.
        #expect(try await world.status(known) == 200)
        #expect(try await world.status(try await world.token()) == 429)
    }

    /// Clients with tokens that are merely not in memory, as after a restart, use up nothing.
    @Test func validTokensAreGivenBack() async throws {
        let world = try await World(refusals: 1)
        for _ in 0..<5 { #expect(try await world.status(try await world.token()) == 200) }
        #expect(try await world.status(Secret.randomText()) == 401)
        #expect(try await world.status(Secret.randomText()) == 429)
    }

    /// If other servers use the database, each request learns what they have changed before its token is accepted.
    @Test func tokenThatAnotherServerRevokesIsRefusedAtOnce() async throws {
        let world = try await World(refusals: 100, isShared: true)
        let token = try await world.token()
        for _ in 0..<3 { #expect(try await world.status(token) == 200) }
        let store = world.test.store
        let other = try FeedDatabase(
            engine: store.database.engine, clock: store.clock.clock, version: "test", caches: Limits().caches)
        try await Authentication(store: TokenStore(other)).revoke(token)
        #expect(try await world.status(token) == 401)
    }

    /// A server that uses its database alone answers without a query.
    @Test func knownTokenCostsNoQuery() async throws {
        let world = try await World(refusals: 100, isShared: false)
        let token = try await world.token()
        for _ in 0..<2 { #expect(try await world.status(token) == 200) }
        let statements = world.engine.statements
        #expect(try await world.status(token) == 200)
        #expect(world.engine.statements == statements)
    }
}
