import FeedCore
import FeedStore
import FeedTestSupport
import TestKit
import Testing

@Suite(.hangLimit)
struct InvitationTests {
    private static let day: Int64 = 86_400_000

    private static func signUp(_ name: String, _ code: String?, _ mode: RegistrationPolicy.Mode = .invite) async throws
        -> (NewAccount, SignUp)
    {
        (NewAccount(username: name), SignUp(mode: mode, invitation: code))
    }

    /// Of many concurrent sign-ups, exactly as many succeed as the invitation allows, and each of them is counted.
    @Test func useIsCountedOncePerAccount() async throws {
        let store = try TestStore()
        let code = try await store.invitations.invite(inviter: nil, uses: 3, lifetime: Self.day).code
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let signUp = SignUp(mode: .invite, invitation: code)
                    let new = NewAccount(username: "user\(number)")
                    do {
                        return try await store.registrations.register(new, signUp).isPending == false
                    } catch {
                        #expect(error as? RegistrationError == RegistrationError(errors: [(.invitation, .invalid)]))
                        return false
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 } == 3)
        #expect(try await store.invitations.invitation(code: code)?.uses == 3)
        #expect(try await store.accounts.counts().accounts == 3)
    }

    /// A sign-up that fails for another reason does not use the invitation.
    @Test func failedSignUpIsNotCounted() async throws {
        let store = try TestStore()
        _ = try await store.account("ada")
        let code = try await store.invitations.invite(inviter: nil, uses: 1, lifetime: Self.day).code
        let (taken, signUp) = try await Self.signUp("ADA", code)
        await #expect { _ = try await store.registrations.register(taken, signUp) } throws: {
            ($0 as? FeedError)?.kind == .conflict
        }
        #expect(try await store.invitations.invitation(code: code)?.uses == 0)
        let start = try await store.changes.position().sequence
        let made = try await store.registrations.register(NewAccount(username: "bob"), signUp)
        #expect(made.account.username == "bob" && made.account.suspendedAt == nil)
        #expect(try await store.kinds(after: start) == [.accountCreated])
    }

    /// Invitations that are used up, have expired or were revoked make room for others.
    @Test func membersHaveAtMostSomeValidInvitations() async throws {
        let store = try TestStore()
        let (ada, bob) = (try await store.account("ada"), try await store.account("bob"))
        let invitations = store.invitations
        @Sendable func invite(_ inviter: Account = ada) async throws -> String {
            try await invitations.invite(inviter: inviter, uses: 1, lifetime: Self.day, maximum: 2).code
        }
        let (first, second) = (try await invite(), try await invite())
        await #expect { _ = try await invite() } throws: { ($0 as? FeedError)?.kind == .invalid }
        _ = try await invite(bob)
        #expect(try await invitations.invitations(by: ada.id).map(\.code) == [first, second].sorted())
        let signUp = SignUp(mode: .invite, invitation: first)
        _ = try await store.registrations.register(NewAccount(username: "eve"), signUp)
        _ = try await invite()
        #expect(try await !invitations.revoke(code: second, by: bob.id))
        #expect(try await invitations.revoke(code: second, by: ada.id))
        _ = try await invite()
        await #expect { _ = try await invite() } throws: { ($0 as? FeedError)?.kind == .invalid }
        store.clock.now += Self.day
        _ = try await invite()
        // The operator has no limit.
        for _ in 0..<3 { _ = try await invitations.invite(inviter: ada, uses: 1, lifetime: Self.day) }
    }

    @Test func invitationEnds() async throws {
        let store = try TestStore()
        let ada = try await store.account("ada")
        let invitations = store.invitations
        func codes() async throws -> [String] { try await invitations.invitations().map(\.code) }
        func isUsable(_ code: String) async throws -> Bool {
            try await invitations.invitation(code: code)?.isUsable(at: store.clock.now) ?? false
        }
        let first = try await invitations.invite(inviter: ada, uses: 2, lifetime: Self.day)
        store.clock.now += 1
        let second = try await invitations.invite(inviter: nil, uses: 2, lifetime: 2 * Self.day)
        #expect(try await invitations.invitation(code: first.code) == first && first.inviter?.id == ada.id)
        #expect(try await codes() == [first.code, second.code])
        _ = try await store.moderation.perform(.suspend, on: ada.id)
        #expect(try await isUsable(first.code) == false)
        _ = try await store.moderation.perform(.unsuspend, on: ada.id)
        #expect(try await isUsable(first.code))
        store.clock.now += Self.day
        #expect(try await isUsable(first.code) == false)
        #expect(try await isUsable(second.code))
        #expect(try await invitations.revoke(code: second.code))
        #expect(try await invitations.revoke(code: second.code) == false)
        #expect(try await invitations.invitation(code: second.code) == nil)
        store.clock.now += PendingSignUp.lifetime - 1
        try await store.registrations.removeExpired()
        #expect(try await codes() == [first.code])
        store.clock.now += 2
        try await store.registrations.removeExpired()
        #expect(try await codes() == [])
    }

    @Test func everyModeDecidesInTheTransaction() async throws {
        let store = try TestStore()
        for mode in RegistrationPolicy.Mode.allCases {
            for code in [nil, "nosuchcode"] {
                let (new, signUp) = try await Self.signUp("user_\(mode)", code, mode)
                let made = try? await store.registrations.register(new, signUp)
                #expect((made != nil) == (code == nil && mode.isForEveryone), "\(mode) \(code ?? "-")")
                #expect(made.map(\.isPending) ?? false == (code == nil && mode == .approval))
            }
        }
    }
}
