import FeedTestSupport
import Foundation
import HTTPTypes
import TestKit
import Testing

@testable import FeedAPI
@testable import FeedWeb

/// The page on which visitors search.
@Suite(.hangLimit)
struct SearchPageTests {
    private static func ids(_ page: WebResponse) -> [String] {
        page.text.matches(of: /data-id="(\d+)"/).map { String($0.1) }
    }

    @Test func visitorsFindPublicStatuses() async throws {
        try await WebAPI.run { api in
            let corpus = try await SearchCorpus(api)
            let page = try await api.send(.get, "/search?q=fox")
            #expect(page.status == 200)
            #expect(try Self.ids(page) == ["unlisted", "careful", "dog"].map(corpus.id))
            #expect(page.text.contains("quick brown <mark>fox</mark> jumps"))
            #expect(page.text.contains(#"name="q" value="fox""#) && page.text.contains(#"content="noindex""#))
            let first = try await api.send(.get, "/search?q=fox*&limit=4")
            let next = try #require(first.text.firstMatch(of: /href="(\/search\?[^"]*max_id=\d+)"/))
            let second = try await api.send(.get, String(next.1).replacing("&amp;", with: "&"))
            #expect(
                try Self.ids(first) + Self.ids(second)
                    == [
                        "unlisted", "careful", "reply", "garden", "quick", "dog",
                    ].map(corpus.id))
            #expect(try await api.send(.get, "/search?q=zebra").text.contains("Nothing found."))
            let bogus = try await api.send(.get, "/search?q=fox%20has:bo%3Cgus").text
            #expect(bogus.contains("“has:bo&lt;gus” has an unknown value"))
            #expect(!page.text.contains("is not a known operator"))
            #expect(try await api.send(.get, "/").text.contains(#"href="/search""#))
        }
    }

    @Test func olderStatusesMeetTheSameConditions() async throws {
        try await WebAPI.run { api in
            let corpus = try await SearchCorpus(api)
            let (ada, dan) = (try #require(corpus.people["ada"]), try #require(corpus.people["dan"]))
            try await api.must(.post, "/api/v1/accounts/\(ada.id)/follow", as: dan)
            for (condition, keys) in [
                ("account_id=\(ada.id)", "private quick dog"), ("following=true", "private quick dog"),
                ("min_id=\(try corpus.id("garden"))", "private unlisted careful reply"),
            ] {
                let first = try await api.send(.get, "/search?q=fox*&limit=1&" + condition, as: dan)
                let link = try #require(first.text.firstMatch(of: /href="(\/search\?[^"]*max_id=\d+)"/))
                let second = try await api.send(.get, String(link.1).replacing("&amp;", with: "&"), as: dan)
                let expected = try SearchCorpus.newestFirst(keys).map(corpus.id)
                #expect(Self.ids(first) + Self.ids(second) == expected, "\(condition)")
            }
        }
    }

    @Test func membersFindWhatTheyMaySeeWithPeopleAndHashtags() async throws {
        try await WebAPI.run { api in
            let (ada, bob) = (try await api.person("ada"), try await api.person("walker"))
            try await api.must(.post, "/api/v1/accounts/\(bob.id)/follow", as: ada)
            let open = try await api.post("a walk #walking", by: bob)
            let closed = try await api.post("a walk at night", by: bob, "private")
            let visit = try await api.send(.get, "/search?q=walk*")
            let search = try await api.send(.get, "/search?q=walk*", as: ada)
            #expect(Self.ids(visit) == [open] && Self.ids(search) == [closed, open])
            for page in [visit, try await api.send(.get, "/search?q=walk", as: ada)] {
                #expect(!page.text.contains("Nothing found."))
            }
            let names = try await api.send(.get, "/search?q=walk", as: ada).text
            #expect(names.contains(#"class="author" href="/@walker""#) && names.contains(#"href="/tags/walking""#))
            #expect(try await api.send(.get, "/search?q=%40walker", as: ada).text.contains(#"href="/@walker""#))
        }
    }

    @Test func peopleAndHashtagsArePaged() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            for number in 0..<7 { _ = try await api.person("walker\(number)") }
            _ = try await api.post((0..<12).map { "#trail\($0)" }.joined(separator: " "), by: ada)
            for (text, kind, link, total) in [
                ("walker", "accounts", /class="author" href="(\/@walker\d)"/, 7),
                ("trail", "hashtags", /<a href="(\/tags\/trail\d+)"><bdi>/, 12),
            ] {
                let overview = try await api.send(.get, "/search?q=\(text)", as: ada).text
                #expect(overview.contains("href=\"/search?q=\(text)&amp;type=\(kind)\""), "\(kind)")
                var (found, next): ([String], String?) = ([], "/search?q=\(text)&type=\(kind)&limit=5")
                while let path = next {
                    let page = try await api.send(.get, path, as: ada).text
                    found += page.matches(of: link).map { String($0.1) }
                    let older = page.firstMatch(of: /href="(\/search[^"]*offset=[^"]*)"/)
                    next = older.map { String($0.1).replacing("&amp;", with: "&") }
                }
                #expect(found.count == total && Set(found).count == total, "\(kind): \(found)")
                #expect(try await api.send(.get, "/search?q=\(text)&type=\(kind)&offset=5").status == 401)
            }
            #expect(try await api.send(.get, "/search?q=a&type=other", as: ada).status == 400)
        }
    }

    /// Without words, the page explains what one can write.
    @Test(arguments: ["", "?q=", "?q=%F0%9F%8E%89", "?q=+-+"]) func emptySearchShowsHelp(query: String) async throws {
        try await WebAPI.run { api in
            let page = try await api.send(.get, "/search" + query)
            #expect(page.status == 200 && page.text.contains("from:name"))
            #expect(page.text.contains(#"<form class="search" action="/search""#))
        }
    }

    @Test func hostileQueriesAreHarmless() async throws {
        try await WebAPI.run { api in
            let page = try await api.send(.get, "/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
            #expect(page.status == 200 && !page.text.contains("<script>alert"))
            let page2 = try await api.send(.get, "/search?q=" + String(repeating: "x", count: 501))
            #expect(page2.status == 422)
            #expect(try await api.send(.get, "/search?q=%00").status == 422)
            #expect(try await api.send(.get, "/search?q=a&max_id=x").status == 400)
        }
    }

    @Test(
        arguments: [
            ("a", "<p>a b</p>", "<p><mark>a</mark> b</p>"), ("p", "<p>b</p>", "<p>b</p>"),
            ("amp", "a &amp; amp", "a &amp; <mark>amp</mark>"),
            ("b", "<a href=\"~/b\">b</a>", "<a href=\"~/b\"><mark>b</mark></a>"),
            ("x", "\u{600}<p>x", "\u{600}<p><mark>x</mark>"), ("x", "x &lt x", "<mark>x</mark> &lt x"),
            ("x", "x <", "<mark>x</mark> <"),
            ("cafe", "#<span>Café</span>", "#<span><mark>Café</mark></span>"),
        ])
    func onlyTextIsMarked(query: String, html: String, marked: String) {
        #expect(SearchHighlighter.marked(html, SearchQuery(query)) == marked)
    }
}
