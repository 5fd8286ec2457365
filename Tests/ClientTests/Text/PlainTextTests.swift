import FeedClientKit
import TestKit
import Testing

/// HTML as other servers send it becomes readable text.
@Suite(.hangLimit)
struct PlainTextTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let html: String
        let text: String

        var testDescription: String { name }
    }

    private static let samples = [
        Sample(
            name: "a link of Mastodon",
            html: """
                <p>See <a href="https://example.com/a/long/path" rel="nofollow noopener"><span class="invisible">https://\
                </span><span class="ellipsis">example.com/a/long</span><span class="invisible">/path</span></a></p>
                """,
            text: "See https://example.com/a/long/path"),
        Sample(
            name: "mention and hashtag",
            html: """
                <p><span class="h-card" translate="no"><a href="https://a.test/@bob" class="u-url mention">@<span>bob</span>\
                </a></span> <a href="https://a.test/tags/x" class="mention hashtag" rel="tag">#<span>x</span></a></p>
                """,
            text: "@bob #x"),
        Sample(
            name: "labelled link", html: #"<a href="https://evil.test/x">bank.example</a>"#,
            text: "bank.example (https://evil.test/x)"),
        Sample(
            name: "encoded link", html: #"<a href="https://ja.test/%E6%97%A5/">ja.test/日</a>"#, text: "ja.test/日"),
        Sample(name: "link that is no address", html: #"<a href="javascript:alert(1)">click</a>"#, text: "click"),
        Sample(
            name: "numbered list", html: "<ol start=\"9\"><li>nine</li>\n <li><p>ten</p></li></ol><p>end</p>",
            text: "9. nine\n10. ten\n\nend"),
        Sample(
            name: "lists in a list",
            html: "<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>",
            text: "• a\n  • b\n    1. c\n• d"),
        Sample(
            name: "unclosed items", html: "<ul><li>one<li>two</ul>after", text: "• one\n• two\n\nafter"),
        Sample(
            name: "quotes", html: "<p>he said</p><blockquote><p>one</p><p>two<br>three</p></blockquote><p>ok</p>",
            text: "he said\n\n> one\n>\n> two\n> three\n\nok"),
        Sample(
            name: "quote in a quote", html: "<blockquote>a<blockquote>b</blockquote></blockquote>",
            text: "> a\n>\n> > b"),
        Sample(
            name: "code", html: "<p>run <code>ls -l</code></p><pre><code>if x {\n  y()\n\n}</code></pre><p>done</p>",
            text: "run `ls -l`\n\n    if x {\n      y()\n\n    }\n\ndone"),
        Sample(
            name: "indented source", html: "<div>\n  <p>one\n  two</p>\n\n  <p>three</p>\n</div>",
            text: "one two\n\nthree"),
        Sample(name: "spaces are kept", html: "<p>a  b<br>  c</p>", text: "a  b\n  c"),
        Sample(
            name: "scripts and styles",
            html:
                "a<script>if (x < 1) alert('<p>')</script>b<STYLE>p{}</STYLE >c<!-- <p>hidden</p> -->d<!doctype html>e",
            text: "abcde"),
        Sample(name: "unfinished script", html: "a<script>b", text: "a"),
        Sample(name: "unfinished comment", html: "a<!-- b", text: "a"),
        Sample(
            name: "custom emoji", html: #"hi <img class="emoji" alt=":blob>cat:" title="x" src="y"> :wave:"#,
            text: "hi :blob>cat: :wave:"),
        Sample(
            name: "entities",
            html: "&eacute;&Uuml;&#8217;&rsquo;&#x1F600;&#146;&euro;&nbsp;x&unknown;&#0;&#xD800;&amp;lt;",
            text: "éÜ’’😀’€ x&unknown;\u{0}&#xD800;&lt;"),
        Sample(
            name: "raised and struck out",
            html: "10<sup>2</sup> H<sub>2</sub>O <del>old</del> <s>gone</s> <ins>new</ins>",
            text: "10^2 H_2O ~~old~~ ~~gone~~ new"),
        Sample(
            name: "formula with its source",
            html: #"<p>so <math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation>"#
                + #"<annotation encoding="text/plain">no</annotation></semantics></math>.</p>"#, text: "so x^2."),
        Sample(
            name: "formula without its source",
            html: "<math><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>+</mo><msup><mi>a</mi><mn>3</mn></msup></math> ok",
            text: "1/2+a^3 ok"),
        Sample(name: "unfinished formula", html: "a <math><mi>x", text: "a x"),
        Sample(name: "no tags", html: "1 < 2 > 1 <3", text: "1 < 2 > 1 <3"),
        Sample(name: "headings and rules", html: "<h2>Title</h2>text<hr>more", text: "Title\n\ntext\n\n---\n\nmore"),
        Sample(
            name: "table", html: "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
            text: "a b\n1 2"),
        Sample(name: "many breaks", html: "a" + String(repeating: "<br>", count: 50) + "b", text: "a\n\n\n\nb"),
    ]

    @Test func addressesWithoutTheirSchemeAreKnown() {
        let html = #"""
            <a href="https://a.test/X/">www.a.test/x</a> <a href="https://b.test">https://b.test</a>
            <a href="https://c.test">d.test</a> <a href="https://e.test/@f" class="mention">e.test/@f</a>
            <a href="javascript:g">g</a> <a href="http://h.test/%E6%97%A5">h.test/日</a> <a href="https://i.test">i.te
            """#
        let known = ["www.a.test/x": "https://a.test/X/", "h.test/日": "http://h.test/%E6%97%A5"]
        #expect(PlainText.bareAddresses(html: html) == known)
    }

    @Test(arguments: samples) func htmlBecomesText(sample: Sample) {
        #expect(PlainText.from(html: sample.html) == sample.text)
    }

    @Test func linkToTheQuotedStatusCanBeLeftOut() {
        let html = #"<p class="quote-inline">RE: <a href="https://a.test/1">a.test/1</a></p><p>my words</p>"#
        #expect(PlainText.from(html: html).hasPrefix("RE: a.test/1\n\nmy"))
        #expect(PlainText.from(html: html, leavesOutQuote: true) == "my words")
        let span = #"words<span class="x quote-inline"><br><span>RE:</span> y</span>!"#
        #expect(PlainText.from(html: span, leavesOutQuote: true) == "words!")
    }

    /// Deep and unfinished markup costs no more than its length, and its text is not lost.
    @Test(arguments: [
        "<blockquote>", "<ul><li>", "<ol>", "<pre>", "<a href='x", "<b ", "<", "&", "</", "<!--", "<svg>", "<math>",
        "<mi>", "<math><msup>", "<sup>",
    ])
    func hostileMarkupIsBounded(part: String) {
        let html = String(repeating: part, count: 20_000)
        #expect(PlainText.from(html: "start " + html).hasPrefix("start"))
        let lines = PlainText.from(html: String(repeating: "<blockquote>", count: 1000) + "a<br>b").split(
            separator: "\n")
        #expect(lines.allSatisfy { $0.count < 100 })
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
}
