import Foundation

/// The file name in a `Content-Disposition` field (RFC 6266), and in a URL.
enum SuggestedFilename {
    /// The last segment of the name, without anything that is unsafe in a local file name; `nil` if there is none.
    /// `filename*` (RFC 8187) takes precedence over `filename`.
    static func fileName(_ field: String) -> String? {
        var parser = ParameterParser(field)
        var (plain, extended) = (String?.none, String?.none)
        while let (name, value) = parser.next() {
            switch name {
            case "filename": plain = plain ?? safe(lastSegment(value))
            case "filename*": extended = extended ?? decoded(value).flatMap { safe(lastSegment($0)) }
            default: break
            }
        }
        return extended ?? plain
    }

    /// The value of `file` in the query of a URL, as the classic dialect names files.
    static func fileName(inQueryOf url: String) -> String? {
        let items = URLComponents(string: url)?.queryItems
        return items?.first { $0.name == "file" }?.value.flatMap { safe(lastSegment($0)) }
    }

    /// A name without control characters, slashes, and dots at its start, which would hide the file.
    static func safe(_ name: String) -> String? {
        let allowed = name.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0 != "/" }
        let visible = String(String.UnicodeScalarView(allowed.drop { $0 == "." || $0 == " " }))
        let trimmed = visible.trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Names may be paths of the sender's system.
    private static func lastSegment(_ path: String) -> String {
        let segment = path.utf8.split(omittingEmptySubsequences: false) { $0 == 0x2F || $0 == 0x5C }.last
        return segment.map { String(decoding: Array($0), as: UTF8.self) } ?? ""
    }

    /// Decodes `UTF-8'en'na%20me`.
    private static func decoded(_ value: String) -> String? {
        let parts = value.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let encoded = String(decoding: Array(parts[2]), as: UTF8.self)
        switch String(decoding: Array(parts[0]), as: UTF8.self).lowercased() {
        case "utf-8": return encoded.removingPercentEncoding
        case "iso-8859-1":
            return percentDecoded(encoded).map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) }
        default: return nil
        }
    }

    private static func percentDecoded(_ text: String) -> [UInt8]? {
        var (bytes, rest) = ([UInt8](), text[...].utf8)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: Array(rest.prefix(2)), as: UTF8.self)
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}

/// Reads the parameters behind the type of a field, such as `attachment; filename="a"`.
private struct ParameterParser {
    private var rest: Substring.UTF8View

    init(_ field: String) { rest = field[...].utf8 }

    /// The next parameter, with its name in lowercase.
    mutating func next() -> (name: String, value: String)? {
        rest = rest.drop { $0 != UInt8(ascii: ";") }.dropFirst()
        guard !rest.isEmpty else { return nil }
        let name = token()
        guard rest.first == UInt8(ascii: "=") else { return (name, "") }
        rest = rest.dropFirst()
        return (name.lowercased(), value())
    }

    private mutating func value() -> String {
        skipSpaces()
        guard rest.first == UInt8(ascii: "\"") else { return token() }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\"), let next = rest.first, next == UInt8(ascii: "\"") || next == byte else {
                // Some servers do not escape the backslashes of a path.
                bytes.append(byte)
                continue
            }
            bytes.append(next)
            rest = rest.dropFirst()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func token() -> String {
        skipSpaces()
        let token = rest.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
        rest = rest[token.endIndex...]
        return String(decoding: Array(token), as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
}
