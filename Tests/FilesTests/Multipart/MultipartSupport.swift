import FeedCore
import FeedFiles
import NIOCore
import Testing

/// A part as emitted by the parser.
struct FormPart: Equatable, Sendable {
    var name: String
    var fileName: String?
    var isFile: Bool
    var content: [UInt8]

    /// A plain field.
    static func field(_ name: String, _ content: String) -> FormPart {
        FormPart(name: name, fileName: nil, isFile: false, content: Array(content.utf8))
    }

    /// A plain field of bytes that are not text.
    static func field(_ name: String, bytes: [UInt8]) -> FormPart {
        FormPart(name: name, fileName: nil, isFile: false, content: bytes)
    }

    static func file(_ name: String, _ fileName: String?, _ content: String) -> FormPart {
        FormPart(name: name, fileName: fileName, isFile: true, content: Array(content.utf8))
    }
}

extension FormPart: CustomTestStringConvertible {
    var testDescription: String {
        let file = isFile ? "@" + (fileName ?? "") : ""
        let start = String(decoding: content.prefix(80), as: UTF8.self).debugDescription
        return "\(name.prefix(80))\(file.prefix(80))=\(start) (\(content.count) bytes)"
    }
}

/// The result of parsing a body.
enum FormOutcome: Equatable, Sendable {
    case parts([FormPart])
    case refused(FeedError.Kind)
    /// The events arrived in an invalid order.
    case disorder
}

extension FormOutcome: CustomTestStringConvertible {
    var testDescription: String {
        switch self {
        case .parts(let parts):
            "\(parts.count) parts: " + parts.prefix(5).map(\.testDescription).joined(separator: "; ")
        case .refused(let kind): "refused as " + kind.rawValue
        case .disorder: "events out of order"
        }
    }
}

/// Reassembles parts from events.
struct PartCollector {
    private var parts: [FormPart] = []
    private var current: FormPart?
    private var isInOrder = true

    var outcome: FormOutcome { isInOrder && current == nil ? .parts(parts) : .disorder }

    mutating func take(_ event: MultipartParser.Event) {
        switch event {
        case .begin(let head):
            if current != nil { isInOrder = false }
            current = FormPart(name: head.name, fileName: head.fileName, isFile: head.isFile, content: [])
        case .data(let data):
            if current == nil { isInOrder = false }
            current?.content.append(contentsOf: data.readableBytesView)
        case .end:
            if let part = current { parts.append(part) } else { isInOrder = false }
            current = nil
        }
    }
}

/// The chunks in which a body arrives.
enum Delivery: Int, CaseIterable, Sendable, CustomTestStringConvertible {
    case whole = 0
    case bytes = 1
    case pairs = 2
    case sevens = 7

    /// The size of a chunk in bytes; `nil` for the whole body at once.
    var pieces: Int? { self == .whole ? nil : rawValue }

    var testDescription: String { self == .whole ? "whole" : "\(rawValue)-byte pieces" }
}

/// Parses a body that arrives in the given chunks.
func parse(
    _ pieces: some Sequence<ArraySlice<UInt8>>, boundary: String, style: MultipartParser.Style,
    lengthUsedUp: Bool = true
) -> FormOutcome {
    var parser = MultipartParser(boundary: boundary, style: style)
    var collector = PartCollector()
    do throws(FeedError) {
        for piece in pieces {
            for event in try parser.feed(ByteBuffer(bytes: piece)) { collector.take(event) }
        }
        try parser.finish(lengthUsedUp: lengthUsedUp)
    } catch {
        return .refused(error.kind)
    }
    return collector.outcome
}

/// Parses a body in chunks of one size; `nil` for the whole body at once. The middle of a large body arrives in larger
/// chunks, because a million chunks take seconds.
func parse(
    _ body: [UInt8], boundary: String, style: MultipartParser.Style, pieces: Int?, lengthUsedUp: Bool = true
) -> FormOutcome {
    let small = pieces ?? max(body.count, 1)
    let middle = 32 * 1024..<max(32 * 1024, body.count - 32 * 1024)
    let slices = sequence(state: 0) { start -> ArraySlice<UInt8>? in
        guard start < body.count else { return nil }
        let end = min(start + (middle.contains(start) ? max(small, 4093) : small), body.count)
        defer { start = end }
        return body[start..<end]
    }
    return parse(slices, boundary: boundary, style: style, lengthUsedUp: lengthUsedUp)
}

// MARK: - Bodies

/// Replaces `⏎` with the line end, CR LF by default.
func lines(_ text: String, end: String = "\r\n") -> [UInt8] {
    Array(text.split(separator: "⏎", omittingEmptySubsequences: false).joined(separator: end).utf8)
}

/// A part: header lines, an empty line and content.
func part(_ headers: String, _ content: String) -> [UInt8] {
    lines(headers + "⏎⏎") + Array(content.utf8)
}

func fieldPart(_ name: String, _ content: String) -> [UInt8] {
    part("Content-Disposition: form-data; name=\"\(name)\"", content)
}

/// - Parameter fileName: The text between the quotes.
func filePart(_ name: String, _ fileName: String, _ content: String) -> [UInt8] {
    part("Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"", content)
}

/// A file named `f` with the content `v`, whose name is not valid text.
func oddlyNamedPart(_ fileName: [UInt8]) -> [UInt8] {
    var bytes = Array("Content-Disposition: form-data; name=\"f\"; filename=\"".utf8)
    bytes += fileName
    bytes += Array("\"\r\n\r\nv".utf8)
    return bytes
}

/// A complete form.
/// - Parameter tail: The bytes after the closing delimiter.
func form(_ parts: [[UInt8]], boundary: String = "XbX", tail: String = "\r\n") -> [UInt8] {
    var body: [UInt8] = []
    for part in parts {
        body += Array("--\(boundary)\r\n".utf8)
        body += part
        body += [13, 10]
    }
    body += Array("--\(boundary)--\(tail)".utf8)
    return body
}

/// The first boundary and a part, followed by invalid bytes.
func broken(_ part: [UInt8], _ rest: String) -> [UInt8] {
    Array("--XbX\r\n".utf8) + part + Array(rest.utf8)
}
