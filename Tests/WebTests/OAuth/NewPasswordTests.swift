import FeedCore
import FeedStore
import FeedTestSupport
import FeedWeb
import Foundation
import TestKit
import Testing

/// A new password ends all logins with the old one.
@Suite(.hangLimit)
struct NewPasswordTests {
    /// The password is correct when it is checked, but changes before the token is issued.
    @Test func loginInProgressIsRejected() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        try await store.accounts.setPassword("old", of: ada.id)
        let grants = Grants(store: GrantStore(store.database), clock: store.clock.clock)
        let application = try await ApplicationStore(store.database).register(
            ClientApplication(clientID: Secret.randomText(), name: "App"), secretHash: [1])
        _ = try await grants.token(
            for: ada.id, proof: "old", scopes: ScopeSet(names: ["read"]), application: application)
        try await store.accounts.setPassword("new", of: ada.id)
        await #expect(throws: FeedError.self) {
            try await grants.token(
                for: ada.id, proof: "old", scopes: ScopeSet(names: ["read"]), application: application)
        }
        await #expect(throws: FeedError.self) {
            try await grants.code(
                for: ada, proof: "old", application: application, redirectURI: "x", scopes: ScopeSet(names: ["read"]),
                challenge: nil)
        }
    }

    @Test func newPasswordRevokesAllEarlierLogins() async throws {
        try await Person.served(try TestServices()) { test, person in
            let app = try await person.application(scopes: "read write offline_access")
            let query = AuthorizationTests.request(app.id, ["scope": "read offline_access"])
            let code = try await person.code(query)
            let issued = try await person.token(AuthorizationTests.trade(app, code)).object
            let token = try #require(issued["access_token"] as? String)
            let pending = try await person.code(query)
            let bob = try await test.account("bob")
            #expect(try await person.works(token))

            let ada = try #require(try await test.store.accounts.account(named: "ada"))
            let start = try await test.store.changes.position().sequence
            // One from the authorization page, one from the account's creation.
            #expect(try await test.store.accounts.setPassword("new", of: ada.id) == 2)
            let rows = try await test.store.changes.changes(after: start, limit: 9)
            #expect(rows.map(\.kind) == [.passwordChanged, .tokenRevoked, .tokenRevoked])
            #expect(rows.allSatisfy { $0.account == ada.id })

            #expect(try await person.works(token) == false)
            #expect(try await person.works(bob.token))
            #expect(try await person.token(AuthorizationTests.trade(app, pending)).status == 400)
            let renewed = try await person.token([
                "grant_type": "refresh_token", "client_id": app.id, "client_secret": app.secret,
                "refresh_token": try #require(issued["refresh_token"] as? String),
            ])
            #expect(renewed.status == 400 && renewed.object["error"] as? String == "invalid_grant")
            #expect(try await test.store.accounts.setPassword("newer", of: ada.id) == 0)
        }
    }
}
