import FeedCore
import Foundation
import TestKit
import Testing

@testable import FeedWeb

/// Whatever people write, the feeds are well-formed and contain it as text.
@Suite(.hangLimit)
struct HostileFeedTests {
    static let texts =
        [
            "]]>", "<![CDATA[x]]>", "<script>alert(1)</script>", "\"'&amp;<b>", "&#0;&#x1B;&nbsp;",
            "a\u{0}b\u{1B}[31mc\u{7}", "\u{9B}31m\u{85}", "\u{600}<b>\u{600}\"\u{600}]]>", "\u{202E}evil\u{2066}x",
            "\r\n\t ", "e\u{301}\u{600}", "👩‍👩‍👧‍👦<🇩🇪", "<!DOCTYPE a [<!ENTITY b \"c\">]>&b;", "--><!--",
            "<?xml?>", "\"~/x", "",
        ] + [[0xEF, 0xBF, 0xBE, 0xEF, 0xBF, 0xBF, 0xEF, 0xB7, 0x90]].map { String(decoding: $0, as: UTF8.self) }

    /// A feed with a text everywhere.
    private static func page(_ text: String) -> FeedPage {
        var account = Account(id: 1, username: "ada", displayName: text, createdAt: 0)
        account.note = text
        var status = Status(
            id: 7, account: account, createdAt: 1000, editedAt: 2000, language: text, text: text,
            content: "<p>" + text.escapedHTML + "</p>", spoilerText: text, sensitive: true, tags: [text])
        status.inReplyToID = 5
        status.media = [
            MediaAttachment(id: 1, kind: .image, format: .png, path: "/media/k/a.png", description: text, size: 3)
        ]
        status.poll = Poll(id: 7, options: [.init(title: text)], expiresAt: 5000)
        let ids = FeedIdentifier(namespace: UUID())
        var page = FeedPage(
            id: ids.site(), title: text, summary: text, language: FeedText.language(text), home: "http://feed.test/",
            address: "http://feed.test/feed", author: .init(account, base: "http://feed.test"), updated: 0)
        page.entries = [FeedItem(status, ids, EmojiSet(), base: "http://feed.test")]
        return page
    }

    @Test(arguments: texts)
    func feedsAreWellFormed(text: String) throws {
        let page = Self.page(text)
        let atom = try XMLNode.parse(Data(page.bytes(.atom)))
        let entry = try #require(atom["entry"])
        #expect(entry["content"]?.text == page.entries[0].html && entry.attributes["xml:lang"] == nil)
        let rss = try XMLNode.parse(Data(page.bytes(.rss)))
        let item = try #require(rss["channel"]?["item"])
        #expect(item.text(of: text.isEmpty ? "description" : "content:encoded") == page.entries[0].html)
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(page.bytes(.json)))
        #expect(json["items"]?[0]?["content_html"]?.text == page.entries[0].html)
        #expect(json["items"]?[0]?["title"]?.text == page.entries[0].title)
    }

    /// As HTML, the text is only text.
    @Test(arguments: texts)
    func contentIsInert(text: String) {
        let entry = Self.page(text).entries[0]
        for tag in ["<script", "<b>", "<![CDATA", "<!", "<?"] { #expect(!entry.html.utf8.contains(tag.utf8), "\(tag)") }
        for line in [entry.title, entry.author.name, entry.warning ?? "", entry.attachments[0].text ?? ""] {
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
            #expect(line.unicodeScalars.allSatisfy { !(0x202A...0x202E).contains($0.value) })
            #expect(line.unicodeScalars.allSatisfy { !(0x2066...0x2069).contains($0.value) })
        }
        #expect(!entry.author.name.isEmpty && !entry.title.isEmpty)
    }

    /// The writer alone keeps XML well-formed.
    @Test(arguments: texts)
    func writerLeavesOutWhatXMLForbids(text: String) throws {
        var xml = XMLWriter(capacity: 100)
        xml.element("a", ["b": text]) { $0.text("c", text) }
        let node = try XMLNode.parse(Data(xml.bytes))
        let expected = String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    !($0.value < 0x20 && $0 != "\t" && $0 != "\n" || (0x7F..<0xA0).contains($0.value)
                        || $0.value == 0xFFFE || $0.value == 0xFFFF)
                }))
        #expect(node.attributes["b"].map { Array($0.utf8) } == Array(expected.utf8))
        #expect(node.text(of: "c").map { Array($0.utf8) } == Array(expected.utf8))
    }

    @Test func titlesAreShort() {
        let long = String(repeating: "word ", count: 60)
        #expect(FeedText.title(long) == String(repeating: "word ", count: 15) + "word…")
        #expect(FeedText.title(String(repeating: "w", count: 81)) == String(repeating: "w", count: 80) + "…")
        #expect(FeedText.title(String(repeating: "w", count: 80)) == String(repeating: "w", count: 80))
        #expect(FeedText.title("a\n\n  b\u{2028}c ") == "a b c")
        // A single character of many scalars.
        let stacked = "e" + String(repeating: "\u{301}", count: 5000)
        #expect(FeedText.title(stacked).unicodeScalars.count <= 321)
    }

    @Test func languagesAreTags() {
        for tag in ["de", "pt-BR", "zh-Hant-TW"] { #expect(FeedText.language(tag) == tag) }
        for text in ["", "x", "deutsch", "de_DE", "de-", "<de>", "de-\u{600}"] {
            #expect(FeedText.language(text) == nil)
        }
        #expect(FeedText.language(nil) == nil)
    }

    /// The expected id is that of another implementation, Python's `uuid.uuid5`.
    @Test func idsAreNameBased() throws {
        let ids = FeedIdentifier(namespace: try #require(UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8")))
        let id = ids.status(7)
        #expect(id == ids.status(7) && id != ids.status(8) && id != ids.replies(to: 7) && id != ids.account(7))
        #expect(id.contains(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/))
        #expect(id == "urn:uuid:d2f441b6-5335-586b-9213-e67c45c44464")
    }
}
