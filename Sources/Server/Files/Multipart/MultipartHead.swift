import FeedCore
import Foundation

/// The headers of a part.
package struct MultipartHead: Equatable, Sendable {
    /// The name of the form field.
    package var name: String
    /// The sanitized file name without its path; `nil` for a field without a file.
    package var fileName: String?
    /// Whether the part is a file input, even if no file was selected.
    package var isFile: Bool

    private static let maximumHeaders = 32
    private static let maximumName = 1024

    package init(name: String, fileName: String?, isFile: Bool) {
        self.name = name
        self.fileName = fileName
        self.isFile = isFile
    }

    /// Parses a header block.
    /// - Throws: ``FeedError`` `.malformed`.
    init(block: [UInt8], lineEnd: [UInt8]) throws(FeedError) {
        var disposition: [UInt8]?
        let lines = Self.lines(block, lineEnd)
        guard lines.count <= Self.maximumHeaders else { throw MultipartParser.malformed("A part has too many headers") }
        for line in lines {
            let (name, value) = try Self.field(line)
            guard name == "content-disposition" else { continue }
            guard disposition == nil else {
                throw MultipartParser.malformed("A part has more than one Content-Disposition header")
            }
            disposition = value
        }
        guard let disposition else { throw MultipartParser.malformed("A part has no Content-Disposition header") }
        let parameters = try DispositionParameters(disposition)
        guard let name = parameters["name"], name.utf8.count <= Self.maximumName else {
            throw MultipartParser.malformed("A part has no name or a name longer than \(Self.maximumName) bytes")
        }
        self.name = name
        let raw = parameters.extendedFileName ?? parameters["filename"]
        isFile = raw != nil
        fileName = raw.flatMap { $0.isEmpty ? nil : UploadedName.safe($0) }
    }

    private static func lines(_ block: [UInt8], _ lineEnd: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = block[...]
        while let end = rest.indices.first(where: { rest[$0...].starts(with: lineEnd) }) {
            lines.append(rest[..<end])
            rest = rest[(end + lineEnd.count)...]
        }
        lines.append(rest)
        return lines
    }

    private static func field(_ line: ArraySlice<UInt8>) throws(FeedError) -> (name: String, value: [UInt8]) {
        guard let colon = line.firstIndex(of: 58), colon > line.startIndex,
            line[..<colon].allSatisfy({ $0 > 32 && $0 < 127 }),
            !line.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 })
        else { throw MultipartParser.malformed("A part has a malformed header") }
        return (String(decoding: line[..<colon], as: UTF8.self).lowercased(), Array(line[(colon + 1)...]))
    }
}

/// Sanitizes file names sent by clients.
package enum UploadedName {
    /// The last path segment without control characters, leading dots and surrounding whitespace; `file` if nothing
    /// remains.
    package static func safe(_ raw: String) -> String {
        var name = FileName.lastSegment(raw).unicodeScalars.filter { !isControl($0) }[...]
        while let first = name.first, first == "." || first.properties.isWhitespace { name.removeFirst() }
        while let last = name.last, last.properties.isWhitespace { name.removeLast() }
        return name.isEmpty ? "file" : String(String.UnicodeScalarView(name))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }
}
