/// Escapes text for HTML.
private enum HTMLEscaping {
    /// The entity that replaces an ASCII character in text and in quoted attributes.
    static func entity(for byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}

extension String {
    /// The string with `& < > " '` replaced by entities, safe in text and in quoted attributes.
    package var escapedHTML: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        bytes.append(escapingHTML: self)
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func appendEscaped(_ scalar: Unicode.Scalar) {
        if scalar.isASCII, let entity = HTMLEscaping.entity(for: UInt8(truncatingIfNeeded: scalar.value)) {
            self += entity.description
        } else {
            unicodeScalars.append(scalar)
        }
    }
}

// All bytes with a meaning in HTML are ASCII, so UTF-8 can be copied in runs between them.
extension [UInt8] {
    /// Appends text with `& < > " '` replaced by entities, safe in text and in quoted attributes.
    package mutating func append(escapingHTML text: String) {
        var text = text
        text.withUTF8 { text in
            var plain = 0
            for (index, byte) in text.enumerated() {
                guard let entity = HTMLEscaping.entity(for: byte) else { continue }
                append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<index]))
                entity.withUTF8Buffer { append(contentsOf: $0) }
                plain = index + 1
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: text[plain...]))
        }
    }

    /// Appends stored HTML, in which `"~/` marks a URL on this server.
    /// - Parameter base: The address of the server; if it is empty, such URLs are relative.
    package mutating func append(localHTML html: String, base: String = "") {
        var html = html
        html.withUTF8 { html in
            var plain = 0
            for (index, byte) in html.enumerated() where byte == UInt8(ascii: "~") {
                guard index > plain, html[index - 1] == UInt8(ascii: "\""), index + 1 < html.count,
                    html[index + 1] == UInt8(ascii: "/")
                else { continue }
                append(contentsOf: UnsafeBufferPointer(rebasing: html[plain..<index]))
                append(contentsOf: base.utf8)
                plain = index + 1
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: html[plain...]))
        }
    }
}
