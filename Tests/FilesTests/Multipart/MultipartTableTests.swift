import FeedCore
import FeedFiles
import FeedTestSupport
import NIOCore
import TestKit
import Testing

/// A body and its expected result. A number such as `M01` identifies a case in all suites.
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
        ends, lineEnds, contents, kept, boundaries, wrongTypes, heads, values, fileNames, garbledNames, extendedNames,
        brokenNames, marks, limits, extras,
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

@Suite(.hangLimit)
struct MultipartTableTests {
    @Test(arguments: MultipartRow.all, Delivery.allCases)
    func formsAreParsed(row: MultipartRow, delivery: Delivery) {
        #expect(row.outcome(delivery) == row.expected)
    }

    /// M79: ten thousand parts cost no more than the thousand that are parsed.
    @Test func parsingStopsAtThePartLimit() {
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
        // The end of the empty line may also be the line end before the delimiter.
        accepts("M18c no content", lines("--XbX⏎\(disposition)⏎⏎--XbX--⏎"), [.field("a", "")]),
        accepts("M19 no file chosen", form([filePart("f", "", "")]), [.file("f", nil, "")]),
        accepts(
            "M76 same name twice", form([fieldPart("a", "1"), fieldPart("a", "2")]),
            [.field("a", "1"), .field("a", "2")]),
    ]

    static let kept: [MultipartRow] = MultipartCases.contents.map { keeps($0.id, $0.content) }

    /// A field whose content must remain unchanged.
    private static func keeps(_ id: String, _ content: String) -> MultipartRow {
        accepts(id, form([fieldPart("a", content)]), [.field("a", content)])
    }

    static let boundaries: [MultipartRow] = MultipartCases.boundaries.map {
        accepts($0.id, form([fieldPart("a", "v")], boundary: $0.boundary), field, type: $0.type)
    }

    static let wrongTypes: [MultipartRow] = MultipartCases.wrongTypes.map { refuses($0.id, fieldBody, type: $0.type) }
}
