/// Splits HTML into tags and text, as leniently as a browser. Comments, and elements whose content is not text, such as
/// scripts, are left out. Works on scalars, because a combining mark after a bracket would hide it from a comparison by
/// characters. Each scalar is read a constant number of times.
struct HTMLTokenizer: Sequence, IteratorProtocol {
    enum Token: Equatable {
        /// Text, with its entities decoded.
        case text(String)
        case start(HTMLTag)
        /// The name of a closed element, in lowercase.
        case end(String)
    }

    /// Elements whose content is never shown as text.
    private static let hidden: Set<String> = [
        "script", "style", "title", "template", "iframe", "noscript", "noembed", "noframes", "textarea", "svg",
    ]

    private var rest: Substring.UnicodeScalarView

    init(_ html: String) { rest = Substring(html).unicodeScalars }

    mutating func next() -> Token? {
        while let first = rest.first {
            guard first == "<" else { return text() }
            switch rest.dropFirst().first {
            case "!"?, "?"?: skipDeclaration()
            case "/"?: if let token = endTag() { return token }
            case let letter? where letter.properties.isAlphabetic && letter.isASCII: return startTag()
            default: return text()
            }
        }
        return nil
    }

    /// The text up to the next bracket. A bracket that starts no tag is text.
    private mutating func text() -> Token {
        let end = rest.dropFirst().firstIndex { $0 == "<" } ?? rest.endIndex
        defer { rest = rest[end...] }
        return .text(HTMLEntities.decoded(rest[..<end]))
    }

    private mutating func skipDeclaration() {
        if rest.starts(with: "<!--".unicodeScalars) {
            rest = rest.dropFirst(4)
            while !rest.isEmpty, !rest.starts(with: "-->".unicodeScalars) { rest = rest.dropFirst() }
            rest = rest.dropFirst(3)
        } else {
            rest = rest.drop { $0 != ">" }.dropFirst()
        }
    }

    private mutating func endTag() -> Token? {
        guard let end = rest.firstIndex(where: { $0 == ">" }) else { return remainder() }
        let name = Self.name(rest[..<end].dropFirst(2))
        rest = rest[end...].dropFirst()
        return name.isEmpty ? nil : .end(name)
    }

    private mutating func startTag() -> Token {
        var reader = HTMLTag.Reader(rest.dropFirst())
        guard let tag = reader.tag() else { return remainder() }
        rest = reader.rest
        if Self.hidden.contains(tag.name) { skip(to: tag.name) }
        return .start(tag)
    }

    /// Skips the content of an element.
    private mutating func skip(to name: String) {
        while let start = rest.firstIndex(where: { $0 == "<" }) {
            rest = rest[start...]
            if rest.dropFirst().first == "/", Self.name(rest.dropFirst(2).prefix(name.count + 1)) == name { return }
            rest = rest.dropFirst()
        }
        rest = rest[rest.endIndex...]
    }

    /// A tag without an end is text.
    private mutating func remainder() -> Token {
        defer { rest = rest[rest.endIndex...] }
        return .text(HTMLEntities.decoded(rest))
    }

    static func name(_ text: Substring.UnicodeScalarView) -> String {
        String(text.prefix { !$0.properties.isWhitespace && $0 != "/" && $0 != ">" }).lowercased()
    }
}
