/// The HTML of a status as plain text.
public enum PlainText {
    private static let entities: [Substring: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "hellip": "…", "mdash": "—",
        "ndash": "–",
    ]

    /// Paragraphs are parted by an empty line, `<br>` is a line end; other tags go, their text stays.
    public static func from(html: String) -> String {
        var result = ""
        var rest = html[...]
        while let first = rest.first {
            switch first {
            case "<":
                guard let end = rest.firstIndex(of: ">") else { return trimmed(result + rest) }
                append(tag: rest[rest.index(after: rest.startIndex)..<end], to: &result)
                rest = rest[rest.index(after: end)...]
            case "&":
                let (character, after) = entity(rest)
                result.append(character)
                rest = after
            default:
                let text = rest.prefix { $0 != "<" && $0 != "&" }
                result += text
                rest = rest[text.endIndex...]
            }
        }
        return trimmed(result)
    }

    private static func append(tag: Substring, to result: inout String) {
        let name = tag.prefix { !$0.isWhitespace && ($0 != "/" || tag.first == "/") }.lowercased()
        switch name {
        case "br": result += "\n"
        case "/p", "/blockquote", "/ul", "/ol", "/pre": result += "\n\n"
        case "/li": result += "\n"
        case "li": result += "• "
        default: break
        }
    }

    private static func entity(_ rest: Substring) -> (Character, Substring) {
        let inside = rest.dropFirst().prefix { $0 != ";" && $0 != "&" && $0 != "<" }
        let after = rest[inside.endIndex...]
        guard inside.count <= 10, after.first == ";" else { return ("&", rest.dropFirst()) }
        if let character = entities[inside] { return (character, after.dropFirst()) }
        if inside.first == "#", let scalar = number(inside.dropFirst()) {
            return (Character(scalar), after.dropFirst())
        }
        return ("&", rest.dropFirst())
    }

    private static func number(_ digits: Substring) -> Unicode.Scalar? {
        let isHex = digits.first == "x" || digits.first == "X"
        return UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        while text.first?.isNewline == true { text.removeFirst() }
        return String(text)
    }
}
