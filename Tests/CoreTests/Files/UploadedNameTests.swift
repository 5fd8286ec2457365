import FeedCore
import TestKit
import Testing

@Suite(.hangLimit)
struct UploadedNameTests {
    static let names: [NameRow] = [
        .same("a.txt"), NameRow("../../etc/passwd", "passwd"), NameRow("C:\\dir\\x.txt", "x.txt"),
        NameRow(".htaccess", "htaccess"), NameRow("..a", "a"), NameRow(". .a", "a"), NameRow("  a.txt \t", "a.txt"),
        NameRow("a\u{0}b", "ab"), NameRow("a\r\nb", "ab"), NameRow("a\u{85}b", "ab"), NameRow("\u{1}.a", "a"),
        NameRow("", "file"), NameRow("/", "file"), NameRow("..", "file"), NameRow("...", "file"),
        NameRow("a/..", "file"), NameRow("\u{7F}", "file"), NameRow(" . ", "file"), NameRow("\u{0}", "file"),
        .same("a."), .same("CON"), .same("\u{65E5}.txt"), .same(NameRow.family),
    ]

    @Test(arguments: names)
    func uploadedNamesAreSanitized(row: NameRow) {
        #expect(UploadedName.safe(row.raw) == row.expected)
        #expect(UploadedName.safe(row.expected) == row.expected)
    }

    /// No combination leaves anything that a file system or a terminal would interpret.
    @Test(arguments: [
        "a/\u{301}b", ".\u{301}a", "a\\\u{20E3}.txt", ".\u{200D}", "/\u{200D}", "..\u{301}/x", "\u{0}\u{301}",
    ])
    func namesWithCombiningMarksAreSanitized(name: String) {
        let scalars = UploadedName.safe(name).unicodeScalars
        #expect(scalars.first != nil && scalars.first != ".")
        #expect(scalars.allSatisfy { $0 != "/" && $0 != "\\" && $0.value >= 0x20 })
    }
}
