import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

/// The links that set new passwords.
@Suite(.hangLimit)
struct PasswordResetTests {
    private static func refusal<Value>(_ body: () async throws -> Value) async -> FeedError.Kind? {
        do { _ = try await body() } catch { return (error as? FeedError)?.kind }
        return nil
    }

    @Test func linkWorksOnceAndEndsAllLogins() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let resets = store.database.stores.passwordResets
        _ = try await Authentication(store: store.database.stores.tokens).create(
            for: ada.id, scopes: .all, application: ClientApplication(name: "app"))
        let reset = try await resets.create(for: ada.id)
        #expect(reset.path == "/reset/" + reset.code && reset.expiresAt == store.clock.now + PasswordReset.lifetime)
        #expect(try await resets.account(code: reset.code)?.id == ada.id)
        #expect(try await resets.account(code: reset.code + "x") == nil)
        #expect(try await store.database.stores.tokens.list(accountID: ada.id).count == 1)
        #expect(try await resets.use(code: reset.code, password: "first").id == ada.id)
        #expect(try await store.accounts.password(of: ada.id) == "first")
        #expect(try await store.database.stores.tokens.list(accountID: ada.id).isEmpty)
        #expect(await Self.refusal { try await resets.use(code: reset.code, password: "second") } == .notFound)
        #expect(try await store.accounts.password(of: ada.id) == "first")
    }

    @Test func oneOfManyConcurrentUsesSucceeds() async throws {
        let store = try TestStore()
        let resets = store.database.stores.passwordResets
        let code = try await resets.create(for: try await store.account("ada").id).code
        let done = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<10 {
                group.addTask { await Self.refusal { try await resets.use(code: code, password: "\(number)") } == nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(done == 1)
    }

    @Test func onlyTheNewestLinkWorksUntilItExpires() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let resets = store.database.stores.passwordResets
        let (old, other) = (try await resets.create(for: ada.id).code, try await resets.create(for: bob.id).code)
        let new = try await resets.create(for: ada.id).code
        #expect(try await resets.account(code: old) == nil)
        #expect(try await resets.account(code: other)?.id == bob.id)
        store.clock.now += PasswordReset.lifetime - 1
        #expect(try await resets.account(code: new)?.id == ada.id)
        store.clock.now += 1
        #expect(try await resets.account(code: new) == nil)
        #expect(await Self.refusal { try await resets.use(code: new, password: "late") } == .notFound)
        // Expired links are deleted when the next one is made.
        _ = try await resets.create(for: ada.id)
        let rows = try await store.database.read {
            try $0.fetchOne("SELECT count(*) FROM password_reset", as: Int.self)
        }
        #expect(rows == 1)
    }

    @Test func newPasswordAndSuspensionMakeLinksUnusable() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let resets = store.database.stores.passwordResets
        let code = try await resets.create(for: ada.id).code
        try await store.accounts.setPassword("own", of: ada.id)
        #expect(try await resets.account(code: code) == nil)
        let second = try await resets.create(for: bob.id).code
        try await store.database.stores.moderation.perform(.suspend, on: bob.id)
        #expect(try await resets.account(code: second) == nil)
        #expect(await Self.refusal { try await resets.create(for: bob.id) } == .conflict)
        #expect(await Self.refusal { try await resets.create(for: 1) } == .notFound)
    }

    @Test func onlyTheHashOfTheCodeIsStored() async throws {
        let store = try TestStore()
        let code = try await store.database.stores.passwordResets.create(for: try await store.account("ada").id).code
        let rows = try await store.database.read { try $0.fetchAll("SELECT * FROM password_reset").map(\.description) }
        #expect(rows.count == 1 && !rows[0].contains(code))
    }
}
