import FeedCore
import Foundation

/// The header of a part of a `multipart/form-data` body.
package struct MultipartHeader: Equatable, Sendable {
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

/// The parameters of `Content-Disposition: form-data; …` (RFC 7578 §4.2). Some clients send `filename*` (RFC 8187)
/// although RFC 7578 forbids it; it takes precedence over `filename`.
private struct DispositionParameters {
    private var values: [String: String] = [:]
    private(set) var extendedFileName: String?

    subscript(name: String) -> String? { values[name] }

    init(_ value: [UInt8]) throws(FeedError) {
        var scanner = Scanner(bytes: value)
        guard scanner.token().lowercased() == "form-data" else { throw Self.malformed }
        while scanner.skipSeparator() {
            let name = scanner.token().lowercased()
            guard !name.isEmpty, scanner.skip(61), let text = scanner.value(), values[name] == nil else {
                throw Self.malformed
            }
            values[name] = text
        }
        guard scanner.isAtEnd else { throw Self.malformed }
        extendedFileName = values["filename*"].flatMap(Self.extended)
    }

    private static let malformed = MultipartParser.malformed("A part has a malformed Content-Disposition")

    /// Decodes an extended value such as `UTF-8'en'%e2%82%ac.txt`; `nil` for another charset or an invalid escape.
    private static func extended(_ text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
            .map(Substring.init)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return parts[2].removingStrictPercentEncoding
    }

    private struct Scanner {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { index == bytes.count }

        mutating func skipBlanks() {
            while index < bytes.count, bytes[index] == 32 || bytes[index] == 9 { index += 1 }
        }

        mutating func skip(_ byte: UInt8) -> Bool {
            skipBlanks()
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            skipBlanks()
            return true
        }

        /// Skips a `;`. Returns `false` if no parameter follows; a trailing `;` is tolerated.
        mutating func skipSeparator() -> Bool { skip(59) && !isAtEnd }

        mutating func token() -> String {
            skipBlanks()
            let start = index
            while index < bytes.count, bytes[index] > 32, !";=\"".utf8.contains(bytes[index]) { index += 1 }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }

        mutating func value() -> String? {
            guard index < bytes.count else { return nil }
            return bytes[index] == 34 ? quoted() : token()
        }

        /// Whether the quote at an index ends the value: nothing or another parameter follows.
        private func isClosing(_ quote: Int) -> Bool {
            var rest = Self(bytes: bytes)
            rest.index = quote + 1
            guard !rest.isAtEnd else { return true }
            guard rest.skip(59) else { return rest.isAtEnd }
            return rest.isAtEnd || !rest.token().isEmpty && rest.skip(61)
        }

        /// Reads a quoted string. Only `\"` is an escape, because old clients send unescaped Windows paths. Browsers
        /// send `%22`, `%0D` and `%0A` (RFC 7578 §4.2, WHATWG HTML) and leave backslashes unescaped, even the last one.
        private mutating func quoted() -> String? {
            var result: [UInt8] = []
            index += 1
            while index < bytes.count, bytes[index] != 34 {
                if bytes[index] == 92, index + 1 < bytes.count, bytes[index + 1] == 34, !isClosing(index + 1) {
                    index += 1
                }
                result.append(bytes[index])
                index += 1
            }
            guard index < bytes.count else { return nil }
            index += 1
            skipBlanks()
            for (code, character) in [("%22", "\""), ("%0D", "\r"), ("%0d", "\r"), ("%0A", "\n"), ("%0a", "\n")] {
                result = result.replacing(code.utf8, with: character.utf8)
            }
            return String(decoding: result, as: UTF8.self)
        }
    }
}

extension StringProtocol {
    /// The percent-decoded text, or `nil` if it contains an invalid escape or invalid UTF-8.
    package var removingStrictPercentEncoding: String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var iterator = utf8.makeIterator()
        while let byte = iterator.next() {
            guard byte == 37 else {
                bytes.append(byte)
                continue
            }
            guard let high = iterator.next().flatMap(Hex.value),
                let low = iterator.next().flatMap(Hex.value)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
