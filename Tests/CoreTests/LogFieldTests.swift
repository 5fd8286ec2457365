import FeedCore
import Testing

/// Values in log lines: none can end a line or imitate another field.
@Suite struct LogFieldTests {
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
        #expect(LogField.text(value) == field)
        var line = Array("name=".utf8)
        LogField.append(value, to: &line)
        #expect(String(decoding: line, as: UTF8.self) == "name=" + field)
    }

    @Test(arguments: [
        ("plain", "plain"), ("say \"hi\"\n", "say \"hi\"\n"), ("a\u{9B}b", "a\\u{9b}b"), ("a\u{202E}b", "a\\u{202e}b"),
        ("a\u{7F}", "a\\u{7f}"), ("日本 \\", "日本 \\"),
    ])
    func jsonKeepsWhatItCanEscape(value: String, text: String) { #expect(LogField.json(value) == text) }

    @Test func longValuesAreCut() {
        #expect(LogField.text(String(repeating: "a", count: 300), limit: 5) == "\"aaaaa…\"")
        #expect(LogField.json(String(repeating: "a", count: 300), limit: 5) == "aaaaa…")
        #expect(LogField.text("aaaaa", limit: 5) == "aaaaa")
        // A character that is cut in half is replaced.
        #expect(LogField.json("aé", limit: 2) == "a\u{FFFD}…")
    }

    /// Whatever the value, the result is one line of printable characters.
    @Test func everyScalarIsSafe() {
        for value in UInt32(0)...0x3000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = LogField.text("a\(scalar)b")
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(value)")
            #expect(!text.unicodeScalars.contains { [0x2028, 0x2029].contains($0.value) }, "\(value)")
        }
    }
}
