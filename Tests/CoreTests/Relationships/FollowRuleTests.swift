import FeedCore
import Testing

struct FollowRuleTests {
    private static func account(_ id: Int64, isLocked: Bool = false, suspendedAt: Int64? = nil) -> Account {
        var account = Account(id: id, username: "a\(id)", createdAt: 0)
        account.isLocked = isLocked
        account.suspendedAt = suspendedAt
        return account
    }

    private static func decide(
        _ followee: Account, by follower: Int64 = 1, isBlocked: Bool = false, isFollowing: Bool = false,
        isSilenced: Bool = false
    ) throws -> FollowRule.Decision {
        try FollowRule.decide(
            followee, by: follower, isBlocked: isBlocked, isFollowing: isFollowing, isSilenced: isSilenced)
    }

    @Test func silencedFollowerRequiresAFollowRequest() throws {
        #expect(try Self.decide(Self.account(2), isSilenced: true) == .request)
        #expect(try Self.decide(Self.account(2), isFollowing: true, isSilenced: true) == .follow)
        #expect(throws: FeedError.self) { try Self.decide(Self.account(2), isBlocked: true, isSilenced: true) }
    }

    @Test func lockedAccountRequiresAFollowRequest() throws {
        #expect(try Self.decide(Self.account(2)) == .follow)
        #expect(try Self.decide(Self.account(2, isLocked: true)) == .request)
        #expect(try Self.decide(Self.account(2, isLocked: true), isFollowing: true) == .follow)
    }

    @Test func invalidFollowsAreRejected() {
        #expect(throws: FeedError.self) { try Self.decide(Self.account(1)) }
        #expect(throws: FeedError.self) { try Self.decide(Self.account(2), isBlocked: true) }
        #expect(throws: FeedError.self) { try Self.decide(Self.account(2), isBlocked: true, isFollowing: true) }
        let error = #expect(throws: FeedError.self) { try Self.decide(Self.account(2, suspendedAt: 5)) }
        #expect(error?.kind == .notFound)
    }
}
