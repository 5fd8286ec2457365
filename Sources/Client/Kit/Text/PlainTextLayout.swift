/// Lays out plain text: lines, empty lines, and what stands at the beginning of a line.
struct PlainTextLayout {
    /// An element that changes the beginning of its lines.
    enum Container: Equatable {
        case quote, code
        /// A list and, if it is numbered, the number of its next item.
        case list(next: Int?)
        /// An item of a list and, until it has been written, its marker.
        case item(marker: String)

        /// Whether both are the same kind of element.
        func isLike(_ other: Container) -> Bool {
            switch (self, other) {
            case (.quote, .quote), (.code, .code), (.list, .list), (.item, .item): true
            default: false
            }
        }
    }

    private struct Open {
        var container: Container
        /// The text that the container adds at the beginning of each line.
        var indent: String
    }

    /// Deeper elements have no effect, so that the text does not grow out of proportion.
    private static let maximumDepth = 8
    /// The maximum number of successive line breaks.
    private static let maximumBreaks = 4

    /// Not a view of scalars, because appending a sequence to it takes time proportional to its whole length.
    private var result = ""
    private var containers: [Open] = []
    /// The line breaks that precede the next text.
    private var breaks = 0
    /// The number of quotes around the last line.
    private var quoteDepth = 0

    /// The text so far, without line breaks and spaces at its end.
    var text: String {
        var text = Substring(result)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    var isCode: Bool { containers.contains { $0.container == .code } }
    var isInItem: Bool { containers.contains { $0.container.isLike(.item(marker: "")) } }
    private var isLineStart: Bool { result.isEmpty || breaks > 0 }

    mutating func open(_ container: Container) {
        guard containers.count < Self.maximumDepth else { return }
        let indent =
            switch container {
            case .quote: "> "
            case .code: "    "
            case .list: ""
            case .item(let marker): String(repeating: " ", count: marker.count)
            }
        containers.append(Open(container: container, indent: indent))
    }

    /// Opens an item of the innermost list.
    mutating func openItem() {
        close(.item(marker: ""), within: .list(next: nil))
        let index = containers.lastIndex { $0.container.isLike(.list(next: nil)) }
        guard let index, case .list(let next?) = containers[index].container else {
            return open(.item(marker: "• "))
        }
        containers[index].container = .list(next: next < Int.max ? next + 1 : next)
        open(.item(marker: "\(next). "))
    }

    /// Closes the innermost container of a kind, and what it contains.
    /// - Parameter outer: Containers outside of the innermost one of this kind stay open.
    mutating func close(_ container: Container, within outer: Container? = nil) {
        let bound = outer.flatMap { outer in containers.lastIndex { $0.container.isLike(outer) } } ?? -1
        guard let index = containers.lastIndex(where: { $0.container.isLike(container) }), index > bound else { return }
        containers.removeSubrange(index...)
    }

    /// Ends the line; several calls leave empty lines.
    mutating func breakLine() { breaks = min(breaks + 1, Self.maximumBreaks) }

    /// Makes sure that at least this number of line breaks precedes the next text.
    mutating func breakLines(_ count: Int) { breaks = max(breaks, count) }

    mutating func appendSpace() {
        if !isLineStart { append(" ") }
    }

    /// Writes the text of an element. Outside of code, line breaks and tabs are spaces, as in a browser; other spaces are
    /// kept.
    mutating func write(_ text: String) {
        if isCode { return writeCode(text) }
        let isBlank = text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        if isBlank, isLineStart || text.isEmpty { return }
        append(Self.collapsed(text, isLineStart: isLineStart))
    }

    private mutating func writeCode(_ text: String) {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // As in a browser, a line break at the beginning has no effect.
        if isLineStart, lines.count > 1, lines[0].isEmpty { lines.removeFirst() }
        for (index, line) in lines.enumerated() {
            if index > 0 { breakLine() }
            append(String(line))
        }
    }

    /// Appends text without line breaks.
    mutating func append(_ text: String) {
        guard !text.isEmpty else { return }
        startLine()
        result += text
    }

    /// Writes the pending line breaks and the beginning of the line.
    private mutating func startLine() {
        guard isLineStart else { return }
        let depth = containers.prefix { $0.container == .quote }.count
        if !result.isEmpty {
            // Only an empty line within a quote is marked.
            let quotes = [String](repeating: ">", count: min(depth, quoteDepth)).joined(separator: " ")
            for _ in 1..<max(1, breaks) { result += "\n" + quotes }
            result += "\n"
        }
        (breaks, quoteDepth) = (0, depth)
        for index in containers.indices { result += beginning(index) }
    }

    private mutating func beginning(_ index: Int) -> String {
        guard case .item(let marker) = containers[index].container, !marker.isEmpty else {
            return containers[index].indent
        }
        containers[index].container = .item(marker: "")
        return marker
    }

    /// Replaces runs of whitespace that contain a line break or a tab by a space.
    private static func collapsed(_ text: String, isLineStart: Bool) -> String {
        var result = ""
        var rest = Substring(text).unicodeScalars
        while let first = rest.first {
            let isSpace = first.properties.isWhitespace
            let run = rest.prefix { $0.properties.isWhitespace == isSpace }
            rest = rest[run.endIndex...]
            if isSpace, run.contains(where: { $0 == "\n" || $0 == "\r" || $0 == "\t" }) {
                if !result.isEmpty || !isLineStart { result += " " }
            } else {
                result.append(contentsOf: Substring(run))
            }
        }
        return result
    }
}
