import FeedCore
import FeedFiles
import TestKit
import Testing

/// A body as the 2014 tutorial clients build it.
struct ClassicRow: CustomTestStringConvertible, Sendable {
    let id: String
    let boundary: String
    let body: [UInt8]
    let parts: [FormPart]
    /// Whether the body is complete only because its declared length was reached.
    let needsLength: Bool

    var testDescription: String { id }

    static let all: [ClassicRow] = [
        feed("one picture", "DATA"),
        feed("nothing", ""),
        feed("ends in CR", "DATA\r"),
        feed("ends in LF", "DATA\n"),
        feed("ends in CR LF", "DATA\r\n"),
        feed("ends in LF CR", "DATA\n\r"),
        feed("only LF", "\n\n\n"),
        feed("only CR", "\r\r"),
        feed("boundary within a line", "DATA--KenshinCui DATA--KenshinCui--"),
        feed("longer boundary", "DATA\n--KenshinCuis\nDATA"),
        feed("boundary and CR LF", "DATA\n--KenshinCui\r\nDATA"),
        feed("CR LF inside", "a\r\nb\r\n\r\nc"),
        feed("partial boundary", "a\n--Kenshin\n--\n-"),
        twoPictures,
        update("three parts", "DATA"),
        update("ends in CR", "DATA\r"),
        update("ends in LF", "DATA\n"),
        update("ends in CR LF", "DATA\r\n"),
        update("LF before the boundary", "a\n--B\n\nb\n--B--\n"),
        update("boundary within a line", "a--B\r\nb --B--"),
        update("LF LF inside", "a\n\nb"),
    ]

    /// A picture, with LF line breaks throughout.
    static func feed(_ id: String, _ data: String) -> ClassicRow {
        let head = "--KenshinCui⏎\(picture("file1", "pic.jpg"))⏎Content-Type: image/jpg⏎⏎"
        let body = lines(head, end: "\n") + Array(data.utf8) + lines("⏎--KenshinCui--", end: "\n")
        return ClassicRow(
            id: "LF, " + id, boundary: "KenshinCui", body: body, parts: [.file("file1", "pic.jpg", data)],
            needsLength: false)
    }

    /// A picture with a message; CR LF, a line break before the first boundary, and a final boundary without its
    /// dashes.
    static func update(_ id: String, _ data: String) -> ClassicRow {
        let head = "⏎--B⏎\(picture("photo", "K.jpg"))⏎Content-Type: application/octet-stream⏎⏎"
        let rest = "⏎--B⏎\(text("message"))⏎⏎TEXT⏎--B⏎\(text("user"))⏎⏎1⏎--B⏎"
        return ClassicRow(
            id: "CR LF, " + id, boundary: "B", body: lines(head) + Array(data.utf8) + lines(rest),
            parts: [.file("photo", "K.jpg", data), .field("message", "TEXT"), .field("user", "1")], needsLength: true)
    }

    static let twoPictures: ClassicRow = {
        let first = "--KenshinCui⏎\(picture("file1", "a.jpg"))⏎⏎A⏎"
        let second = "--KenshinCui⏎\(picture("file2", "b.jpg"))⏎⏎B⏎--KenshinCui--"
        return ClassicRow(
            id: "LF, two pictures", boundary: "KenshinCui", body: lines(first + second, end: "\n"),
            parts: [.file("file1", "a.jpg", "A"), .file("file2", "b.jpg", "B")], needsLength: false)
    }()

    private static func picture(_ name: String, _ fileName: String) -> String {
        "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\""
    }

    private static func text(_ name: String) -> String { "Content-Disposition: form-data; name=\"\(name)\"" }
}

@Suite(.hangLimit)
struct MultipartClassicTests {
    @Test(arguments: ClassicRow.all, Delivery.allCases)
    func classicFormsAreAccepted(row: ClassicRow, delivery: Delivery) {
        let outcome = parse(row.body, boundary: row.boundary, style: .classic, pieces: delivery.pieces)
        #expect(outcome == .parts(row.parts))
    }

    /// Without a declared length, a body without its closing delimiter may be truncated.
    @Test(arguments: ClassicRow.all, Delivery.allCases)
    func unterminatedFormNeedsALength(row: ClassicRow, delivery: Delivery) {
        let outcome = parse(
            row.body, boundary: row.boundary, style: .classic, pieces: delivery.pieces, lengthUsedUp: false)
        let expected: FormOutcome = row.needsLength ? .refused(.malformed) : .parts(row.parts)
        #expect(outcome == expected)
    }

    @Test(arguments: ClassicRow.all, Delivery.allCases)
    func strictStyleRejectsClassicForms(row: ClassicRow, delivery: Delivery) {
        let outcome = parse(row.body, boundary: row.boundary, style: .strict, pieces: delivery.pieces)
        #expect(outcome == .refused(.malformed))
    }

    /// A body truncated before its last boundary must be rejected. Truncated right after another boundary, it equals a
    /// shorter form that ends the classic way.
    @Test func truncatedFormIsRejected() {
        for row in [ClassicRow.feed("cut", "DATA"), ClassicRow.update("cut", "DATA")] {
            for length in 0..<row.body.count {
                let outcome = parse([row.body[..<length]], boundary: row.boundary, style: .classic)
                if outcome == .refused(.malformed) { continue }
                guard case .parts(let parts) = outcome else {
                    Issue.record("\(row.id) at \(length): \(outcome.testDescription)")
                    continue
                }
                #expect(Array(row.parts.prefix(parts.count)) == parts, "\(row.id) at \(length)")
                #expect(row.needsLength && !parts.isEmpty && parts.count < row.parts.count, "\(row.id) at \(length)")
            }
        }
    }

    /// The classic style also accepts standard forms.
    @Test(arguments: Delivery.allCases)
    func standardFormsAreAccepted(delivery: Delivery) {
        let body = form([fieldPart("a", "v"), filePart("f", "x.txt", "hello\nworld")])
        let outcome = parse(body, boundary: "XbX", style: .classic, pieces: delivery.pieces)
        #expect(outcome == .parts([.field("a", "v"), .file("f", "x.txt", "hello\nworld")]))
    }

    /// The line end after the first boundary applies to the whole body.
    @Test func lineEndingAppliesToTheWholeBody() {
        let mixed = lines("--B⏎Content-Disposition: form-data; name=\"a\"\r\n\r\nv⏎--B--", end: "\n")
        #expect(parse(mixed, boundary: "B", style: .classic, pieces: nil) == .refused(.malformed))
        let padded = lines("--B \t⏎Content-Disposition: form-data; name=\"a\"⏎⏎v⏎--B--", end: "\n")
        #expect(parse(padded, boundary: "B", style: .classic, pieces: nil) == .parts([.field("a", "v")]))
    }
}
