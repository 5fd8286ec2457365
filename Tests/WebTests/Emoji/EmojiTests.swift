import FeedCore
import FeedStore
import FeedTestSupport
import HTTPTypes
import TestKit
import Testing

@testable import FeedWeb

/// Custom emoji in the API and on pages.
@Suite(.hangLimit)
struct EmojiTests {
    private static func set(_ emoji: CustomEmoji..., in api: WebAPI) async throws {
        #expect(api.test.services.emoji.replace(with: EmojiSet(emoji)))
        try await api.test.store.changes.recordEmojiChange()
    }

    private static func codes(_ entity: JSONValue?) -> [String?] {
        entity?["emojis"]?.list?.map { $0["shortcode"]?.text } ?? []
    }

    @Test func entitiesListTheEmojiTheyContain() async throws {
        try await WebAPI.run { api in
            try await Self.set(SampleEmoji.make("wave"), SampleEmoji.make("cat"), SampleEmoji.make("dog"), in: api)
            let ada = try await api.person("ada")
            let form =
                "display_name=Ada+%3Acat%3A&note=%3Adog%3A+x&fields_attributes%5B0%5D%5Bname%5D=%3Awave%3A"
                + "&fields_attributes%5B0%5D%5Bvalue%5D=y"
            let account = try await api.send(.patch, "/api/v1/accounts/update_credentials", as: ada, .form(form)).json
            #expect(Self.codes(account) == ["cat", "dog", "wave"])
            let id = try await api.post("hi :wave: and :nothing:", by: ada, more: "&spoiler_text=%3Acat%3A")
            let status = try await api.send(.get, "/api/v1/statuses/\(id)").json
            #expect(Self.codes(status) == ["wave", "cat"] && Self.codes(status?["account"]) == ["cat", "dog", "wave"])
            let boost = try await api.send(.post, "/api/v1/statuses/\(id)/reblog", as: ada).json
            #expect(Self.codes(boost) == ["wave", "cat"] && Self.codes(boost?["reblog"]) == ["wave", "cat"])
            let history = try await api.send(.get, "/api/v1/statuses/\(id)/history").json
            #expect(Self.codes(history?[0]) == ["wave", "cat"])
            #expect(status?["content"]?.text?.contains(":wave:") == true)
        }
    }

    @Test func imageIsServedUntilItChanges() async throws {
        try await WebAPI.run { api in
            try await Self.set(SampleEmoji.make("wave"), in: api)
            let list = try await api.send(.get, "/api/v1/custom_emojis").json
            let url = try #require(list?[0]?["url"]?.text)
            let path = String(url.dropFirst("http://feed.test".count))
            let image = try await api.send(.get, path)
            #expect(image.status == 200 && Array(image.body) == SampleMedia.png(1))
            #expect(image.headers[.contentType] == "image/png")
            #expect(image.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(image.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
            let tag = try #require(image.headers[.eTag])
            #expect(try await api.send(.get, path, headers: ["If-None-Match": tag]).status == 304)
            #expect(try await api.send(.get, path, headers: ["Range": "bytes=0-7"]).body.count == 8)
            try await Self.set(SampleEmoji.make("wave", 2), in: api)
            for gone in [path, "/emoji/x/wave.png", path.replacing("wave.png", with: "wave.gif")] {
                #expect(try await api.send(.get, gone).status == 404, "\(gone)")
            }
        }
    }

    @Test func pagesShowEmojiAsImages() async throws {
        try await WebAPI.run { api in
            try await Self.set(SampleEmoji.make("wave"), in: api)
            let ada = try await api.person("ada")
            let form = WebBody.form("display_name=%3Cb%3E+%3Awave%3A&note=note+%3Awave%3A")
            _ = try await api.send(.patch, "/api/v1/accounts/update_credentials", as: ada, form)
            _ = try await api.post(
                "<i> :wave: https://example.org/:wave:/ :cat:", by: ada, more: "&spoiler_text=%3Cu%3E+%3Awave%3A")
            let image = "<img class=\"emoji\" src=\"/emoji/\(SampleEmoji.make("wave").hash)/wave.png\" alt=\":wave:\""
            for path in ["/", "/@ada"] {
                let page = try await api.send(.get, path).text
                #expect(page.contains("&lt;i&gt; \(image)"), "\(path)")
                #expect(page.contains("&lt;b&gt; \(image)") && page.contains("&lt;u&gt; \(image)"), "\(path)")
                #expect(!page.contains("<i>") && !page.contains("<u>"), "\(path)")
                // Neither an address nor an unknown shortcode is replaced.
                #expect(page.contains("href=\"https://example.org/:wave:/\"") && page.contains(":cat:"), "\(path)")
            }
            #expect(try await api.send(.get, "/@ada").text.contains("note \(image)"))
        }
    }

    /// U+0600 forms one character with the bracket of the link behind it.
    @Test func addressOfALinkStaysAnAddress() async throws {
        try await WebAPI.run { api in
            try await Self.set(SampleEmoji.make("wave"), in: api)
            let ada = try await api.person("ada")
            _ = try await api.post("\u{600}http://x.example/:wave:/y", by: ada)
            for path in ["/", "/@ada"] {
                let page = try await api.send(.get, path).text
                #expect(page.utf8.contains("<a href=\"http://x.example/:wave:/y\" rel=".utf8), "\(path)")
            }
        }
    }

    @Test func changeInvalidatesEveryPage() async throws {
        try await WebAPI.run { api in
            let ada = try await api.person("ada")
            _ = try await api.post("hi :wave:", by: ada)
            let paths = ["/api/v1/timelines/public", "/api/v1/timelines/home", "/"]
            var before: [String] = []
            for path in paths { before.append(try await api.send(.get, path, as: ada).text) }
            try await Self.set(SampleEmoji.make("wave"), in: api)
            for (path, old) in zip(paths, before) {
                let new = try await api.send(.get, path, as: ada).text
                #expect(new != old && new.contains("/wave.png"), "\(path)")
            }
        }
    }

    @Test(arguments: [
        ("<p>:a1:</p>", "<p>IMG</p>"),
        ("<a href=\":a1:\" title=\":a1:\">:a1:</a>", "<a href=\":a1:\" title=\":a1:\">IMG</a>"),
        ("x &amp; :a1:&lt;", "x &amp; IMG&lt;"), (":a1", ":a1"), ("<broken :a1:", "<broken :a1:"),
        (":b2: :a1:", ":b2: IMG"), ("<b title=\":a1:\">\u{301}:a1:</b>", "<b title=\":a1:\">\u{301}IMG</b>"),
        ("\u{600}<a href=\":a1:\">:a1:</a>", "\u{600}<a href=\":a1:\">IMG</a>"),
    ])
    func onlyTextBecomesImages(html: String, expected: String) {
        let emoji = EmojiSet([SampleEmoji.make("a1")])
        #expect(emoji.shown(inHTML: html).replacing(/<img [^>]*>/, with: "IMG") == expected)
    }
}
