import FeedAPI
import TestKit
import Testing

@Suite(.hangLimit)
struct SearchQueryTests {
    private typealias Term = SearchQuery.Term

    private static func not(_ kind: Term.Kind) -> Term { Term(kind, isExcluded: true) }

    @Test func termsAreParsed() {
        let cases: [(String, [Term])] = [
            ("", []), (" - * \"\" !!! 🎉", []), ("Swift", [Term(.word("swift"))]),
            ("a  b\ta", [Term(.word("a")), Term(.word("b"))]), ("wor*", [Term(.prefix("wor"))]),
            ("wo*", [Term(.word("wo"))]), ("foo-bar*", [Term(.word("foo")), Term(.prefix("bar"))]),
            ("don't", [Term(.phrase(["don", "t"]))]), ("\"two words\"", [Term(.phrase(["two", "words"]))]),
            ("“two words„x", [Term(.phrase(["two", "words"])), Term(.word("x"))]),
            ("\"wor*\"", [Term(.word("wor"))]), ("\"not closed", [Term(.phrase(["not", "closed"]))]),
            ("-no", [Self.not(.word("no"))]),
            ("-\"no no\" yes", [Self.not(.phrase(["no", "no"])), Term(.word("yes"))]),
            ("-wor*", [Self.not(.prefix("wor"))]), ("-a-bcd*", [Self.not(.phrase(["a", "bcd"]))]),
            ("well - done", [Term(.word("well")), Term(.word("done"))]), ("x-y", [Term(.phrase(["x", "y"]))]),
            ("東", [Term(.prefix("東"))]), ("東京", [Term(.word("東京"))]), ("東京*", [Term(.word("東京"))]),
            ("東京都", [Term(.phrase(["東京", "京都"]))]),
            ("iPhone東京", [Term(.phrase(["iphone", "東京"]))]),
            ("iPhone東", [Term(.word("iphone")), Term(.prefix("東"))]), ("-a東", [Self.not(.phrase(["a", "東"]))]),
            ("\"東京 x\"", [Term(.phrase(["東京", "京", "x"]))]), ("#Café", [Term(.word("cafe"))]),
            ("https://example.org", [Term(.phrase(["https", "example", "org"]))]),
            // Unknown operators and values are words.
            ("foo:bar", [Term(.phrase(["foo", "bar"]))]), ("has:cheese", [Term(.phrase(["has", "cheese"]))]),
            ("is:", [Term(.word("is"))]), ("before:2026-02-30", [Term(.phrase(["before", "2026", "02", "30"]))]),
            ("from:ä", [Term(.phrase(["from", "a"]))]), ("\"from:me\"", [Term(.phrase(["from", "me"]))]),
            ("language:x", [Term(.phrase(["language", "x"]))]), ("from: me", [Term(.word("from")), Term(.word("me"))]),
        ]
        for (text, terms) in cases {
            let query = SearchQuery(text)
            #expect(query.terms == terms && query.facts.isEmpty && query.before == nil, "\(text)")
            #expect(query.isEmpty == terms.isEmpty, "\(text)")
        }
    }

    @Test func operatorsAreParsed() throws {
        let ada = try #require(AccountHandle("ada"))
        let far = try #require(AccountHandle("ada@far.example"))
        let cases: [(String, [SearchOperator])] = [
            ("from:ada", [.init(.from(ada))]), ("FROM:@ada", [.init(.from(ada))]), ("from:me", [.init(.fromMe)]),
            ("-from:@ada@FAR.example", [.init(.from(far), isExcluded: true)]), ("has:Media", [.init(.has(.media))]),
            ("has:image has:video has:image", [.init(.has(.image)), .init(.has(.video))]),
            (
                "has:audio -has:poll has:link",
                [.init(.has(.audio)), .init(.has(.poll), isExcluded: true), .init(.has(.link))]
            ),
            ("is:reply -is:sensitive", [.init(.is(.reply)), .init(.is(.sensitive), isExcluded: true)]),
            ("language:pt-BR", [.init(.language("pt-br"))]),
        ]
        for (text, facts) in cases {
            let query = SearchQuery(text)
            #expect(query.facts == facts && query.terms.isEmpty && !query.isEmpty, "\(text)")
        }
    }

    /// A date stands for a whole day in UTC.
    @Test(
        arguments: [
            ("before:1970-01-11", 864_000_000, nil), ("after:1970-01-11", nil, 950_400_000),
            ("-before:1970-01-11", nil, 864_000_000), ("-after:1970-01-11", 950_400_000, nil),
            ("before:1970-01-11T00:00:01Z after:1970-01-01T00:00:02Z", 864_001_000, 2000),
            ("before:1970-01-11 before:1970-01-03 after:1970-01-01 after:1970-01-02", 172_800_000, 172_800_000),
        ] as [(String, Int64?, Int64?)])
    func timesAreParsed(text: String, before: Int64?, after: Int64?) {
        let query = SearchQuery(text)
        #expect(query.before == before && query.after == after && query.terms.isEmpty && !query.isEmpty)
    }

    @Test func queryIsBounded() {
        let words = (0..<1000).map { "word\($0)" }.joined(separator: " ")
        #expect(SearchQuery(words).terms.count == SearchQuery.maximumTerms)
        #expect(SearchQuery(String(repeating: "-", count: 100_000)).isEmpty)
        #expect(SearchQuery(String(repeating: "\"", count: 100_000)).isEmpty)
    }

    @Test func termsAreFoundInTexts() {
        let cases: [(String, [String], Bool)] = [
            ("kite", ["Kites are up"], false), ("kit*", ["Kites are up"], true), ("are KITES", ["Kites are up"], true),
            ("\"kites are\"", ["Kites are up"], true), ("\"are kites\"", ["Kites are up"], false),
            ("\"up down\"", ["up", "down"], false), ("up down", ["up", "down"], true),
            ("up -down", ["up", "down"], false),
            ("up -\"down under\"", ["up", "down"], true), ("京", ["東京"], true), ("東京都", ["私は東京都に"], true),
            ("東京都", ["東京 京都"], false), ("-up", [], true), ("cafe", ["#Cafe\u{301}"], true), ("up", [], false),
        ]
        for (query, texts, isFound) in cases { #expect(SearchQuery(query).matches(texts) == isFound, "\(query)") }
    }

    @Test(
        arguments: [
            ("cafe", "Un CAFÉ, deux cafés", "Un [CAFÉ], deux cafés"), ("caf*", "Un CAFÉ, cafés", "Un [CAFÉ], [cafés]"),
            ("\"a b\" b", "b a b a c", "[b] [a b] a c"), ("東京都", "在東京都內", "在[東京都]內"), ("京", "東京都", "東[京都]"),
            ("-x y", "x y", "x [y]"), ("e", "e\u{301} 🎉e", "[e\u{301}] 🎉[e]"), ("up from:me", "", ""),
        ] as [(String, String, String)])
    func matchesAreMarked(query: String, text: String, marked: String) {
        var result = text
        for range in SearchQuery(query).matches(in: text).reversed() {
            result.replaceSubrange(range, with: "[" + text[range] + "]")
        }
        #expect(result == marked)
    }

    @Test(
        arguments: [
            ("has:bogus", "has:bogus"), ("boat -IS:bogus", "IS:bogus"), ("before:2023-13-01", "before:2023-13-01"),
            ("has:media is:reply from:ada", nil), ("\"has:bogus\"", nil), ("the question is: what", nil),
            ("12:30 https://feed.test", nil), ("", nil),
        ] as [(String, String?)])
    func unknownOperatorsAreFound(query: String, unknown: String?) {
        #expect(SearchQuery.unknownOperator(in: query) == unknown)
    }

    /// Any query is understood, and what it finds in a text can be marked.
    @Test func anyTextIsAQuery() {
        var random = SplitMix64(seed: Soak.seed)
        for _ in 0..<Soak.rounds(3000, soaking: 100_000) {
            let text = SearchSamples.text(using: &random)
            let query = SearchQuery(text)
            #expect(query.terms.count + query.facts.count <= SearchQuery.maximumTerms + 1)
            let other = SearchSamples.text(using: &random)
            let ranges = query.matches(in: other)
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            #expect(ranges.allSatisfy { !$0.isEmpty })
        }
    }
}
