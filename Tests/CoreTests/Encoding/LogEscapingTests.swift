import FeedCore
import Testing

/// Values in log lines: none can end a line or imitate another field.
@Suite struct LogEscapingTests {
    @Test(arguments: [
        ("/api/v1/statuses", "/api/v1/statuses"), ("127.0.0.1", "127.0.0.1"), ("curl/8.5.0", "curl/8.5.0"),
        ("", "\"\""), ("-", "\"-\""), ("--", "--"), ("a b", "\"a b\""), ("a=b", "\"a=b\""),
        ("say \"hi\"", "\"say \\\"hi\\\"\""), ("back\\slash", "\"back\\\\slash\""),
        ("x\" status=200 y=\"", "\"x\\\" status=200 y=\\\"\""), ("Zoë", "\"Zoë\""), ("日本", "\"日本\""),
        ("a\nb", "\"a\\u{a}b\""), ("a\r\nb", "\"a\\u{d}\\u{a}b\""), ("\u{1B}[31m", "\"\\u{1b}[31m\""),
        ("a\u{0}b", "\"a\\u{0}b\""), ("a\u{7F}", "\"a\\u{7f}\""), ("a\u{85}b", "\"a\\u{85}b\""),
        ("a\u{9B}b", "\"a\\u{9b}b\""), ("a\u{2028}b", "\"a\\u{2028}b\""), ("a\u{202E}b", "\"a\\u{202e}b\""),
        ("a\u{FEFF}b", "\"a\\u{feff}b\""), ("a\u{E0001}b", "\"a\\u{e0001}b\""),
    ])
    func valueIsBareOrQuoted(value: String, field: String) {
        #expect(LogEscaping.text(value) == field)
        var line = Array("name=".utf8)
        LogEscaping.append(value, to: &line)
        #expect(String(decoding: line, as: UTF8.self) == "name=" + field)
    }

    @Test(arguments: [
        ("plain", "plain"), ("say \"hi\"\n", "say \"hi\"\n"), ("a\u{9B}b", "a\\u{9b}b"), ("a\u{202E}b", "a\\u{202e}b"),
        ("a\u{7F}", "a\\u{7f}"), ("日本 \\", "日本 \\"),
    ])
    func jsonKeepsWhatItCanEscape(value: String, text: String) { #expect(LogEscaping.json(value) == text) }

    @Test func longValuesAreCut() {
        #expect(LogEscaping.text(String(repeating: "a", count: 300), limit: 5) == "\"aaaaa…\"")
        #expect(LogEscaping.json(String(repeating: "a", count: 300), limit: 5) == "aaaaa…")
        #expect(LogEscaping.text("aaaaa", limit: 5) == "aaaaa")
        // A character that is cut in half is replaced.
        #expect(LogEscaping.json("aé", limit: 2) == "a\u{FFFD}…")
    }

    /// Invisible characters that belong to a script, or only say where words may be joined or broken: they neither hide
    /// nor reorder anything.
    private static let harmless: [ClosedRange<UInt32>] = [
        0xAD...0xAD, 0x600...0x605, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2, 0x180E...0x180E,
        0x200B...0x200D, 0x2060...0x2064, 0x110BD...0x110BD, 0x110CD...0x110CD, 0x13430...0x1343F, 0x1BCA0...0x1BCA3,
        0x1D173...0x1D17A,
    ]

    /// Control characters, separators of lines and invisible characters of all planes are escaped.
    @Test func everyScalarIsSafe() {
        var count = 0
        for scalar in (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) {
            let category = scalar.properties.generalCategory
            guard [.control, .format, .lineSeparator, .paragraphSeparator].contains(category) else { continue }
            guard !Self.harmless.contains(where: { $0.contains(scalar.value) }) else { continue }
            count += 1
            let escaped = "a\\u{\(String(scalar.value, radix: 16))}b"
            #expect(LogEscaping.text("a\(scalar)b") == "\"\(escaped)\"")
            // JSON has escapes of its own for the control characters below.
            if scalar.value >= 0x7F { #expect(LogEscaping.json("a\(scalar)b") == escaped) }
        }
        #expect(count > 180)
    }
}
