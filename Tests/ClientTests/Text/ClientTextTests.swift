import Foundation
import TestKit
import Testing

@testable import FeedClientKit

@Suite(.hangLimit)
struct ClientTextTests {
    /// Commas, brackets and quotes in strings are text.
    @Test(arguments: [
        ("{}", 2), ("[1,2]", 3), (#"{"a":[1,{}],"b":"[,{\",\\"}"#, 6), (#"[",",""]"#, 3), (#"["\\",1]"#, 3),
    ])
    func valuesAreCounted(_ text: String, count: Int) {
        #expect(JSONText.hasValues(atMost: count, text.utf8) && !JSONText.hasValues(atMost: count - 1, text.utf8))
    }

    @Test(arguments: [
        ("<p>a</p><p>b<br>c</p>", "a\n\nb\nc"), ("a &amp; b &lt;i&gt; &#39;&#x41; &nope; &", "a & b <i> 'A &nope; &"),
        ("<a href=\"x\" class=\"y\">@<span>ada</span></a> hi", "@ada hi"),
        ("<ul><li>one</li><li>two</li></ul>", "• one\n• two"),
        ("unfinished <b", "unfinished <b"), ("<p>\u{301}hello</p><p>world</p>", "\u{301}hello\n\nworld"), ("", ""),
        ("<p></p>", ""), ("a<br/>b<br />c", "a\nb\nc"),
        ("<a href=\"https://\u{301}a.example\">x</a>", "x (https://\u{301}a.example)"),
        ("\u{600}<br>\u{600}<span>\u{301}x</span>\u{600}&lt;", "\u{600}\n\u{600}\u{301}x\u{600}<"),
    ])
    func htmlIsConvertedToText(html: String, text: String) { #expect(PlainText.from(html: html) == text) }

    @Test(
        arguments: [
            ("[]", []), ("[ ]", []), ("[1, {\"a\":[1,2]} ,\"x,]\" , null]", ["1", "{\"a\":[1,2]}", "\"x,]\"", "null"]),
            ("[{\"a\":\"\\\"]\"},{}]", ["{\"a\":\"\\\"]\"}", "{}"]),
        ] as [(String, [String])])
    func arraysAreSplitIntoElements(json: String, parts: [String]) {
        let found = JSONText.elements(of: Array(json.utf8)).map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        }
        #expect(found == parts)
    }

    @Test func jsonOnOneLineIsEquivalent() throws {
        let json = "{ \"a\" : \"x \\\" \\\\\",\n\"b\": [1 , \"\u{202E}\u{9B}é\"] }"
        let line = JSONText.line(Array(json.utf8))
        #expect(!line.contains("\n") && line.contains("\\u202e\\u009bé"))
        let one = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
        let other = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
        #expect(one == other)
    }

    @Test func incompleteClassicFeedsAreAccepted() throws {
        let json = """
            {"total":2,"statuses":[{"Id":"7","text":null,"createdAt":5,"user":{"Id":1.5,"name":"Ada","extra":{}}},{"Id":8,"user":null},{}]}
            """
        let feed = try ClassicFeed(json: Data(json.utf8))
        #expect(feed.statuses.map(\.id) == ["7", "8", ""])
        #expect(feed.statuses[0].text == "" && feed.statuses[0].createdAt == "5" && feed.statuses[0].user.id == "1.5")
        #expect(feed.statuses[1].user.name == "")
        #expect(try ClassicFeed(json: Data("{}".utf8)).statuses.isEmpty)
        #expect(throws: FeedClientError.self) { try ClassicFeed(json: Data("[]".utf8)) }
    }

    @Test func cityAndBadgeOfAClassicStatusAreFields() throws {
        let json = """
            {"statuses":[{"Id":1,"mbtype":"http://feed.test/badges/vip.2.png","user":{"Id":2,"name":"Ada","city":"<Hull>"}},
            {"Id":2,"mbtype":"http://feed.test/","user":{"Id":3,"name":"Bob"}}]}
            """
        let accounts = try ClassicFeed(json: Data(json.utf8)).statuses.map(\.entity.account)
        #expect(accounts[0].fields?.map(\.name) == ["city", "badge"])
        #expect(accounts[0].fields?.map(\.value) == ["&lt;Hull&gt;", "vip"])
        #expect(accounts[1].fields == [])
    }

    /// The text of a classic status is not HTML, even if a mark forms one character with a bracket or an ampersand.
    @Test(arguments: ["a <b>c</b> &lt; d", "\u{600}<script>a</script>", "<\u{301}b>\u{301} \u{600}&amp;", "a\r\nb"])
    func classicTextIsEscaped(text: String) throws {
        let json = try JSONSerialization.data(withJSONObject: ["statuses": [["Id": "1", "text": text]]])
        let content = try #require(try ClassicFeed(json: json).statuses.first).entity.content
        let lines = PlainText.from(html: content).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.joined(separator: "\r\n").unicodeScalars.elementsEqual(text.unicodeScalars), "\(content)")
    }

    @Test(arguments: [
        ("feed.example", "https://feed.example"), ("http://a:8080/", "http://a:8080"),
        ("localhost:1", "http://localhost:1"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"), ("https://a/b//", "https://a/b"),
    ])
    func validServerAddressesAreNormalized(text: String, address: String) throws {
        #expect(try ServerAddress(text).description == address)
    }

    @Test(arguments: ["", "ftp://x", "http://", "https://u:p@x", "https://x?y", "a b"])
    func invalidServerAddressesAreRejected(text: String) {
        #expect(throws: FeedClientError.self) { try ServerAddress(text) }
    }

    @Test func originsAreCompared() throws {
        let server = try ServerAddress("https://feed.example")
        #expect(server.isOrigin(of: "https://FEED.example:443/x"))
        for other in ["http://feed.example/x", "https://feed.example:444/", "https://feed.example.evil/", "nonsense"] {
            #expect(!server.isOrigin(of: other))
        }
    }
}
