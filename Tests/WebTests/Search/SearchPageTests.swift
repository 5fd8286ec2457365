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
            #expect(try await api.send(.get, "/").text.contains(#"href="/search""#))
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
        #expect(SearchMarks.marked(html, SearchQuery(query)) == marked)
    }
}
