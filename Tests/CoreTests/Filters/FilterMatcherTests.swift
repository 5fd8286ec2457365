import TestKit
import Testing

@testable import FeedCore

@Suite(.hangLimit)
struct FilterMatcherTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let keyword: String
        let matchesPart: Bool
        let matchesWord: Bool

        init(_ text: String, _ keyword: String, part: Bool, word: Bool) {
            (self.text, self.keyword, matchesPart, matchesWord) = (text, keyword, part, word)
        }

        var testDescription: String { "\(keyword) in \(text)" }
    }

    static let rows = [
        Row("I like cats", "cat", part: true, word: false), Row("I like cats", "cats", part: true, word: true),
        Row("CATS", "cats", part: true, word: true), Row("cats", "CaTs", part: true, word: true),
        Row("concatenate", "cat", part: true, word: false), Row("dogs", "cats", part: false, word: false),
        Row("a cat, a dog", "cat, a", part: true, word: true), Row("covid19", "covid", part: true, word: false),
        Row("foo_bar", "foo", part: true, word: false), Row("foo-bar", "foo", part: true, word: true),
        Row("I can't", "can", part: true, word: true), Row("", "cats", part: false, word: false),
        // Only an end that is part of a word has to be the end of one.
        Row("look: #cats!", "#cats", part: true, word: true), Row("x#cats", "#cats", part: true, word: true),
        Row("#catsy", "#cats", part: true, word: false), Row("I write c++ code", "c++", part: true, word: true),
        Row("c++x", "c++", part: true, word: true), Row("abc++", "c++", part: true, word: false),
        Row("party🎉time", "🎉", part: true, word: true),
        // Case folding.
        Row("Straße", "STRASSE", part: true, word: true), Row("STRASSE", "straße", part: true, word: true),
        Row("STRAẞE", "strasse", part: true, word: true), Row("ΟΔΥΣΣΕΥΣ", "οδυσσευς", part: true, word: true),
        Row("\u{212A}elvin", "kelvin", part: true, word: true), Row("ﬁsh", "FISH", part: true, word: true),
        Row("ЁЛКА", "ёлка", part: true, word: true), Row("I", "ı", part: false, word: false),
        Row("İstanbul", "i\u{307}stanbul", part: true, word: true),
        // Composition.
        Row("cafe\u{301}", "café", part: true, word: true), Row("café", "cafe\u{301}", part: true, word: true),
        Row("cafe\u{301}", "cafe", part: false, word: false), Row("cafe\u{301}s", "café", part: true, word: false),
        // Marks belong to the character before them.
        Row("नमस्ते", "नमस्त", part: true, word: false), Row("नमस्ते जी", "नमस्ते", part: true, word: true),
        // Scripts without spaces between words.
        Row("黒猫です", "猫", part: true, word: true), Row("黒ねこです", "ねこ", part: true, word: true),
        Row("カタカナ", "カタ", part: true, word: false), Row("ฉันชอบแมว", "แมว", part: true, word: true),
    ]

    @Test(arguments: rows) func keywordMatches(_ row: Row) {
        for (isWholeWord, expected) in [(false, row.matchesPart), (true, row.matchesWord)] {
            let set = Self.set([Self.filter(1, keywords: [(row.keyword, isWholeWord)])])
            let matches = set.matches([row.text], ids: [], in: .home, at: 0)
            #expect(matches.map(\.keywords) == (expected ? [[row.keyword]] : []), "whole word: \(isWholeWord)")
        }
    }

    @Test func textsAreSearchedOneByOne() {
        let set = Self.set([Self.filter(1, keywords: [("abcd", false), ("ab cd", true), ("cd", true)])])
        #expect(set.matches(["ab", "cd"], ids: [], in: .home, at: 0).map(\.keywords) == [["cd"]])
    }

    @Test func statusIsSearchedWithWarningAndDescriptions() {
        var status = Status(
            id: 5, account: Account(id: 1, username: "ada", createdAt: 0), createdAt: 0, text: "one", content: "")
        status.spoilerText = "two"
        #expect(status.filteredTexts == ["two", "one"])
        let set = Self.set([Self.filter(1, keywords: [("one", true)]), Self.filter(2, keywords: [("two", true)])])
        #expect(set.matches(status, in: nil, at: 0).map(\.filter.id) == [1, 2])
    }

    /// Keywords that name a hashtag match all its spellings.
    @Test(arguments: [
        ("#caffe", "a #Caffè", true), ("#Caffè", "a #caffe", true), ("#caffe\u{300}", "#CAFFÈ", true),
        ("#ｃａｆｆｅ", "#caffè", true), ("#caffe", "a caffè", false), ("caffè", "#caffe", false), ("#caffe", "#tea", false),
    ]) func hashtagsMatchInAnySpelling(keyword: String, text: String, expected: Bool) {
        let tags = StatusHTML.render(StatusTextParser.parse(text), known: [:]).tags
        let author = Account(id: 1, username: "ada", createdAt: 0)
        let status = Status(id: 5, account: author, createdAt: 0, text: text, content: "", tags: tags)
        for isWholeWord in [false, true] {
            let set = Self.set([Self.filter(1, keywords: [(keyword, isWholeWord)])])
            let found = set.matches(status, in: nil, at: 0).map(\.keywords)
            #expect(found == (expected ? [[keyword]] : []), "whole word: \(isWholeWord)")
        }
    }

    /// A boost is matched by its own id and by that of the boosted status.
    @Test func statusesMatchByID() {
        var (one, two) = (Self.filter(1), Self.filter(2))
        one.statuses = [Filter.MatchedStatus(id: 70, statusID: 7), Filter.MatchedStatus(id: 80, statusID: 8)]
        two.statuses = [Filter.MatchedStatus(id: 90, statusID: 9)]
        let set = Self.set([one, two])
        #expect(set.matches(["x"], ids: [7, 9], in: .home, at: 0).map(\.statuses) == [[7], [9]])
        #expect(set.matches([], ids: [8, 7], in: .home, at: 0).map(\.statuses) == [[8, 7]])
        #expect(set.matches(["7"], ids: [70], in: .home, at: 0).isEmpty)
    }

    @Test func onlyActiveFiltersMatch() {
        var (home, thread) = (Self.filter(1, keywords: [("x", true)]), Self.filter(2, keywords: [("x", true)]))
        (home.contexts, home.expiresAt) = ([.home, .account], 100)
        thread.contexts = [.thread]
        let set = Self.set([home, thread])
        func ids(_ context: Filter.Context?, _ now: Int64) -> [Int64] {
            set.matches(["x"], ids: [], in: context, at: now).map(\.filter.id)
        }
        #expect(ids(.home, 99) == [1] && ids(.account, 99) == [1] && ids(.home, 100) == [])
        #expect(ids(.thread, 1000) == [2] && ids(.public, 0) == [] && ids(.notifications, 0) == [])
        // The app decides.
        #expect(ids(nil, 99) == [1, 2] && ids(nil, 100) == [2])
    }

    @Test func matchesAreInTheOrderOfTheFilters() {
        let filters = [
            Self.filter(3, keywords: [("b", true), ("a", false), ("c", true)]), Self.filter(1, keywords: [("a", true)]),
            Self.filter(2, keywords: [("d", true)]),
        ]
        let matches = Self.set(filters).matches(["c d b a"], ids: [], in: .home, at: 0)
        #expect(matches.map(\.filter.id) == [3, 1, 2])
        #expect(matches.map(\.keywords) == [["b", "a", "c"], ["a"], ["d"]])
    }

    @Test func emptySetMatchesNothing() {
        #expect(FilterMatcher.none.isEmpty && FilterMatcher.none.matches(["x"], ids: [1], in: nil, at: 0).isEmpty)
        #expect(!Self.set([Self.filter(1)]).isEmpty)
    }

    /// A thousand keywords of which each contains the one before, and a text that consists of them.
    @Test(arguments: ["a", "a ", "猫", "#"]) func hostileKeywordsAreAllFound(part: String) {
        let keywords = (1...1000).map { (String(repeating: part, count: $0), $0 % 2 == 0) }
        let set = Self.set([Self.filter(1, keywords: keywords)])
        let text = String(repeating: part, count: 20_000 / part.utf8.count)
        let found = set.matches([text], ids: [], in: .home, at: 0).first?.keywords.count ?? 0
        // Words of a letter are not whole in the text of that letter alone.
        #expect(found == (part == "a" ? 500 : 1000), "\(found)")
    }

    private static func set(_ filters: [Filter]) -> FilterMatcher { FilterMatcher(filters) }

    private static func filter(_ id: Int64, keywords: [(String, Bool)] = []) -> Filter {
        Filter(
            id: id, title: "filter \(id)", contexts: Filter.Context.allCases,
            keywords: keywords.enumerated().map {
                Filter.Keyword(id: Int64($0.offset), text: $0.element.0, isWholeWord: $0.element.1)
            })
    }
}
