import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A form and its expected result. The case numbers are those of `MultipartRow` in FilesTests, but with files instead
/// of fields, because only files are stored.
struct MultipartHTTPRow: CustomTestStringConvertible, Sendable {
    struct Stored: Equatable, Sendable {
        var name: String
        var content: Data
    }

    enum Expected: Sendable {
        case stored([Stored])
        /// Rejected with one of these status codes.
        case refused([Int])
    }

    let id: String
    let type: String?
    let body: Data
    let expected: Expected

    var testDescription: String { id }

    static func stores(
        _ id: String, _ body: Data, _ files: [(String, String)], type: String = MultipartForm.type
    ) -> MultipartHTTPRow {
        let stored = files.map { Stored(name: $0.0, content: Data($0.1.utf8)) }
        return MultipartHTTPRow(id: id, type: type, body: body, expected: .stored(stored))
    }

    static func refuses(
        _ id: String, _ body: Data, _ statuses: Int..., type: String? = MultipartForm.type
    ) -> MultipartHTTPRow {
        MultipartHTTPRow(id: id, type: type, body: body, expected: .refused(statuses.isEmpty ? [400] : statuses))
    }
}

// MARK: - Beginnings, endings, line ends

extension MultipartHTTPRow {
    static let all: [MultipartHTTPRow] = [
        ends, lineEnds, contents, kept, boundaries, wrongTypes, oddBoundaries, heads, values, fileNames, garbledNames,
        extendedNames, brokenNames, limits, extras,
    ].flatMap(\.self)

    static let one: [(String, String)] = [("x.txt", "v")]
    static let oneBody = MultipartForm.whole([MultipartForm.file("x.txt", "v")])
    static let disposition = "Content-Disposition: form-data; name=\"f\"; filename=\"x.txt\""

    /// `⏎` is a line end.
    private static func written(_ text: String, end: String = "\r\n") -> Data {
        MultipartForm.lines(text.replacing("DISPOSITION", with: disposition), end: end)
    }

    private static func whole(_ parts: Data...) -> Data { MultipartForm.whole(parts) }

    private static let sample = MultipartForm.file("x.txt", "v")

    static let ends: [MultipartHTTPRow] = [
        refuses("M01 one field, no file", whole(MultipartForm.field("a", "v"))),
        stores("M01b one file", oneBody, one),
        stores(
            "M02 field, file", whole(MultipartForm.field("a", "v"), MultipartForm.file("x.txt", "hello")),
            [("x.txt", "hello")]),
        stores("M03 no last line end", MultipartForm.whole([sample], tail: ""), one),
        stores("M04 preamble", written("This is a preamble.⏎") + oneBody, one),
        stores("M05 epilogue", oneBody + whole(MultipartForm.file("y.txt", "w")), one),
        stores("M05b epilogue", MultipartForm.whole([sample], tail: "--XbX"), one),
        stores("M06 leading line end", written("⏎") + oneBody, one),
        refuses("M07 no last boundary", MultipartForm.broken(sample, "\r\n")),
        refuses("M08 cut in a body", MultipartForm.broken(sample, "")),
        refuses("M08b cut in the second", whole(sample).dropLast(9) + written("⏎--XbX⏎DISPOSITION⏎⏎w")),
        refuses("M09 cut in headers", written("--XbX⏎Content-Disposition: form-da")),
        refuses("M10 one dash", MultipartForm.broken(sample, "\r\n--XbX-\r\n")),
        refuses("M10b one dash", MultipartForm.broken(sample, "\r\n--XbX-")),
        refuses("M10c no dash", MultipartForm.broken(sample, "\r\n--XbX\r\n")),
        refuses("M11 empty", Data()), refuses("M12 closing only", written("--XbX--⏎")),
        refuses("M13 no part", written("--XbX⏎--XbX--⏎")),
        refuses("M84 no empty line", written("--XbX⏎DISPOSITION⏎v⏎--XbX--⏎")),
        refuses("M85 blank in boundary", written("-- XbX⏎DISPOSITION⏎⏎v⏎-- XbX--⏎")),
        refuses("M86 no dashes", written("XbX⏎DISPOSITION⏎⏎v⏎--XbX--⏎")),
    ]

    static let lineEnds: [MultipartHTTPRow] = [
        refuses("M14 LF", written("--XbX⏎DISPOSITION⏎⏎v⏎--XbX--⏎", end: "\n")),
        refuses("M15 LF in headers", written("--XbX⏎DISPOSITION\n\nv⏎--XbX--⏎")),
        refuses("M15b LF between headers", written("--XbX⏎DISPOSITION\nContent-Type: text/plain⏎⏎v⏎--XbX--⏎")),
        refuses("M16 LF before delimiter", written("--XbX⏎DISPOSITION⏎⏎v\n--XbX--⏎")),
        refuses("M17 CR", written("--XbX⏎DISPOSITION⏎⏎v⏎--XbX--⏎", end: "\r")),
        stores("M24 padding", written("--XbX  ⏎DISPOSITION⏎⏎v⏎--XbX-- \t⏎"), one),
        stores(
            "M24b padding between", written("--XbX\t⏎DISPOSITION⏎⏎v⏎--XbX \t ⏎DISPOSITION⏎⏎w⏎--XbX--⏎"),
            [("x.txt", "v"), ("x-2.txt", "w")]),
    ]

    static let contents: [MultipartHTTPRow] = [
        stores("M18 empty file", whole(MultipartForm.file("e.bin", "")), [("e.bin", "")]),
        stores("M18c no content", written("--XbX⏎DISPOSITION⏎⏎--XbX--⏎"), [("x.txt", "")]),
        refuses("M19 no file chosen", whole(MultipartForm.file("", ""))),
        stores("M19b one chosen, one not", whole(MultipartForm.file("", ""), sample), one),
        stores(
            "M76 one field, two files", whole(MultipartForm.file("x.txt", "1"), MultipartForm.file("y.txt", "2")),
            [("x.txt", "1"), ("y.txt", "2")]),
    ]

    static let kept: [MultipartHTTPRow] = MultipartCases.contents.map { keeps($0.id, $0.content) }

    /// A file whose content must be stored unchanged.
    private static func keeps(_ id: String, _ content: String) -> MultipartHTTPRow {
        stores(id, whole(MultipartForm.file("x.txt", content)), [("x.txt", content)])
    }

    static let boundaries: [MultipartHTTPRow] = MultipartCases.boundaries.map {
        stores($0.id, MultipartForm.whole([sample], boundary: $0.boundary), one, type: $0.type)
    }

    static let wrongTypes: [MultipartHTTPRow] = MultipartCases.wrongTypes.map { refuses($0.id, oneBody, type: $0.type) }

    static let oddBoundaries: [MultipartHTTPRow] = [
        refuses(
            "M28b 71", MultipartForm.whole([sample], boundary: seventyOne),
            type: "multipart/form-data; boundary=" + seventyOne),
        stores(
            "X05b near a pattern",
            MultipartForm.whole([MultipartForm.file("x.txt", "x\r\n--aXX(b)\r\n--aXb\r\n")], boundary: "a.+(b)?"),
            [("x.txt", "x\r\n--aXX(b)\r\n--aXb\r\n")], type: "multipart/form-data; boundary=\"a.+(b)?\""),
    ]

    private static let seventyOne = String(repeating: "b", count: 71)
}

// MARK: - Heads

extension MultipartHTTPRow {
    /// A part with these header lines and the content `v`.
    private static func headed(_ headers: String) -> Data {
        whole(MultipartForm.part(headers.replacing("DISPOSITION", with: disposition), "v"))
    }

    /// A valid file followed by such a part: all are stored or none.
    private static func after(_ headers: String) -> Data {
        whole(
            MultipartForm.file("first.txt", "1"),
            MultipartForm.part(headers.replacing("DISPOSITION", with: disposition), "v"))
    }

    private static func named(_ parameters: String) -> Data { headed("Content-Disposition: form-data; " + parameters) }

    static let heads: [MultipartHTTPRow] = [
        refuses("M36 no name", named("filename=\"x.txt\"")),
        refuses("M36b no name", after("Content-Disposition: form-data; filename=\"x.txt\"")),
        refuses("M36c nothing", after("Content-Disposition: form-data")),
        stores("M37 empty name", named("name=\"\"; filename=\"x.txt\""), one),
        refuses("M38 no disposition", after("Content-Type: text/plain")),
        refuses("M39 no headers", written("--XbX⏎DISPOSITION⏎⏎v⏎--XbX⏎⏎v⏎--XbX--⏎")),
        refuses("M40 attachment", after("Content-Disposition: attachment; name=\"f\"; filename=\"x.txt\"")),
        stores("M41 tokens", named("name=f; filename=x.txt"), one),
        stores("M41b no blanks", headed("Content-Disposition:form-data;name=\"f\";filename=\"x.txt\";"), one),
        stores("M42 single quotes", named("name='f'; filename=x.txt"), one),
        stores("M43 case", headed("CONTENT-disposition: FORM-Data; NAME=\"f\"; FileName=\"x.txt\""), one),
        refuses("M44 two names", after("Content-Disposition: form-data; name=\"a\"; name=\"b\"")),
        refuses("M44b two names", named("name=\"f\"; NAME=f; filename=\"x.txt\"")),
        refuses("M44c two file names", named("name=\"f\"; filename=\"x.txt\"; filename=\"y.txt\"")),
        refuses("M45 two dispositions", after("DISPOSITION⏎Content-Disposition: form-data; name=\"b\"")),
        refuses("M45b twice the same", headed("DISPOSITION⏎DISPOSITION")),
        refuses("M46 folded", headed("Content-Disposition: form-data;⏎ name=\"f\"; filename=\"x.txt\"")),
        refuses("M46b folded, colon", headed("DISPOSITION⏎ X: y")),
        refuses("M47 blank before colon", headed("Content-Disposition : form-data; name=\"f\"; filename=\"x.txt\"")),
        refuses("M48 no colon", headed("DISPOSITION⏎nonsense")),
        refuses("M49 NUL in a name", named("name=\"f\u{0}\"; filename=\"x.txt\"")),
        refuses("M49b NUL in a file name", named("name=\"f\"; filename=\"x\u{0}.txt\"")),
        refuses("M49c NUL elsewhere", headed("DISPOSITION⏎X-Other: a\u{0}b")),
        refuses("M49d CR in a header", headed("DISPOSITION\rX: y")),
        refuses("M49e open quote", named("name=\"f\"; filename=\"x.txt")),
        refuses("M49f text after quote", named("name=\"f\"; filename=\"x.txt\"b")),
    ]

    private static let latin: [UInt8] = [0x63, 0x61, 0x66, 0xE9]

    static let values: [MultipartHTTPRow] = [
        stores("M70 _charset_", whole(MultipartForm.field("_charset_", "iso-8859-1"), sample), one),
        MultipartHTTPRow(
            id: "M71 part charset", type: MultipartForm.type,
            body: whole(
                MultipartForm.part("\(disposition)⏎Content-Type: text/plain; charset=iso-8859-1", Data(latin))),
            expected: .stored([Stored(name: "x.txt", content: Data(latin))])),
        stores("M72 no UTF-8", whole(MultipartForm.field("a", "") + Data([0xFF, 0xFE]), sample), one),
        stores(
            "M73 base64",
            whole(MultipartForm.part("\(disposition)⏎Content-Transfer-Encoding: base64", "aGVsbG8=")),
            [("x.txt", "aGVsbG8=")]),
        stores(
            "M74 quoted-printable",
            whole(MultipartForm.part("\(disposition)⏎Content-Transfer-Encoding: quoted-printable", "foo=3Dbar")),
            [("x.txt", "foo=3Dbar")]),
        stores(
            "M75 nested",
            whole(MultipartForm.part("\(disposition)⏎Content-Type: multipart/mixed; boundary=YbY", nested)),
            [("x.txt", nested)]),
        stores(
            "M87 Content-Length lies", whole(MultipartForm.part("\(disposition)⏎Content-Length: 2", "value")),
            [("x.txt", "value")]),
    ]

    private static let nested = "--YbY\r\nContent-Disposition: file; filename=\"y\"\r\n\r\nv\r\n--YbY--"

    static let fileNames: [MultipartHTTPRow] = MultipartCases.fileNames.map {
        stores($0.id, whole(MultipartForm.file($0.sent, "v")), [($0.name, "v")])
    }

    static let garbledNames: [MultipartHTTPRow] = [
        stores(
            "M59 GBK", whole(MultipartForm.file(named: [0xD6, 0xD0, 0xCE, 0xC4, 0x2E, 0x74])),
            [("\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}.t", "v")]),
        stores("M60 Latin-1", whole(MultipartForm.file(named: latin + [0x2E, 0x74])), [("caf\u{FFFD}.t", "v")]),
    ]

    static let extendedNames: [MultipartHTTPRow] = MultipartCases.extendedNames.map {
        stores($0.id, named("name=\"f\"; " + $0.parameters), [($0.name, "v")])
    }

    static let brokenNames: [MultipartHTTPRow] = [
        refuses("M64 charset, so no file", named("name=\"f\"; filename*=KOI8-R''abc.txt")),
        refuses("M65 percent, so no file", named("name=\"f\"; filename*=UTF-8''%zz.txt")),
        refuses("M65e twice", named("name=\"f\"; filename*=UTF-8''a; filename*=UTF-8''b")),
    ]
}

// MARK: - Limits

extension MultipartHTTPRow {
    /// Lines of 64 bytes each, including line ends.
    private static func preamble(_ lines: Int) -> Data {
        Data(String(repeating: letters(62) + "\r\n", count: lines).utf8)
    }

    /// A form of `count` parts, the last of which is a file.
    private static func many(_ count: Int) -> Data {
        MultipartForm.whole(Array(repeating: MultipartForm.field("a", "v"), count: count - 1) + [sample])
    }

    private static func letters(_ count: Int) -> String { String(repeating: "n", count: count) }

    private static let hundredFiles = (0...100).map { ("n\($0).txt", "v") }

    static let limits: [MultipartHTTPRow] = [
        stores("M04b 16 KiB of preamble", preamble(256) + oneBody, one),
        refuses("M04c more preamble", preamble(256) + written("⏎") + oneBody),
        stores("M77 1000 parts", many(1000), one),
        // The number of file parts is not limited.
        stores(
            "M77b 101 files", MultipartForm.whole(hundredFiles.map { MultipartForm.file($0.0, $0.1) }), hundredFiles),
        refuses("M78 1001 parts", many(1001), 413), refuses("M79 10000 parts", many(10_000), 413),
        refuses("M80 100 headers", headed(String(repeating: "X-Header: value⏎", count: 100) + "DISPOSITION"), 400, 431),
        refuses("M81 100 KiB header", headed("DISPOSITION⏎X-Header: " + letters(100 * 1024)), 400, 431),
        refuses("M82 field of 1 MiB", whole(MultipartForm.field("a", letters(1 << 20)), sample), 413),
        stores(
            "M82b file of 1 MiB", whole(MultipartForm.file("x.txt", letters(1 << 20))), [("x.txt", letters(1 << 20))]),
        refuses("M83 1 MiB of line ends", Data(String(repeating: "\r\n", count: 512 * 1024).utf8) + oneBody),
    ]

    static let extras: [MultipartHTTPRow] = [
        refuses("X01 field name of 10,000", whole(MultipartForm.field(letters(10_000), "v"), sample)),
        stores("X01b field name of 1024", whole(MultipartForm.field(letters(1024), "v"), sample), one),
        refuses("X02b file name of 256", whole(MultipartForm.file(letters(256), "v"))),
        refuses("X02c file name of 4096", whole(MultipartForm.file(letters(4096), "v"))),
        refuses("X06 turned around", whole(MultipartForm.file("gpj\u{202E}exe.jpg", "v"))),
        refuses("X06b byte order mark", whole(MultipartForm.file("\u{FEFF}a.txt", "v"))),
        stores(
            "X04 two files of one name", whole(MultipartForm.file("x.txt", "1"), MultipartForm.file("x.txt", "2")),
            [("x.txt", "1"), ("x-2.txt", "2")]),
        stores(
            "X07 NFC and NFD are one name",
            whole(MultipartForm.file("\u{E9}.txt", "1"), MultipartForm.file("e\u{301}.txt", "2")),
            [("\u{E9}.txt", "1"), ("\u{E9}-2.txt", "2")]),
        stores("X07b NFD", whole(MultipartForm.file("A\u{30A}.txt", "v")), [("\u{C5}.txt", "v")]),
        refuses("X08 one bad name of two", whole(sample, MultipartForm.file(letters(256), "v"))),
    ]
}
