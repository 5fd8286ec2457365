import FeedCore
import FeedTestSupport
import TestKit

// Rows about the headers of a part, the names in them, and the limits.

extension MultipartRow {
    /// A part with these header lines and the content `v`.
    static func headed(_ headers: String) -> [UInt8] { form([part(headers, "v")]) }

    static func named(_ parameters: String) -> [UInt8] { headed("Content-Disposition: form-data; " + parameters) }

    static let heads: [MultipartRow] = [
        refuses("M36 no name", named("filename=\"x\"")),
        refuses("M36b nothing", headed("Content-Disposition: form-data")),
        accepts("M37 empty name", named("name=\"\""), [.field("", "v")]),
        refuses("M38 no disposition", headed("Content-Type: text/plain")),
        refuses("M39 no headers", lines("--XbX⏎⏎v⏎--XbX--⏎")),
        refuses("M40 attachment", headed("Content-Disposition: attachment; name=\"a\"")),
        accepts("M41 token", named("name=a"), field),
        accepts("M42 single quotes", named("name='a'"), [.field("'a'", "v")]),
        accepts("M43 case", headed("CONTENT-disposition: FORM-Data; NAME=\"a\""), field),
        refuses("M44 two names", named("name=\"a\"; name=\"b\"")),
        refuses("M44b two names", named("name=\"a\"; NAME=a")),
        refuses("M44c two file names", named("name=\"a\"; filename=\"x\"; filename=\"y\"")),
        refuses("M45 two dispositions", headed("\(disposition)⏎Content-Disposition: form-data; name=\"b\"")),
        refuses("M45b twice the same", headed("\(disposition)⏎\(disposition)")),
        refuses("M46 folded", headed("Content-Disposition: form-data;⏎ name=\"a\"")),
        refuses("M46b folded, colon", headed("\(disposition)⏎ X: y")),
        refuses("M47 blank before colon", headed("Content-Disposition : form-data; name=\"a\"")),
        refuses("M48 no colon", headed("\(disposition)⏎nonsense")),
        refuses("M49 NUL", named("name=\"a\u{0}b\"")),
        refuses("M49b NUL elsewhere", headed("\(disposition)⏎X-Other: a\u{0}b")),
        refuses("M49c CR in a header", headed("\(disposition)\rX: y")),
        refuses("M49d open quote", named("name=\"a")),
        refuses("M49e text after quote", named("name=\"a\"b")),
        accepts("M41b no blanks", headed("Content-Disposition:form-data;name=\"a\";"), field),
    ]

    static let latin: [UInt8] = [0x63, 0x61, 0x66, 0xE9]

    static let values: [MultipartRow] = [
        accepts(
            "M70 _charset_", form([fieldPart("_charset_", "iso-8859-1"), fieldPart("a", "") + latin]),
            [.field("_charset_", "iso-8859-1"), .field("a", bytes: latin)]),
        accepts(
            "M71 part charset",
            form([part("\(disposition)⏎Content-Type: text/plain; charset=iso-8859-1", "") + latin]),
            [.field("a", bytes: latin)]),
        accepts("M72 no UTF-8", form([fieldPart("a", "") + [0xFF, 0xFE]]), [.field("a", bytes: [0xFF, 0xFE])]),
        accepts(
            "M73 base64", form([part("\(disposition)⏎Content-Transfer-Encoding: base64", "aGVsbG8=")]),
            [.field("a", "aGVsbG8=")]),
        accepts(
            "M74 quoted-printable",
            form([part("\(disposition)⏎Content-Transfer-Encoding: quoted-printable", "foo=3Dbar")]),
            [.field("a", "foo=3Dbar")]),
        accepts(
            "M75 nested", form([part("\(disposition)⏎Content-Type: multipart/mixed; boundary=YbY", nested)]),
            [.field("a", nested)]),
        accepts(
            "M87 Content-Length lies", form([part("\(disposition)⏎Content-Length: 2", "value")]),
            [.field("a", "value")]),
    ]

    static let nested = "--YbY\r\nContent-Disposition: file; filename=\"x\"\r\n\r\nv\r\n--YbY--"

    /// - Parameters:
    ///   - sent: The text between the quotes.
    ///   - expected: The resulting name.
    static func safe(_ id: String, _ sent: String, _ expected: String) -> MultipartRow {
        accepts(id, form([filePart("f", sent, "v")]), [.file("f", expected, "v")])
    }

    static let fileNames: [MultipartRow] = MultipartCases.fileNames.map { safe($0.id, $0.sent, $0.name) }

    static let garbledNames: [MultipartRow] = [
        accepts(
            "M59 GBK", form([oddlyNamedPart([0xD6, 0xD0, 0xCE, 0xC4, 0x2E, 0x74])]),
            [.file("f", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}.t", "v")]),
        accepts("M60 Latin-1", form([oddlyNamedPart(latin + [0x2E, 0x74])]), [.file("f", "caf\u{FFFD}.t", "v")]),
    ]

    static let extendedNames: [MultipartRow] = MultipartCases.extendedNames.map {
        accepts($0.id, named("name=\"f\"; " + $0.parameters), [.file("f", $0.name, "v")])
    }

    static let brokenNames: [MultipartRow] = [
        accepts("M64 charset", named("name=\"f\"; filename*=KOI8-R''abc.txt"), [.field("f", "v")]),
        accepts("M65 percent", named("name=\"f\"; filename*=UTF-8''%zz.txt"), [.field("f", "v")]),
        refuses("M65e twice", named("name=\"f\"; filename*=UTF-8''a; filename*=UTF-8''b")),
    ]

    /// Marks that form one character with a delimiter.
    static let marks: [MultipartRow] = [
        accepts("M88 before a quote", fieldBody, field, type: "multipart/form-data; x=\"\u{600}\"; boundary=XbX"),
        accepts("M88b before a semicolon", fieldBody, field, type: "multipart/form-data; x=\u{600}; boundary=XbX"),
        accepts(
            "M88c after an apostrophe", named("name=\"f\"; filename=\"x\"; filename*=UTF-8''\u{301}y.txt"),
            [.file("f", "\u{301}y.txt", "v")]),
        safe("M88d after an escape", "a%22\u{301}b.txt", "a\"\u{301}b.txt"),
    ]
}

// MARK: - Limits

extension MultipartRow {
    /// Lines of 64 bytes each, including line ends.
    static func preamble(_ lines: Int) -> [UInt8] {
        Array(String(repeating: String(repeating: "p", count: 62) + "\r\n", count: lines).utf8)
    }

    static func many(_ count: Int) -> [UInt8] { form(Array(repeating: fieldPart("a", "v"), count: count)) }

    static func letters(_ count: Int) -> String { String(repeating: "n", count: count) }

    static let manyHeaders = String(repeating: "X-Header: value⏎", count: 100) + disposition
    static let longHeader = disposition + "⏎X-Header: " + letters(100 * 1024)
    static let megabyte = letters(1024 * 1024)
    static let megabyteOfLines = Array(String(repeating: "\r\n", count: 512 * 1024).utf8)

    static let limits: [MultipartRow] = [
        accepts("M04b 16 KiB of preamble", preamble(256) + fieldBody, field),
        refuses("M04c more preamble", preamble(256) + lines("⏎") + fieldBody),
        accepts("M77 1000 parts", many(1000), Array(repeating: .field("a", "v"), count: 1000)),
        refuses("M78 1001 parts", many(1001), .tooLarge),
        refuses("M79 10000 parts", many(10_000), .tooLarge),
        refuses("M80 100 headers", headed(manyHeaders)),
        refuses("M81 100 KiB header", headed(longHeader)),
        accepts("M82 1 MiB", form([fieldPart("a", megabyte)]), [.field("a", megabyte)]),
        refuses("M83 1 MiB of line ends", megabyteOfLines + fieldBody),
    ]

    static let metacharacters = "a.+(b)?"

    static let extras: [MultipartRow] = [
        refuses("X01 name of 10,000", form([fieldPart(letters(10_000), "v")])),
        accepts("X01b name of 1024", form([fieldPart(letters(1024), "v")]), [.field(letters(1024), "v")]),
        safe("X02b file name of 4096", letters(4096), letters(4096)),
        accepts(
            "X04 two files of one name", form([filePart("f", "x", "1"), filePart("f", "x", "2")]),
            [.file("f", "x", "1"), .file("f", "x", "2")]),
        accepts(
            "X05 boundary like a pattern",
            form([fieldPart("a", "x\r\n--aXX(b)\r\n--aXb\r\n")], boundary: metacharacters),
            [.field("a", "x\r\n--aXX(b)\r\n--aXb\r\n")],
            type: "multipart/form-data; boundary=\"\(metacharacters)\""),
    ]
}
