import FeedCore
import TestKit
import Testing

/// A name, a number and the expected numbered name.
struct NumberRow: CustomTestStringConvertible, Sendable {
    let name: String
    let number: Int64
    let expected: String

    var testDescription: String { "\(name.prefix(40)) \(number)" }

    init(_ name: String, _ number: Int64, _ expected: String) {
        self.name = name
        self.number = number
        self.expected = expected
    }
}

@Suite(.hangLimit)
struct FileNameTests {
    static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    static let accepted: [NameRow] = [
        .same("a"), .same("a.txt"), .same("a b.txt"), .same("a.tar.gz"), .same("a..b"), .same("a."), .same("CON"),
        .same("con.txt"), .same("-rf"), .same("~"), .same("a:b*c?\"<>|"), .same("\u{65E5}\u{672C}\u{8A9E}.txt"),
        .same(NameRow.family + ".png"), .same("\u{1F469}\u{1F3FD}\u{200D}\u{1F52C}"), .same("\u{FFFD}.txt"),
        .same(letters(255)),
        // Normalized to NFC first: the last name fits only in that form.
        NameRow("e\u{301}.txt", "\u{E9}.txt"), NameRow("A\u{30A}", "\u{C5}"), NameRow("\u{212B}", "\u{C5}"),
        NameRow(String(repeating: "e\u{301}", count: 127) + "x", String(repeating: "\u{E9}", count: 127) + "x"),
    ]

    static let refused: [String] = [
        "", ".", "..", ".htaccess", "...", letters(256), String(repeating: "\u{E9}", count: 128), "a/b", "/a", "a/",
        "/", "../a", "a\\b", "\\", "a\u{0}b", "\u{0}", "a\u{1}", "a\tb", "a\nb", "a\r\nb", "\u{1F}", "\u{7F}",
        "a\u{80}", "a\u{85}b", "\u{9F}", "a\u{2028}b", "a\u{2029}b", "a\u{202A}", "gpj\u{202E}exe.jpg", "a\u{2066}b",
        "a\u{2069}", "\u{FEFF}a", "a\u{FEFF}", "a\u{FFFE}", "a\u{FFFF}",
        // A combining mark must not hide a separator or a dot.
        "a/\u{301}b", "a\\\u{301}b", ".\u{301}a", ".\u{200D}a",
    ]

    @Test(arguments: accepted)
    func acceptsValidNames(row: NameRow) throws {
        // Swift strings are equal if they are canonically equivalent; stored names are bytes.
        let name = try FileName.normalize(row.raw)
        #expect(Array(name.utf8) == Array(row.expected.utf8))
        #expect(try FileName.normalize(name) == name)
    }

    @Test(arguments: refused)
    func rejectsInvalidNames(name: String) {
        let error = #expect(throws: FeedError.self) { try FileName.normalize(name) }
        #expect(error?.kind == .malformed)
    }

    static let segments: [NameRow] = [
        .same("a.txt"), NameRow("a/b", "b"), NameRow("a\\b", "b"), NameRow("/etc/passwd", "passwd"),
        NameRow("C:\\dir\\x.txt", "x.txt"), NameRow("..\\..\\x", "x"), NameRow("a/b\\c", "c"), NameRow("a\\b/c", "c"),
        NameRow("a/", "a"), NameRow("a//b", "b"), NameRow("/", ""), NameRow("\\/\\", ""), NameRow("", ""),
        NameRow("..", ".."), NameRow("a/..", ".."),
    ]

    @Test(arguments: segments)
    func lastSegmentIsExtracted(row: NameRow) {
        #expect(FileName.lastSegment(row.raw) == row.expected)
    }

    @Test(arguments: ["a/\u{301}b", "a\\\u{301}b", "/\u{200D}", "a/\u{20E3}"])
    func combiningMarksDoNotHideSeparators(name: String) {
        #expect(!FileName.lastSegment(name).unicodeScalars.contains { $0 == "/" || $0 == "\\" })
    }

    static let numbers: [NumberRow] = [
        NumberRow("a.txt", 2, "a-2.txt"), NumberRow("a", 3, "a-3"), NumberRow("a.tar.gz", 10, "a.tar-10.gz"),
        NumberRow("a.", 2, "a-2."), NumberRow(letters(251) + ".txt", 2, letters(241) + "-2.txt"),
        NumberRow(letters(255), 1000, letters(245) + "-1000"),
        NumberRow(letters(255), FileNameSeries.maximumNumber, letters(245) + "-999999999"),
        NumberRow(
            String(repeating: "\u{65E5}", count: 84) + ".go", 10, String(repeating: "\u{65E5}", count: 80) + "-10.go"),
        // A grapheme cluster is removed as a whole: 14 × 18 + 2 bytes, and 13 × 18 + 4.
        NumberRow(
            String(repeating: NameRow.family, count: 14) + ".c", 2,
            String(repeating: NameRow.family, count: 13) + "-2.c"),
    ]

    @Test(arguments: numbers)
    func numberIsInsertedBeforeTheExtension(row: NumberRow) throws {
        let name = FileNameSeries(row.name).name(row.number)
        #expect(name == row.expected)
        #expect(try FileName.normalize(name) == name)
    }

    /// An extension may be almost as long as a name; the number must still fit.
    @Test(arguments: [1, 200, 249, 250, 251, 252, 253])
    func numberFitsWithLongExtensions(length: Int) throws {
        let name = "a." + Self.letters(length)
        for number: Int64 in [2, 99, 12_345] {
            let numbered = FileNameSeries(name).name(number)
            #expect(numbered.utf8.count <= FileName.maximumBytes)
            #expect(numbered.contains("-\(number)"))
            #expect(try FileName.normalize(numbered) == numbered)
        }
    }
}

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
