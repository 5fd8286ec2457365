import TestKit
import Testing

@testable import FeedTerminal

@Suite(.hangLimit)
struct TerminalTextTests {
    @Test(arguments: [
        ("abc", 3), ("中文", 4), ("🎉", 2), ("👩‍👩‍👧", 2), ("e\u{301}", 1), ("❤️", 2), ("✨", 2), ("🇩🇪", 2), ("ｆｕ", 4), ("한글", 4),
        ("\u{200B}", 0), ("…", 1), ("Привет", 6), ("", 0), ("1️⃣", 2), ("👍🏽", 2), ("🏳️‍🌈", 2), ("❤\u{200D}🔥", 2),
        ("1\u{200D}", 1),
        ("a🏽", 3), ("\u{AD}", 1), ("\u{600}١", 2), ("䷀", 2), ("नमस्ते", 4), ("क्ष", 2), ("বাংলা", 5), ("தமிழ்", 4), ("ភាសាខ្មែរ", 8),
        ("ျ", 1), ("क\u{903}\u{903}\u{903}", 4),
    ])
    func widthIsMeasured(text: String, columns: Int) { #expect(TextWidth.columns(of: text) == columns) }

    @Test(arguments: [
        ("abcdef", 4, "abc…"), ("中文字", 5, "中文…"), ("中文字", 4, "中…"), ("abc", 3, "abc"), ("abc", 1, "…"),
    ])
    func textIsTruncatedAndPadded(text: String, columns: Int, cut: String) {
        #expect(TextWidth.truncated(text, to: columns) == cut)
        #expect(
            TextWidth.columns(of: TextWidth.padded(text, to: columns)) == columns
                || columns < TextWidth.columns(of: cut))
    }

    @Test(
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("中文字符", 5, ["中文", "字符"]),
            ("abcdefgh", 3, ["abc", "def", "gh"]),
            ("a\n\nb", 10, ["a", "", "b"]), ("", 5, [""]), ("  lead", 10, ["  lead"]),
            ("ab 中文 cd", 6, ["ab 中", "文 cd"]),
        ] as [(String, Int, [String])])
    func textIsWrapped(text: String, columns: Int, lines: [String]) {
        #expect(TextWrap.lines(text, columns: columns) == lines)
    }

    @Test func wrappedLinesFit() {
        let text = "The 中文 quick👩‍👩‍👧brown foxjumpsoverthelazydog e\u{301}e\u{301}e\u{301} 한글 ❤️❤️❤️ end"
        for columns in 2...60 {
            #expect(TextWrap.lines(text, columns: columns).allSatisfy { TextWidth.columns(of: $0) <= columns })
        }
    }

    private static let indic =
        "सभी मनुष्य जन्म से स्वतन्त्र हैं "
        + "স্বাধীনভাবে ক্ষমতাসম্পন্ন மனிதப்பிறவியினர் សេចក្តីថ្លៃថ្នូរ ක්‍ෂ \u{915}"
        + String(repeating: "\u{903}", count: 50)

    /// Each scalar's cells count: conjuncts and vowel signs that take a cell belong to one `Character`.
    @Test(arguments: 2...60) func linesOfSyllablesFit(columns: Int) {
        let lines = TextWrap.lines(Self.indic, columns: columns)
        let cells = lines.map { line in line.unicodeScalars.reduce(0) { $0 + TextWidth.columns(of: String($1)) } }
        #expect(cells.allSatisfy { $0 <= columns }, "\(cells)")
        let kept = lines.joined().unicodeScalars.filter { $0 != " " }
        #expect(Array(kept) == Self.indic.unicodeScalars.filter { $0 != " " })
    }

    @Test func syllablesAreNotBrokenApart() {
        #expect(TextWrap.lines("नमस्ते दुनिया", columns: 8) == ["नमस्ते", "दुनिया"])
        #expect(TextWrap.lines("क्षक्षक्ष", columns: 5) == ["क्षक्ष", "क्ष"])
    }

    @Test func messagesAreWrappedAtWords() {
        let hint = "hint: Log in with feedclient login https://a.rather.long.instance.example:8443 to see it."
        #expect(
            StandardError.wrapped(hint, columns: 30) == """
                hint: Log in with feedclient
                login
                https://a.rather.long.instance.example:8443
                to see it.
                """)
        #expect(StandardError.wrapped("error: a\n  b", columns: 30) == "error: a\n  b")
        let json = "{\"done\":1,\"total\":2,\"rate\":null}"
        #expect(StandardError.wrapped(json, columns: 20) == json)
    }

    @Test func safeTextKeepsHarmlessCharacters() {
        #expect(SafeText.line("a\tb\r\nc\u{1B}[31m\u{202E}d👩‍👩‍👧é中") == "a b c[31md👩‍👩‍👧é中")
        #expect(SafeText.block("a\r\nb\u{2028}c\rd") == "a\nb\nc\nd")
    }

    @Test(arguments: [
        (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1_572_864, "1.5 MiB"), (200 << 20, "200 MiB"),
        (5 << 40, "5.0 TiB"),
    ])
    func byteCountsAreFormatted(count: Int64, text: String) { #expect(ByteSize.text(count) == text) }

    @Test(arguments: [("512KiB", 524_288), ("4MiB", 4_194_304), ("100", 100), ("1GiB", 1 << 30), ("7B", 7)])
    func validSizesAreParsed(text: String, bytes: Int64) { #expect(ByteSize(text)?.bytes == bytes) }

    @Test(arguments: ["", "0", "-1", "MiB", "4mb", "1.5MiB", "99999999999999999999", "9999999999999GiB"])
    func invalidSizesAreRejected(text: String) { #expect(ByteSize(text) == nil) }

    @Test(arguments: [(0.2, "1s"), (59, "59s"), (61, "1m 01s"), (3700, "1h 01m"), (.infinity, "?")])
    func durationsAreFormatted(seconds: Double, text: String) {
        #expect(ProgressBar.duration(seconds: seconds) == text)
    }

    @Test(arguments: [30, 40, 80, 120])
    func progressBarFits(columns: Int) {
        let bar = ProgressBar(label: "a file with a long name\u{1B}.bin", total: 100 << 20)
        for done: Int64 in [0, 1 << 20, 50 << 20, 100 << 20, 200 << 20] {
            let line = bar.line(done: done, rate: 3_000_000, columns: columns, note: "2 retries")
            #expect(TextWidth.columns(of: line) <= columns && !line.contains("\u{1B}"))
        }
        #expect(ProgressBar(label: "x", total: 100).line(done: 50, rate: nil, columns: 60).contains("50%"))
    }
}
