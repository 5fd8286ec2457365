import FeedCore
import FeedFiles
import NIOCore
import Testing

/// A body and what it comes to. Numbers are those of the table in the research on reliability.
struct MultipartRow: CustomTestStringConvertible, Sendable {
    static let plainType = "multipart/form-data; boundary=XbX"

    let id: String
    let type: String?
    let body: [UInt8]
    let expected: FormOutcome

    var testDescription: String { id }

    static func accepts(
        _ id: String, _ body: [UInt8], _ parts: [FormPart], type: String = MultipartRow.plainType
    ) -> MultipartRow {
        MultipartRow(id: id, type: type, body: body, expected: .parts(parts))
    }

    static func refuses(
        _ id: String, _ body: [UInt8], _ kind: FeedError.Kind = .malformed, type: String? = MultipartRow.plainType
    ) -> MultipartRow {
        MultipartRow(id: id, type: type, body: body, expected: .refused(kind))
    }

    static let all: [MultipartRow] = [
        ends, lineEnds, contents, boundaries, heads, values, fileNames, extendedNames, limits, extras,
    ].flatMap(\.self)

    func outcome(_ delivery: Delivery) -> FormOutcome {
        do throws(FeedError) {
            let boundary = try MultipartBoundary.parse(type)
            return parse(body, boundary: boundary, style: .strict, pieces: delivery.pieces)
        } catch {
            return .refused(error.kind)
        }
    }
}

@Suite(.timeLimit(.minutes(15)))
struct MultipartTableTests {
    @Test(arguments: MultipartRow.all, Delivery.allCases)
    func table(row: MultipartRow, delivery: Delivery) {
        #expect(row.outcome(delivery) == row.expected)
    }

    /// M79: ten thousand parts cost no more than the thousand that are read.
    @Test func stopsAtTheLimit() {
        var parser = MultipartParser(boundary: "XbX", style: .strict)
        var begun = 0
        let body = form(Array(repeating: fieldPart("a", "v"), count: 10_000))
        var refusal: FeedError.Kind?
        do throws(FeedError) {
            for start in stride(from: 0, to: body.count, by: 512) {
                let piece = ByteBuffer(bytes: body[start..<min(start + 512, body.count)])
                for event in try parser.feed(piece) {
                    if case .begin = event { begun += 1 }
                }
            }
        } catch {
            refusal = error.kind
        }
        #expect(refusal == .tooLarge)
        #expect(begun <= 1000)
    }
}

// MARK: - Beginnings, endings, line ends

extension MultipartRow {
    static let field: [FormPart] = [.field("a", "v")]
    static let fieldBody: [UInt8] = form([fieldPart("a", "v")])
    static let disposition = "Content-Disposition: form-data; name=\"a\""

    static let ends: [MultipartRow] = [
        accepts("M01 one field", fieldBody, field),
        accepts(
            "M02 field, file", form([fieldPart("a", "v"), filePart("f", "x.txt", "hello")]),
            [.field("a", "v"), .file("f", "x.txt", "hello")]),
        accepts("M03 no last line end", form([fieldPart("a", "v")], tail: ""), field),
        accepts("M04 preamble", lines("This is a preamble.⏎") + fieldBody, field),
        accepts("M05 epilogue", fieldBody + form([fieldPart("b", "w")]), field),
        accepts("M05b epilogue", form([fieldPart("a", "v")], tail: "--XbX"), field),
        accepts("M06 leading line end", lines("⏎") + fieldBody, field),
        refuses("M07 no last boundary", broken(fieldPart("a", "v"), "\r\n")),
        refuses("M08 cut in a body", broken(fieldPart("a", "v"), "")),
        refuses("M09 cut in headers", lines("--XbX⏎Content-Disposition: form-da")),
        refuses("M10 one dash", broken(fieldPart("a", "v"), "\r\n--XbX-\r\n")),
        refuses("M10b one dash", broken(fieldPart("a", "v"), "\r\n--XbX-")),
        refuses("M10c no dash", broken(fieldPart("a", "v"), "\r\n--XbX\r\n")),
        refuses("M11 empty", []),
        refuses("M12 closing only", lines("--XbX--⏎")),
        refuses("M13 no part", lines("--XbX⏎--XbX--⏎")),
        refuses("M84 no empty line", lines("--XbX⏎\(disposition)⏎v⏎--XbX--⏎")),
        refuses("M85 blank in boundary", lines("-- XbX⏎\(disposition)⏎⏎v⏎-- XbX--⏎")),
        refuses("M86 no dashes", lines("XbX⏎\(disposition)⏎⏎v⏎--XbX--⏎")),
    ]

    static let lineEnds: [MultipartRow] = [
        refuses("M14 LF", lines("--XbX⏎\(disposition)⏎⏎v⏎--XbX--⏎", end: "\n")),
        refuses("M15 LF in headers", lines("--XbX⏎\(disposition)\n\nv⏎--XbX--⏎")),
        refuses("M15b LF between headers", lines("--XbX⏎\(disposition)\nContent-Type: text/plain⏎⏎v⏎--XbX--⏎")),
        refuses("M16 LF before delimiter", lines("--XbX⏎\(disposition)⏎⏎v\n--XbX--⏎")),
        refuses("M17 CR", lines("--XbX⏎\(disposition)⏎⏎v⏎--XbX--⏎", end: "\r")),
        accepts("M24 padding", lines("--XbX  ⏎\(disposition)⏎⏎v⏎--XbX-- \t⏎"), field),
        accepts(
            "M24b padding between", lines("--XbX\t⏎\(disposition)⏎⏎v⏎--XbX \t ⏎\(disposition)⏎⏎w⏎--XbX--⏎"),
            [.field("a", "v"), .field("a", "w")]),
    ]

    static let contents: [MultipartRow] = [
        accepts("M18 empty file", form([filePart("f", "e.bin", "")]), [.file("f", "e.bin", "")]),
        accepts("M18b empty field", form([fieldPart("a", "")]), [.field("a", "")]),
        // The empty line's end may also be the one before the delimiter.
        accepts("M18c no content", lines("--XbX⏎\(disposition)⏎⏎--XbX--⏎"), [.field("a", "")]),
        accepts("M19 no file chosen", form([filePart("f", "", "")]), [.file("f", nil, "")]),
        keeps("M20 partial delimiter", "x\r\n--Xb\r\ny"),
        keeps("M21 not at a line start", "x--XbX y"),
        keeps("M22 longer boundary", "x\r\n--XbXtail\r\ny"),
        keeps("M22b one dash", "x\r\n--XbX-\r\ny"),
        keeps("M22c dash, text", "x\r\n--XbX-y"),
        keeps("M22d boundary, CR", "x\r\n--XbX\ry"),
        keeps("M22e boundary, LF", "x\r\n--XbX\ny"),
        keeps("M23 line ends at the end", "x\r\n\r\n\n\r"),
        keeps("M23b CR before delimiter", "x\r\r\r"),
        keeps("M23c starts like a delimiter", "\r\n--Xb"),
        accepts(
            "M76 same name twice", form([fieldPart("a", "1"), fieldPart("a", "2")]),
            [.field("a", "1"), .field("a", "2")]),
    ]

    /// A field whose content must come out as it went in.
    static func keeps(_ id: String, _ content: String) -> MultipartRow {
        accepts(id, form([fieldPart("a", content)]), [.field("a", content)])
    }

    static let seventy = String(repeating: "b", count: 70)

    static let boundaries: [MultipartRow] = [
        bounded("M25 quoted", "multipart/form-data; boundary=\"XbX\""),
        bounded("M26 special", "multipart/form-data; boundary=\"a'()+_,-./:=?b\"", boundary: "a'()+_,-./:=?b"),
        bounded("M27 70", "multipart/form-data; boundary=" + seventy, boundary: seventy),
        refuses("M28 71", fieldBody, type: "multipart/form-data; boundary=b" + seventy),
        refuses("M29 300", fieldBody, type: "multipart/form-data; boundary=" + String(repeating: "b", count: 300)),
        refuses("M30 none", fieldBody, type: "multipart/form-data"),
        refuses("M31 empty", fieldBody, type: "multipart/form-data; boundary="),
        refuses("M31b empty", fieldBody, type: "multipart/form-data; boundary=\"\""),
        refuses("M32 wrong", fieldBody, type: "multipart/form-data; boundary=YbY"),
        bounded("M33 upper case", "Multipart/Form-Data; BOUNDARY=XbX"),
        bounded("M34 charset", "multipart/form-data; charset=utf-8; boundary=XbX"),
        bounded("M34b charset after", "multipart/form-data;boundary=XbX ; charset=utf-8"),
        refuses("M35 two", fieldBody, type: "multipart/form-data; boundary=XbX; boundary=YbY"),
        refuses("M35b two alike", fieldBody, type: "multipart/form-data; boundary=XbX; Boundary=XbX"),
        refuses("M30b no type", fieldBody, type: nil),
        refuses("M30c other type", fieldBody, type: "multipart/mixed; boundary=XbX"),
    ]

    static func bounded(_ id: String, _ type: String, boundary: String = "XbX") -> MultipartRow {
        accepts(id, form([fieldPart("a", "v")], boundary: boundary), field, type: type)
    }
}
