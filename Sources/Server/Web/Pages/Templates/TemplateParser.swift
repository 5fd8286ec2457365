import FeedCore

/// Parses a template. As in Mustache, a tag that does not render anything itself and is alone on its line leaves no
/// empty line.
struct TemplateParser {
    /// A section whose end has not been reached.
    private struct Section {
        let key: TemplateName
        let isInverted: Bool
        /// The parts before the section.
        let before: Template
    }

    private let name: String
    private let source: [UInt8]
    private var position = 0
    private var sections: [Section] = []
    private var template = Template()
    /// The text since the last tag.
    private var text: [UInt8] = []

    /// - Parameters:
    ///   - source: The template in UTF-8.
    ///   - name: The name of the template, for messages.
    /// - Throws: ``FeedError`` `.storage` if the template is malformed or refers to an unknown name.
    static func parse(_ source: [UInt8], name: String) throws(FeedError) -> Template {
        var parser = TemplateParser(source, name: name)
        return try parser.run()
    }

    static func malformed(_ name: String, _ what: String) -> FeedError {
        FeedError(.storage, "the template \(name).mustache \(what)", hint: "Check --public DIR.")
    }

    private init(_ source: [UInt8], name: String) {
        self.source = source
        self.name = name
    }

    private mutating func run() throws(FeedError) -> Template {
        while let start = source[position...].range(of: "{{")?.lowerBound {
            text += source[position..<start]
            position = start
            try tag()
        }
        text += source[position...]
        append(nil)
        if let open = sections.last { throw malformed("does not close \(open.key)") }
        return template
    }

    private mutating func tag() throws(FeedError) {
        let start = position
        let isTriple = source[position...].starts(with: "{{{".utf8)
        let content = try content(isTriple ? "{{{" : "{{", isTriple ? "}}}" : "}}")
        if isTriple { return append(.value(try key(content))) }
        let rest = Self.trimmed(content.dropFirst())
        switch content.first.map({ Unicode.Scalar($0) }) ?? " " {
        case "#":
            skipLine(from: start)
            open(try key(rest), isInverted: false)
        case "^":
            skipLine(from: start)
            open(try key(rest), isInverted: true)
        case "/":
            skipLine(from: start)
            try close(try key(rest))
        case ">":
            skipLine(from: start)
            append(.partial(String(decoding: rest, as: UTF8.self)))
        case "!": skipLine(from: start)
        default: append(content.elementsEqual(".".utf8) ? .element : .value(try key(content)))
        }
    }

    /// Reads a tag up to its end.
    private mutating func content(_ open: StaticString, _ close: StaticString) throws(FeedError) -> ArraySlice<UInt8> {
        let inside = source[(position + open.utf8CodeUnitCount)...]
        guard let end = inside.range(of: close) else { throw malformed("has a tag without an end") }
        position = end.upperBound
        return Self.trimmed(inside[..<end.lowerBound])
    }

    private func key(_ content: ArraySlice<UInt8>) throws(FeedError) -> TemplateName {
        let text = String(decoding: Self.trimmed(content), as: UTF8.self)
        guard let key = TemplateName.named[text] else { throw malformed("contains the unknown name \(text)") }
        return key
    }

    private mutating func open(_ key: TemplateName, isInverted: Bool) {
        append(nil)
        sections.append(Section(key: key, isInverted: isInverted, before: template))
        template = Template()
    }

    private mutating func close(_ key: TemplateName) throws(FeedError) {
        append(nil)
        guard let section = sections.popLast(), section.key == key else { throw malformed("does not open \(key)") }
        let inner = template
        template = section.before
        template.parts.append(section.isInverted ? .inverted(key, inner) : .section(key, inner))
    }

    /// Appends the text since the last tag, and a part.
    private mutating func append(_ part: Template.Part?) {
        if !text.isEmpty { template.parts.append(.bytes(text)) }
        text = []
        if let part { template.parts.append(part) }
    }

    /// Removes the line of a tag that is alone on it.
    private mutating func skipLine(from start: Int) {
        let before = source[..<start].reversed().prefix { $0 != Self.lineFeed }
        let after = source[position...].prefix { $0 != Self.lineFeed }
        guard before.allSatisfy(Self.isBlank), after.allSatisfy(Self.isBlank) else { return }
        text.removeLast(min(before.count, text.count))
        position = min(after.endIndex + 1, source.count)
    }

    private func malformed(_ what: String) -> FeedError { Self.malformed(name, what) }

    private static let lineFeed = UInt8(ascii: "\n")

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = bytes.drop { isBlank($0) || $0 == lineFeed }
        let kept = start.reversed().drop { isBlank($0) || $0 == lineFeed }
        return start.prefix(kept.count)
    }
}

extension ArraySlice<UInt8> {
    /// The first occurrence of an ASCII text. The search of the standard library allocates memory, often and whenever a
    /// server starts.
    func range(of text: StaticString) -> Range<Int>? {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        var rest = self
        while let start = rest.firstIndex(of: bytes[0]) {
            rest = self[start...]
            if rest.starts(with: bytes) { return start..<start + bytes.count }
            rest = rest.dropFirst()
        }
        return nil
    }
}

/// A page template in a subset of [Mustache](https://mustache.github.io/mustache.5.html): variables, sections, inverted
/// sections, partials and comments. It is parsed once; rendering copies bytes.
struct Template: Sendable {
    enum Part: Sendable {
        case bytes([UInt8])
        /// `{{name}}` or `{{{name}}}`; the type of the value, not the template, decides whether it is escaped.
        case value(TemplateName)
        /// `{{.}}`, an element of a list of texts.
        case element
        /// `{{#name}}…{{/name}}`
        case section(TemplateName, Template)
        /// `{{^name}}…{{/name}}`
        case inverted(TemplateName, Template)
        /// `{{>name}}`
        case partial(String)
    }

    var parts: [Part] = []

    /// The names of the partials in this template and its sections.
    var partials: [String] {
        parts.flatMap { part -> [String] in
            switch part {
            case .partial(let name): [name]
            case .section(_, let template), .inverted(_, let template): template.partials
            case .bytes, .value, .element: []
            }
        }
    }
}
