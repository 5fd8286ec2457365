import FeedCore
import Testing

@Suite struct FilterRuleTests {
    private static let present = Filter(id: 7, title: "old", contexts: [.home], expiresAt: 5)

    @Test func newFilterNeedsATitleAndAContext() throws {
        let filter = try FilterRule.apply(FilterDraft(title: " a title\n", contexts: [.thread, .home]), to: nil)
        #expect(filter == Filter(id: 0, title: "a title", contexts: [.home, .thread]))
        for draft in [
            FilterDraft(), FilterDraft(title: "x"), FilterDraft(contexts: [.home]),
            FilterDraft(title: " \u{3000}", contexts: [.home]), FilterDraft(title: "x", contexts: []),
            FilterDraft(title: String(repeating: "x", count: 257), contexts: [.home]),
            FilterDraft(title: "e" + String(repeating: "\u{301}", count: 2000), contexts: [.home]),
        ] {
            let error = #expect(throws: FeedError.self) { try FilterRule.apply(draft, to: nil) }
            #expect(error?.kind == .invalid, "\(draft)")
        }
    }

    /// Clients show Mastodon's text.
    @Test func missingContextsAreRefusedAsInMastodon() {
        let error = #expect(throws: FeedError.self) { try FilterRule.apply(FilterDraft(title: "x"), to: nil) }
        #expect(
            error?.message == "Validation failed: Context can't be blank, Context None or invalid context supplied")
    }

    @Test func missingPropertiesAreKept() throws {
        #expect(try FilterRule.apply(FilterDraft(), to: Self.present) == Self.present)
        var draft = FilterDraft()
        (draft.action, draft.expiry) = (.hide, .never)
        let changed = try FilterRule.apply(draft, to: Self.present)
        #expect(changed == Filter(id: 7, title: "old", contexts: [.home], action: .hide))
        draft.expiry = .at(9)
        #expect(try FilterRule.apply(draft, to: Self.present).expiresAt == 9)
        #expect(throws: FeedError.self) { try FilterRule.apply(FilterDraft(contexts: []), to: Self.present) }
    }

    @Test func newKeywordsMatchWholeWords() throws {
        let keyword = try FilterRule.apply(FilterDraft.Keyword(text: " cats "), to: nil)
        #expect(keyword == Filter.Keyword(id: 0, text: "cats", isWholeWord: true))
        let part = try FilterRule.apply(FilterDraft.Keyword(isWholeWord: false), to: keyword)
        #expect(part == Filter.Keyword(id: 0, text: "cats", isWholeWord: false))
        for text in [
            nil, "", "\t", String(repeating: "x", count: 513), "e" + String(repeating: "\u{301}", count: 2000),
        ] {
            #expect(throws: FeedError.self) { try FilterRule.apply(FilterDraft.Keyword(text: text), to: nil) }
        }
    }

    @Test(arguments: [
        (100, 1000, 32_768, 1000, true), (101, 0, 0, 0, false), (1, 1001, 0, 0, false), (1, 1, 32_769, 0, false),
        (1, 0, 0, 1001, false), (0, 0, 0, 0, true),
    ])
    func numbersAreLimited(filters: Int, keywords: Int, bytes: Int, statuses: Int, isAllowed: Bool) {
        var kind: FeedError.Kind?
        do throws(FeedError) {
            try FilterRule.check(filters: filters, keywords: keywords, bytes: bytes, statuses: statuses)
        } catch {
            kind = error.kind
        }
        #expect(kind == (isAllowed ? nil : .invalid))
    }
}
