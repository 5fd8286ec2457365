import FeedCore
import Testing

struct ListRuleTests {
    static let titles: [(title: String, isValid: Bool)] = [
        ("friends", true), (" x ", true), ("👩‍👩‍👧", true), (String(repeating: "x", count: 256), true),
        (String(repeating: "x", count: 257), false), ("", false), (" \n\t\u{3000}", false),
    ]

    @Test(arguments: titles)
    func titlesAreNeitherBlankNorLong(row: (title: String, isValid: Bool)) {
        #expect(Self.kind { try ListRule.checkTitle(row.title) } == (row.isValid ? nil : .invalid))
    }

    @Test func numberOfListsIsLimited() {
        #expect(Self.kind { try ListRule.checkNumber(ListRule.maximumLists - 1) } == nil)
        #expect(Self.kind { try ListRule.checkNumber(ListRule.maximumLists) } == .invalid)
    }

    struct Row: Sendable {
        let accounts: [Int64]
        let candidates: Set<Int64>
        var members: Set<Int64> = []
        var count = 0
        let expected: FeedError.Kind?
    }

    static let rows = [
        Row(accounts: [1], candidates: [1], expected: nil),
        Row(accounts: [1, 2], candidates: [1, 2], count: 498, expected: nil),
        Row(accounts: [1, 2], candidates: [1, 2], count: 499, expected: .invalid),
        Row(accounts: [1, 2], candidates: [1], expected: .notFound),
        Row(accounts: [1, 2], candidates: [1, 2], members: [2], count: 1, expected: .invalid),
        Row(accounts: [], candidates: [], expected: .invalid),
    ]

    @Test(arguments: rows)
    func onlyFollowedAccountsAreAddedAndOnlyOnce(row: Row) {
        let kind = Self.kind {
            try ListRule.checkAdding(
                row.accounts, candidates: row.candidates, members: row.members, count: row.count)
        }
        #expect(kind == row.expected)
    }

    @Test func draftChangesOnlyWhatItStates() {
        let old = AccountList(id: 1, ownerID: 2, title: "old", repliesPolicy: .followed, isExclusive: true)
        #expect(ListDraft().applied(to: old) == old)
        var new = old
        (new.title, new.repliesPolicy, new.isExclusive) = ("new", .none, false)
        #expect(ListDraft(title: "new", repliesPolicy: .some(.none), isExclusive: false).applied(to: old) == new)
    }

    @Test func numberOfFollowedHashtagsIsLimited() {
        #expect(Self.kind { try FollowRule.checkNumber(FollowRule.maximum - 1) } == nil)
        #expect(Self.kind { try FollowRule.checkNumber(FollowRule.maximum) } == .invalid)
        let languages = (1...FollowRule.maximumLanguages).map { "de-x-\($0)" }
        #expect(Self.kind { _ = try FollowRule.languages(languages + languages) } == nil)
        #expect(Self.kind { _ = try FollowRule.languages(languages + ["en"]) } == .invalid)
        #expect(Self.kind { try TagRule.checkNumber(TagRule.maximum - 1) } == nil)
        #expect(Self.kind { try TagRule.checkNumber(TagRule.maximum) } == .invalid)
    }

    /// The kind of the error that `body` throws, if any.
    private static func kind(_ body: () throws -> Void) -> FeedError.Kind? {
        do {
            try body()
            return nil
        } catch {
            return (error as? FeedError)?.kind
        }
    }
}
