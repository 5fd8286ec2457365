import FeedCore
import Testing

struct EmojiShortcodeTests {
    /// Texts, with `[code]` in place of the shortcodes that must be found.
    private static let rows: [(text: String, expected: String)] = [
        ("", ""), ("no emoji", "no emoji"), (":wave:", "[wave]"), ("hi :wave: there", "hi [wave] there"),
        (":a_1: :B2:", "[a_1] [B2]"), (":one::two:", ":one::two:"), (":a:", ":a:"), ("::", "::"), (":", ":"),
        ("12:30:45", "12:30:45"), ("x:wave:", "x:wave:"), (":wave:x", ":wave:x"), ("é:wave:", "é:wave:"),
        ("東:wave:", "東:wave:"), ("。:wave:。", "。[wave]。"), ("(:wave:)", "([wave])"), (":wave :wave:", ":wave [wave]"),
        (":wave:\n:cat:", "[wave]\n[cat]"), ("👋:wave:👋", "👋[wave]👋"), (":wäve:", ":wäve:"), (":wa-ve:", ":wa-ve:"),
        ("https://example.org:8080/:wave:/", "https://example.org:8080/[wave]/"),
        (":" + String(repeating: "a", count: 64) + ":", "[" + String(repeating: "a", count: 64) + "]"),
        (":" + String(repeating: "a", count: 65) + ":", ":" + String(repeating: "a", count: 65) + ":"),
        (":wave:\u{301}", "[wave]\u{301}"),
    ]

    @Test(arguments: rows) func shortcodesAreFound(row: (text: String, expected: String)) {
        let parts = EmojiShortcode.parts(of: row.text)
        let marked = parts.map { part -> String in
            switch part {
            case .plain(let text): String(text)
            case .shortcode(let code): "[\(code)]"
            }
        }
        #expect(Array(marked.joined().unicodeScalars) == Array(row.expected.unicodeScalars))
        let plain = parts.map { part -> String in
            switch part {
            case .plain(let text): String(text)
            case .shortcode(let code): ":\(code):"
            }
        }
        #expect(Array(plain.joined().unicodeScalars) == Array(row.text.unicodeScalars))
    }

    @Test(arguments: [
        ("wave", true), ("a", false), ("a_B9", true), ("", false), ("a b", false), ("../x", false), ("ä", false),
        ("a:b", false), (String(repeating: "x", count: 65), false),
    ])
    func shortcodesAreChecked(text: String, isValid: Bool) { #expect(EmojiShortcode.isShortcode(text) == isValid) }

    @Test func usedEmojiAreListedOnce() {
        func emoji(_ code: String) -> CustomEmoji {
            CustomEmoji(shortcode: code, format: .png, hash: "00", content: [1])
        }
        let set = EmojiSet([emoji("wave"), emoji("cat"), emoji("wave"), emoji("Wave")])
        #expect(set.all.map(\.shortcode) == ["Wave", "cat", "wave"])
        #expect(set.used(in: [":cat: :dog:", ":wave: :cat:"]).map(\.shortcode) == ["cat", "wave"])
        #expect(set.used(in: ["cat", ""]).isEmpty && EmojiSet().used(in: [":cat:"]).isEmpty)
        #expect(set["cat"]?.path == "/emoji/00/cat.png" && set["dog"] == nil)
    }

    @Test func catalogTellsWhetherAnythingChanged() {
        let catalog = EmojiCatalog()
        let set = EmojiSet([CustomEmoji(shortcode: "wave", format: .png, hash: "00", content: [1])])
        #expect(!catalog.replace(with: EmojiSet()) && catalog.replace(with: set) && !catalog.replace(with: set))
        #expect(catalog.current == set)
    }
}
