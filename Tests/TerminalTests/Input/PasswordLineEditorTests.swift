import FeedTerminal
import TestKit
import Testing

@Suite(.hangLimit)
struct PasswordLineEditorTests {
    @Test(
        arguments: [
            ("secret\n", "secret", .done), ("secret\rmore", "secret", .done), ("\n", "", .done),
            ("sek\u{7F}cret\n", "secret", .done), ("pä\u{8}å\u{7F}\u{7F}\u{7F}\u{7F}x\n", "x", .done),
            ("wrong\u{15}right\n", "right", .done), ("a\u{4}b\n", "ab", .done), ("\u{4}", "", .ended),
            ("a\u{15}\u{4}", "", .ended), ("half\u{3}", "half", .interrupted), ("\u{1C}", "", .interrupted),
            ("not yet", "not yet", .more),
        ] as [(String, String, PasswordLineEditor.Step)])
    func keysAreInterpreted(keys: String, text: String, end: PasswordLineEditor.Step) {
        var line = PasswordLineEditor()
        var step = PasswordLineEditor.Step.more
        for byte in keys.utf8 where step == .more { step = line.take(byte) }
        #expect(line.text == text && step == end)
    }

    @Test func lineLengthIsBounded() {
        var line = PasswordLineEditor()
        for _ in 0..<10_000 { _ = line.take(0x61) }
        #expect(line.text.utf8.count == 4096 && line.take(0x0A) == .done)
    }
}
