import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

/// Sign-ups that await approval.
@Suite(.hangLimit)
struct ApprovalTests {
    private static func ask(
        _ store: TestStore, _ name: String, email: String = "", reason: String = "I like it"
    ) async throws -> Account {
        var new = NewAccount(username: name)
        new.email = email
        new.password = "hash"
        let made = try await store.registrations.register(new, SignUp(mode: .approval, reason: reason))
        #expect(made.isPending)
        return made.account
    }

    private static func token(_ store: TestStore, _ account: Account, _ hash: [UInt8]) async throws {
        _ = try await store.tokens.insert(
            hash: hash, accountID: account.id, scopes: .all, application: ClientApplication(name: "app"))
    }

    @Test func pendingAccountIsHiddenUntilItIsApproved() async throws {
        let store = try TestStore()
        let start = try await store.changes.position().sequence
        let eve = try await Self.ask(store, "eve", email: "eve@feed.test")
        try await Self.token(store, eve, [1])
        #expect(try await store.kinds(after: start) == [])
        #expect(try await store.registrations.pending() == [PendingSignUp(account: eve, reason: "I like it")])
        func isVisible() async throws -> [Bool] {
            let found = try await store.search.accounts(matching: "eve", limit: 5, offset: 0, followedBy: nil)
            return [
                try await store.accounts.accounts(ids: [eve.id]).isEmpty == false,
                try await store.accounts.accounts(named: ["eve"]).isEmpty == false,
                try await store.accounts.counts().accounts == 1, !found.isEmpty,
                try await store.accounts.account(id: eve.id)?.suspendedAt == nil,
            ]
        }
        #expect(try await isVisible() == [false, false, false, false, false])
        guard case .pending(let scopes) = try await store.tokens.holder(hash: [1]) else {
            Issue.record("the token is not pending")
            return
        }
        #expect(scopes == .all)

        let approved = try await store.registrations.approve(eve.id)
        #expect(approved.suspendedAt == nil && approved.id == eve.id)
        #expect(try await store.kinds(after: start) == [.accountCreated, .accountUnsuspended])
        #expect(try await isVisible() == [true, true, true, true, true])
        guard case .account(let viewer) = try await store.tokens.holder(hash: [1]) else {
            Issue.record("the token does not work")
            return
        }
        #expect(viewer.account.id == eve.id)
        #expect(try await store.registrations.pending().isEmpty)
    }

    @Test func rejectedNameIsFreeAgain() async throws {
        let store = try TestStore()
        let eve = try await Self.ask(store, "eve", email: "eve@feed.test")
        try await Self.token(store, eve, [1])
        let start = try await store.changes.position().sequence
        for change: (name: String, email: String) in [("EVE", ""), ("other", "EVE@feed.test")] {
            await #expect { _ = try await Self.ask(store, change.name, email: change.email) } throws: {
                ($0 as? FeedError)?.kind == .conflict
            }
        }
        #expect(try await store.registrations.reject(eve.id).account.id == eve.id)
        #expect(try await store.kinds(after: start) == [.tokenRevoked, .signUpRejected])
        #expect(try await store.tokens.holder(hash: [1]) == nil)
        #expect(try await store.accounts.account(named: "eve") == nil)
        #expect(try await store.registrations.pending().isEmpty)
        #expect(try await Self.ask(store, "Eve", email: "eve@feed.test").id != eve.id)
    }

    /// Neither an account that is not pending nor an unknown one can be approved or rejected, and a pending one cannot
    /// be moderated otherwise.
    @Test func onlyPendingAccountsAreAnswered() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        for (id, kind) in [(ada.id, FeedError.Kind.forbidden), (1, .notFound), (.max, .notFound)] {
            await #expect { _ = try await store.registrations.approve(id) } throws: { ($0 as? FeedError)?.kind == kind }
            await #expect { _ = try await store.registrations.reject(id) } throws: { ($0 as? FeedError)?.kind == kind }
        }
        let eve = try await Self.ask(store, "eve")
        for action in ModerationAction.allCases where action != .none {
            await #expect { _ = try await store.moderation.perform(action, on: eve.id) } throws: {
                ($0 as? FeedError)?.kind == .conflict
            }
        }
        #expect(try await store.accounts.isPending(eve.id))
        #expect(try await store.accounts.isPending(ada.id) == false)
        _ = try await store.registrations.approve(eve.id)
        await #expect(throws: FeedError.self) { _ = try await store.registrations.reject(eve.id) }
        #expect(try await store.moderation.perform(.suspend, on: eve.id).hasChanged)
    }

    @Test(arguments: [
        #"{"kind":"account","username":"eve"}"#,
        #"{"kind":"status","author":"eve","created_at":"2023-01-01T00:00:00Z","text":"x"}"#,
    ])
    func nothingIsImportedToAPendingAccount(line: String) async throws {
        let store = try TestStore()
        let eve = try await Self.ask(store, "eve")
        await #expect { try await store.importLines(line) } throws: {
            ($0 as? FeedError)?.message == #"line 1: the account "eve" awaits approval; approve or reject it first"#
        }
        _ = try await store.registrations.approve(eve.id)
        try await store.importLines(line)
    }

    @Test func pendingSignUpsAreBounded() async throws {
        let store = try TestStore()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<PendingSignUp.limit {
                group.addTask { _ = try await Self.ask(store, "user\(number)", reason: "") }
            }
            try await group.waitForAll()
        }
        await #expect { _ = try await Self.ask(store, "late") } throws: {
            ($0 as? FeedError)?.kind == .unavailable && ($0 as? FeedError)?.retryAfter != nil
        }
        #expect(try await store.accounts.account(named: "late") == nil)
        let first = try #require(try await store.registrations.pending().first)
        _ = try await store.registrations.reject(first.account.id)
        _ = try await Self.ask(store, "late")
    }

    @Test func unansweredSignUpExpires() async throws {
        let store = try TestStore()
        for number in 0..<150 { _ = try await Self.ask(store, "old\(number)") }
        store.clock.now += 1
        _ = try await Self.ask(store, "young")
        _ = try await store.account("member")
        store.clock.now += PendingSignUp.lifetime - 1
        try await store.registrations.removeExpired()
        #expect(try await store.registrations.pending().count == 151)
        store.clock.now += 1
        try await store.registrations.removeExpired()
        #expect(try await store.registrations.pending().map(\.account.username) == ["young"])
        #expect(try await store.accounts.list().map(\.username) == ["member", "young"])
    }
}
