/// Converts the HTML of a status to plain text.
public enum PlainText {
    private typealias Scalars = Substring.UnicodeScalarView

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "hellip": "…", "mdash": "—",
        "ndash": "–",
    ]

    /// Separates paragraphs by an empty line, turns `<br>` into a newline, and removes all other tags. Works on
    /// scalars, because a combining mark after a bracket would hide it from a comparison by characters.
    public static func from(html: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = Substring(html).unicodeScalars
        while let first = rest.first {
            switch first {
            case "<":
                guard let end = rest.firstIndex(of: ">") else {
                    result.append(contentsOf: rest)
                    return trimmed(result)
                }
                result.append(contentsOf: replacement(of: rest[rest.startIndex..<end].dropFirst()).unicodeScalars)
                rest = rest[end...].dropFirst()
            case "&":
                let (scalar, after) = entity(rest)
                result.append(scalar)
                rest = after
            default:
                let text = rest.prefix { $0 != "<" && $0 != "&" }
                result.append(contentsOf: text)
                rest = rest[text.endIndex...]
            }
        }
        return trimmed(result)
    }

    private static func replacement(of tag: Scalars) -> String {
        let isEnd = tag.first == "/"
        let name = tag.drop { $0 == "/" }.prefix { !$0.properties.isWhitespace && $0 != "/" }
        switch (isEnd, String(name).lowercased()) {
        case (_, "br"): return "\n"
        case (true, "p"), (true, "blockquote"), (true, "ul"), (true, "ol"), (true, "pre"): return "\n\n"
        case (true, "li"): return "\n"
        case (false, "li"): return "• "
        default: return ""
        }
    }

    private static func entity(_ rest: Scalars) -> (Unicode.Scalar, Scalars) {
        let inside = rest.dropFirst().prefix(12).prefix { $0 != ";" && $0 != "&" && $0 != "<" }
        let after = rest[inside.endIndex...]
        guard after.first == ";" else { return ("&", rest.dropFirst()) }
        let name = String(inside)
        if let scalar = entities[name] { return (scalar, after.dropFirst()) }
        if name.hasPrefix("#"), let scalar = number(name.dropFirst()) { return (scalar, after.dropFirst()) }
        return ("&", rest.dropFirst())
    }

    private static func number(_ digits: Substring) -> Unicode.Scalar? {
        let isHex = digits.first == "x" || digits.first == "X"
        return UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
    }

    private static func trimmed(_ scalars: String.UnicodeScalarView) -> String {
        var text = Substring(String(scalars))
        while text.last?.isWhitespace == true { text.removeLast() }
        while text.first?.isNewline == true { text.removeFirst() }
        return String(text)
    }
}
