import TestKit
import Testing

@testable import FeedTerminal

/// Addresses, mentions and hashtags in plain text, and how they are shown.
@Suite(.hangLimit)
struct TextLinkTests {
    private static func links(_ text: String) -> [String] { TextLink.all(in: text[...]).map { String(text[$0.range]) } }

    @Test(
        arguments: [
            ("see https://a.test/b?c=1#d.", ["https://a.test/b?c=1#d"]),
            ("(https://c.test/page).", ["https://c.test/page"]),
            ("https://a.test/x_(y)", ["https://a.test/x_(y)"]), ("https://a.test/x)y)", ["https://a.test/x)y"]),
            ("HTTP://a.test, http://b.test!", ["HTTP://a.test", "http://b.test"]),
            ("见https://例え.example/中文。字", ["https://例え.example/中文"]), ("「https://a.test」", ["https://a.test"]),
            ("https:// http:/x ftp://x xhttps://y", []), ("<https://a.test>", ["https://a.test"]),
            ("@ada, @bob@b.example. a@b.c @ @.", ["@ada", "@bob@b.example"]),
            ("@akira@例え.example", ["@akira@例え.example"]),
            ("#kites, #2026 #中文! C# a#b #a_1", ["#kites", "#中文", "#a_1"]), ("h #", []), ("", []),
        ] as [(String, [String])])
    func linksAreFound(text: String, links: [String]) { #expect(Self.links(text) == links) }

    /// Whole words only, and the same punctuation is left out.
    @Test func wordsAreFound() {
        let text = "a.test/x, b.test/a.test/x a.test/xy A.TEST/x. (a.test/x)"
        let links = TextLink.all(in: text[...], words: ["a.test/x"])
        #expect(links.map { String(text[$0.range]) } == ["a.test/x", "A.TEST/x"])
        #expect(links.allSatisfy { $0.kind == .word })
    }

    @Test func workIsLinear() {
        _ = TextLink.all(in: String(repeating: "a.b/", count: 100_000)[...], words: ["a.b"])
        for text in ["https://" + String(repeating: ")", count: 200_000), String(repeating: "@a@", count: 100_000)] {
            _ = TextLink.all(in: text[...])
        }
    }

    // MARK: Wrapping

    private static let address = "https://a.rather.long.host.example/with/a/path"

    @Test(
        arguments: [
            ("see \(address) there", ["see", address, "there"]), ("(\(address)), too", ["(\(address)),", "too"]),
            ("https://a.test", ["https://a.test"]), ("a https://a.test b", ["a", "https://a.test", "b"]),
            ("• \(address)", ["• " + address]), ("> \(address) x", ["> \(address)", "> x"]),
            ("见\(address)。字", ["见", address + "。", "字"]), ("https://例え.example/とても長い", ["https://例え.example/とても長い"]),
            ("gemini://a.rather.long.host", ["gemini://a.rath", "er.long.host"]),
        ] as [(String, [String])])
    func addressesAreNotBroken(text: String, lines: [String]) {
        #expect(TextWrap.lines(text, columns: 15) == lines)
    }

    // MARK: Hyperlinks

    @Test(
        arguments: [
            ([:], false), (["TERM": "xterm-256color"], false), (["TERM_PROGRAM": "iTerm.app"], true),
            (["TERM": "xterm-kitty"], true), (["TERM": "foot-extra"], true), (["VTE_VERSION": "7006"], true),
            (["VTE_VERSION": "4800"], false), (["KONSOLE_VERSION": "230804"], true),
            (["VTE_VERSION": "7006", "TMUX": "/tmp/x"], false), (["TERM": "xterm-kitty", "STY": "1"], false),
            (["TMUX": "/tmp/x", "FORCE_HYPERLINK": "1"], true),
            (["TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"], false),
            (["TERM_PROGRAM": "Apple_Terminal"], false), (["WT_SESSION": "x"], true),
        ] as [([String: String], Bool)])
    func terminalsWithHyperlinksAreKnown(environment: [String: String], isSupported: Bool) {
        #expect(Hyperlink.isSupported(environment) == isSupported)
    }

    @Test func addressesCannotEndTheSequence() {
        #expect(Hyperlink.text("a", to: "https://a.test/b") == "\u{1B}]8;;https://a.test/b\u{1B}\\a\u{1B}]8;;\u{1B}\\")
        let evil = Hyperlink.text("a", to: "https://a.test/\u{1B}\\\u{7}\u{9C}é x")
        #expect(evil == "\u{1B}]8;;https://a.test/%1B\\%07%C2%9C%C3%A9%20x\u{1B}\\a\u{1B}]8;;\u{1B}\\")
        for address in ["javascript:x", "file:///etc/passwd", "", "HTTPS"] {
            #expect(Hyperlink.text("a", to: address) == "a")
        }
        #expect(TextWidth.columns(ofOutput: evil) == 1)
    }
}
