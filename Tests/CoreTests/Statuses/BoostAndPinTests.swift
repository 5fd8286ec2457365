import FeedCore
import Testing

struct BoostAndPinTests {
    private static func status(_ visibility: Visibility) -> Status {
        Status(
            id: 9, account: Account(id: 1, username: "ada", createdAt: 0), createdAt: 0, visibility: visibility,
            text: "x", content: "x")
    }

    @Test func boostIsNeverMoreVisibleThanItsStatus() throws {
        for visibility in [Visibility.public, .unlisted] {
            let status = Self.status(visibility)
            #expect(try BoostRule.visibility(of: status, wanted: nil, by: 2) == .public)
            #expect(try BoostRule.visibility(of: status, wanted: .unlisted, by: 2) == .unlisted)
            #expect(try BoostRule.visibility(of: status, wanted: .direct, by: 2) == .followers)
        }
        #expect(try BoostRule.visibility(of: Self.status(.followers), wanted: .public, by: 1) == .followers)
        #expect(throws: FeedError.self) { try BoostRule.visibility(of: Self.status(.followers), wanted: nil, by: 2) }
        #expect(throws: FeedError.self) { try BoostRule.visibility(of: Self.status(.direct), wanted: nil, by: 1) }
    }

    @Test func onlyALimitedNumberOfOwnStatusesMayBePinned() throws {
        try PinRule.check(Self.status(.followers), by: 1, pinned: Limits.pinnedStatuses - 1)
        #expect(throws: FeedError.self) {
            try PinRule.check(Self.status(.public), by: 1, pinned: Limits.pinnedStatuses)
        }
        #expect(throws: FeedError.self) { try PinRule.check(Self.status(.public), by: 2, pinned: 0) }
        #expect(throws: FeedError.self) { try PinRule.check(Self.status(.direct), by: 1, pinned: 0) }
        var boost = Self.status(.public)
        boost.boost = Status.Boost(id: 10, account: boost.account, createdAt: 0, visibility: .public)
        #expect(throws: FeedError.self) { try PinRule.check(boost, by: 1, pinned: 0) }
    }
}
