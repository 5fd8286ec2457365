import FeedTerminal
import TestKit
import Testing

/// The places at which lines of text are broken.
@Suite(.hangLimit)
struct LineBreakingTests {
    /// The rules of East Asian text: what must not start a line takes its predecessor along, and what must not end one
    /// goes along with its successor.
    @Test(
        arguments: [
            ("中文字。", 6, ["中文", "字。"]), ("中文「字」", 6, ["中文", "「字」"]), ("あいうっ", 6, ["あい", "うっ"]),
            ("カター", 4, ["カ", "ター"]), ("price￥100円", 8, ["price", "￥100円"]), ("他说“好的”。", 8, ["他说“好", "的”。"]),
            ("(中文)字", 5, ["(中", "文)字"]), ("中文……字", 5, ["中", "文……", "字"]),
            ("ab。c", 3, ["a", "b。", "c"]), ("あ、、、、", 6, ["あ、", "、、、"]),
        ] as [(String, Int, [String])])
    func punctuationStaysWithItsText(text: String, columns: Int, lines: [String]) {
        #expect(TextWrap.lines(text, columns: columns) == lines)
    }

    @Test func noLineStartsOrEndsWithForbiddenPunctuation() {
        let text = "「吾輩は猫である」。名前は（まだ）無い、と「彼」は言った。どこで生れたか、とんと見当がつかぬ！？『何でも』……"
        for columns in 12...60 {
            let lines = TextWrap.lines(text, columns: columns)
            #expect(lines.joined() == text && lines.allSatisfy { TextWidth.columns(of: $0) <= columns })
            for line in lines {
                #expect(line.first.map(LineBreaking.isForbiddenAtStart) == false, "\(columns): \(line)")
                #expect(line.last.map(LineBreaking.isForbiddenAtEnd) == false, "\(columns): \(line)")
            }
        }
    }

    @Test(
        arguments: [
            ("• one two three", 9, ["• one two", "  three"]), ("10. one two", 8, ["10. one", "    two"]),
            ("> one two", 6, ["> one", "> two"]), ("> > • one two", 12, ["> > • one", "> >   two"]),
            ("    code line", 10, ["    code", "    line"]), ("> ", 10, [">"]), (">", 10, [">"]), ("   ", 10, [""]),
            ("• one", 3, ["•", "one"]), ("a. one two", 6, ["a. one", "two"]),
        ] as [(String, Int, [String])])
    func continuationStartsBelowTheText(text: String, columns: Int, lines: [String]) {
        #expect(TextWrap.lines(text, columns: columns) == lines)
    }

    @Test func wholeLinesAreKept() {
        let text = "> " + String(repeating: "word 中文。", count: 500)
        #expect(TextWrap.lines(text, columns: .max) == [text])
        #expect(TextWrap.lines("a\nb", columns: .max) == ["a", "b"])
    }
}
