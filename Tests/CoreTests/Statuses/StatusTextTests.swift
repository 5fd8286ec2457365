import FeedCore
import TestKit
import Testing

/// A text and its expected rendering.
struct TextCase: CustomTestStringConvertible, Sendable {
    let text: String
    let html: String
    var tags: [String] = []
    var mentions: [String] = []

    var testDescription: String { text }
}

/// ``StatusTextParser`` and ``StatusHTML``.
@Suite(.hangLimit)
struct StatusTextTests {
    static let known = ["ada": Status.Mention(id: 1, username: "Ada"), "bob": Status.Mention(id: 2, username: "bob")]
    static let rel = #" rel="nofollow noopener noreferrer" target="_blank""#

    static func link(_ address: String) -> String { "<a href=\"\(address)\"\(rel)>\(address)</a>" }
    static func mention(_ name: String) -> String {
        "<a href=\"~/@\(name)\" class=\"u-url mention\">@<span>\(name)</span></a>"
    }
    static func tag(_ name: String, _ path: String) -> String {
        "<a href=\"~/tags/\(path)\" class=\"mention hashtag\" rel=\"tag\">#<span>\(name)</span></a>"
    }

    static let cases: [TextCase] = [
        TextCase(text: "plain", html: "<p>plain</p>"),
        TextCase(text: "a\nb", html: "<p>a<br>b</p>"),
        TextCase(text: "a\n\n\nb\r\n\r\nc", html: "<p>a</p><p>b</p><p>c</p>"),
        TextCase(text: "\n\na\n\n", html: "<p>a</p>"),
        TextCase(text: "a\rb\r\nc\r\rd\n\re\r", html: "<p>a<br>b<br>c</p><p>d</p><p>e</p>"),
        TextCase(
            text: "https://a.org/\r#b\r", html: "<p>\(link("https://a.org/"))<br>\(tag("b", "b"))</p>", tags: ["b"]),
        TextCase(text: "<script>\"'&</script>", html: "<p>&lt;script&gt;&quot;&#39;&amp;&lt;/script&gt;</p>"),
        TextCase(text: "\"~/@ada", html: "<p>&quot;~/@ada</p>"),
        TextCase(text: "hi @ada!", html: "<p>hi \(mention("Ada"))!</p>", mentions: ["Ada"]),
        TextCase(text: "@ADA @bob", html: "<p>\(mention("Ada")) \(mention("bob"))</p>", mentions: ["Ada", "bob"]),
        TextCase(text: "@ada @ada", html: "<p>\(mention("Ada")) \(mention("Ada"))</p>", mentions: ["Ada"]),
        TextCase(text: "@nobody", html: "<p>@nobody</p>"),
        TextCase(text: "me@ada.org @ada@example.org x/@ada", html: "<p>me@ada.org @ada@example.org x/@ada</p>"),
        TextCase(
            text: "@ada@feed.test:8080, @Bob@FEED.test:8080. @ADA@feed.test:8080:",
            html: "<p>\(mention("Ada")), \(mention("bob")). \(mention("Ada")):</p>", mentions: ["Ada", "bob"]),
        TextCase(text: "@nobody@feed.test:8080", html: "<p>@nobody@feed.test:8080</p>"),
        TextCase(
            text: "@ada@feed.test @ada@feed.test:80 @ada@feed.test:8080@ @ada@ me@ada@feed.test:8080",
            html: "<p>@ada@feed.test @ada@feed.test:80 @ada@feed.test:8080@ @ada@ me@ada@feed.test:8080</p>"),
        TextCase(text: "，@ada，", html: "<p>，\(mention("Ada"))，</p>", mentions: ["Ada"]),
        TextCase(text: "#bikes", html: "<p>\(tag("bikes", "bikes"))</p>", tags: ["bikes"]),
        TextCase(
            text: "#Bikes #bikes", html: "<p>\(tag("Bikes", "bikes")) \(tag("bikes", "bikes"))</p>", tags: ["Bikes"]),
        TextCase(text: "#1 #_ a#b &#38; /#x", html: "<p>#1 #_ a#b &amp;#38; /#x</p>"),
        TextCase(
            text: "#烹饪 #садоводство",
            html: "<p>\(tag("烹饪", "%E7%83%B9%E9%A5%AA")) \(tag("садоводство", sadovodstvo))</p>",
            tags: ["烹饪", "садоводство"]),
        TextCase(text: "see https://a.org/x?y=1&z=2.", html: "<p>see \(link("https://a.org/x?y=1&amp;z=2")).</p>"),
        TextCase(text: "(https://a.org/b_(c))", html: "<p>(\(link("https://a.org/b_(c)")))</p>"),
        TextCase(
            text: "https://a.org/#frag #b", html: "<p>\(link("https://a.org/#frag")) \(tag("b", "b"))</p>", tags: ["b"]),
        TextCase(text: "https://a.org/@ada", html: "<p>\(link("https://a.org/@ada"))</p>"),
        TextCase(text: "http:// https://. javascript:alert(1)", html: "<p>http:// https://. javascript:alert(1)</p>"),
        TextCase(text: "https://a.org/\"onclick=x", html: "<p>\(link("https://a.org/"))&quot;onclick=x</p>"),
        TextCase(text: "看https://a.org/。好", html: "<p>看\(link("https://a.org/"))。好</p>"),
        TextCase(text: "👩‍👩‍👧 e\u{301}\u{202E}x", html: "<p>👩‍👩‍👧 e\u{301}\u{202E}x</p>"),
        TextCase(
            text: "https://a.org/\r\n#b", html: "<p>\(link("https://a.org/"))<br>\(tag("b", "b"))</p>", tags: ["b"]),
        // Marks do not hide what ends a link or begins a name.
        TextCase(
            text: "https://a.org/\"\u{301}onclick=x", html: "<p>\(link("https://a.org/"))&quot;\u{301}onclick=x</p>"),
        TextCase(text: "https://a.org/<\u{FE0F}b>", html: "<p>\(link("https://a.org/"))&lt;\u{FE0F}b&gt;</p>"),
        TextCase(text: "https://a.org/。\u{301}", html: "<p>\(link("https://a.org/"))。\u{301}</p>"),
        TextCase(text: "\u{600}https://a.org/x", html: "<p>\u{600}\(link("https://a.org/x"))</p>"),
        TextCase(text: "https:/\u{301}/a.org", html: "<p>https:/\u{301}/a.org</p>"),
        TextCase(
            text: "\u{600}@ada\u{301} \u{600}#b\u{200D}",
            html: "<p>\u{600}\(mention("Ada"))\u{301} \u{600}\(tag("b", "b"))\u{200D}</p>", tags: ["b"],
            mentions: ["Ada"]),
        // An emoji of several people is not divided.
        TextCase(text: "https://a.org/👩‍👩‍👧", html: "<p>\(link("https://a.org/"))👩‍👩‍👧</p>"),
        TextCase(text: "https://a.org/👍🏽 x", html: "<p>\(link("https://a.org/👍🏽")) x</p>"),
    ]

    static let sadovodstvo = "%D1%81%D0%B0%D0%B4%D0%BE%D0%B2%D0%BE%D0%B4%D1%81%D1%82%D0%B2%D0%BE"

    @Test(arguments: cases)
    func textIsRendered(example: TextCase) {
        let rendered = StatusHTML.render(
            StatusTextParser.parse(example.text, host: "feed.test:8080"), known: Self.known)
        #expect(Array(rendered.html.utf8) == Array(example.html.utf8), "\(rendered.html)")
        #expect(rendered.tags == example.tags)
        #expect(rendered.mentions.map(\.username) == example.mentions)
    }

    @Test(arguments: [
        ("abc", 3), ("https://example.org/a/long/path", 23), ("👩‍👩‍👧", 1), ("a https://a.org b", 27), ("@ada #x", 7),
        ("@ada@feed.test x", 6), ("@ada@b.test x", 13),
        ("a\rb", 3), ("a\r\nb", 3), ("a\nb", 3), ("a\r\rb", 4),
    ])
    func lengthIsCounted(text: String, length: Int) {
        #expect(StatusHTML.length(of: StatusTextParser.parse(text, host: "feed.test"), linkLength: 23) == length)
    }

    /// Text that could make a parser scan repeatedly, which would take minutes.
    @Test(arguments: ["#", "@", "h", "https://", "a@", "(", "https://a(", "http://(", "\n"])
    func renderingOfRepetitiveTextIsBounded(piece: String) {
        let text = String(repeating: piece, count: 20_000 / piece.count)
        let rendered = StatusHTML.render(StatusTextParser.parse(text), known: Self.known)
        #expect(rendered.html.utf8.count < 400_000)
    }

    @Test func parsingPreservesTheText() {
        for example in Self.cases {
            let back = StatusTextParser.parse(example.text, host: "feed.test:8080").map { segment in
                switch segment {
                case .plain(let text), .link(let text): String(text)
                case .mention(let name): "@" + name
                case .hashtag(let tag): "#" + tag
                }
            }
            #expect(back.joined() == example.text)
        }
    }

    /// Links in texts; each is followed by text that is not part of it.
    @Test(
        arguments: [
            ("https://a.example/entry/foo_", " x"), ("https://a.example/_", ""), ("https://a.example/foo_", "."),
            ("https://foo.example", "'s plan"), ("https://a.example", "!b"), ("https://a.example", "*b"),
            ("https://a.example", "，b"), ("https://a.example", "’s"), ("https://a.example", ",b"),
            ("https://a.example", "%20"), ("https://a.example", "\\b"), ("https://a.example", "(b)"),
            ("https://a.example", "=b"), ("https://a.example", "."), ("https://a.example", "_ x"),
            ("https://a.example", "-"), ("https://a.example/", "."), ("https://a.example", "?"),
            ("https://a.example./b", ""), ("https://a_b.example/", ""), ("https://localhost", ":"),
            ("https://localhost:8080", ""), ("https://localhost:8080", "x"), ("https://a.example:80/b", ")"),
            ("https://a.example:80?x=", " y"), ("https://a.example?x=(y)", ","), ("https://a.example#b", "."),
            ("http://[::1]:8080/b", ""), ("http://[::1]", "x"), ("https://例え.テスト/あ", "」"),
            ("https://a.example/b'c", "'"), ("https://a.example/b[1]", "]"), ("https://a.example/b", "~"),
            ("https://a.example/b", "| c"), ("https://a.example/b?c=d&e=", ""), ("HTTPS://A.example/B", ""),
            ("https://a.example/x:y@z", ""), ("https://a.example", ":b"),
        ] as [(String, String)])
    func linkEnds(link: String, rest: String) {
        let segments = StatusTextParser.parse(link + rest)
        #expect(segments.first == .link(link[...]))
        #expect(!segments.dropFirst().contains { if case .link = $0 { true } else { false } })
    }

    /// Texts that are not links, because they have no host, or because it is not what it seems to be.
    @Test(arguments: [
        "https://", "https://-a.example", "https://[::1", "https://[x]", "https://ada@a.example/",
        "https://ada:secret@a.example/", "https://ada:123@a.example", "https://'a.example", "xhttps://a.example",
    ])
    func textWithoutHostIsNotALink(text: String) {
        #expect(!StatusTextParser.parse(text).contains { if case .link = $0 { true } else { false } })
    }

    /// A link counts as 23 characters, so its length needs its own limit.
    @Test func overlongURLIsNotALink() {
        let address = "https://example.org/" + String(repeating: "a", count: 2048)
        #expect(StatusTextParser.parse(address) == [.plain(address[...])])
        #expect(StatusTextParser.parse(String(address.prefix(2048))).count == 1)
        #expect(StatusTextParser.parse(String(address.prefix(2048))) == [.link(address.prefix(2048))])
    }
}
