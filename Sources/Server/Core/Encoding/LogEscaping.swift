/// Formats untrusted values for log lines, so that they can neither end a line nor imitate another field.
package enum LogEscaping {
    /// A value of `name=value` in a line of text: bare if it is unambiguous, otherwise in quotes.
    /// - Parameter limit: The maximum number of bytes before escaping; the rest is replaced by `…`.
    package static func text(_ value: String, limit: Int = .max) -> String {
        let value = bounded(value, limit)
        return isPlain(value.utf8) ? value : quoted(value)
    }

    /// Appends the same to a line in UTF-8. Does not allocate memory for a value that needs no escapes.
    package static func append(_ value: String, limit: Int = .max, to line: inout [UInt8]) {
        var value = bounded(value, limit)
        let isDone = value.withUTF8 { bytes in
            let isBare = isPlain(bytes)
            guard isBare || bytes.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }) else {
                return false
            }
            if !isBare { line.append(0x22) }
            line.append(contentsOf: bytes)
            if !isBare { line.append(0x22) }
            return true
        }
        if !isDone { line.append(contentsOf: quoted(value).utf8) }
    }

    private static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            default: append(scalar, to: &text)
            }
        }
        return text + "\""
    }

    /// A value for a string in JSON, which has escapes of its own for quotes and for control characters of ASCII.
    /// - Parameter limit: The maximum number of bytes before escaping; the rest is replaced by `…`.
    package static func json(_ value: String, limit: Int = .max) -> String {
        let value = bounded(value, limit)
        let needsEscape: (Unicode.Scalar) -> Bool = { $0.value >= 0x7F && isHarmful($0) }
        guard value.unicodeScalars.contains(where: needsEscape) else { return value }
        var text = ""
        for scalar in value.unicodeScalars {
            if needsEscape(scalar) { append(scalar, to: &text) } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        if isHarmful(scalar) {
            text += "\\u{" + String(scalar.value, radix: 16) + "}"
        } else {
            text.unicodeScalars.append(scalar)
        }
    }

    /// - Parameter limit: The maximum number of bytes; the rest is replaced by `…`.
    package static func bounded(_ value: String, _ limit: Int) -> String {
        value.utf8.count <= limit ? value : String(decoding: value.utf8.prefix(limit), as: UTF8.self) + "…"
    }

    /// Whether a value consists of visible ASCII characters without a meaning in a line. A lone `-` means "no value".
    private static func isPlain(_ value: some Collection<UInt8>) -> Bool {
        guard let first = value.first, first != 0x2D || value.count > 1 else { return false }
        return value.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C && $0 != 0x3D }
    }

    /// Control characters, line separators, and characters that change the direction of text (CWE-117, CWE-150).
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            true
        default: false
        }
    }
}
