import Foundation

/// Converts the HTML of a status to plain text.
///
/// Paragraphs are separated by an empty line. Lists have numbers or bullets, quotes start with `> `, blocks of code are
/// indented, and the address of a link follows its text if that says something else. Pictures become their descriptions.
public enum PlainText {
    /// - Parameters:
    ///   - html: HTML of any server.
    ///   - leavesOutQuote: Whether to leave out the link to the quoted status, which servers add for apps that do not show
    ///     quotes.
    public static func from(html: String, leavesOutQuote: Bool = false) -> String {
        var builder = PlainTextBuilder(leavesOutQuote: leavesOutQuote)
        for token in HTMLTokenizer(html) { builder.add(token) }
        return builder.text
    }

    /// The addresses of the links of a status whose text is their address without its scheme, by that text in
    /// lowercase.
    /// - Parameter html: HTML of any server.
    public static func bareAddresses(html: String) -> [String: String] {
        var (addresses, link) = ([String: String](), PlainTextLink?.none)
        for token in HTMLTokenizer(html) {
            switch token {
            case .start(let tag) where tag.name == "a": link = PlainTextLink(tag)
            case .text(let text): link?.text += text
            case .end("a"):
                if let (text, address) = link?.bareAddress { addresses[text] = address }
                link = nil
            default: break
            }
        }
        return addresses
    }
}

/// Builds plain text from the tags and texts of an HTML document.
struct PlainTextBuilder {
    /// The elements before which a line ends, and the number of line breaks.
    private static let blocks: [String: Int] = [
        "p": 2, "blockquote": 2, "pre": 2, "ul": 2, "ol": 2, "dl": 2, "table": 2, "h1": 2, "h2": 2, "h3": 2, "h4": 2,
        "h5": 2, "h6": 2, "div": 1, "li": 1, "tr": 1, "dt": 1, "dd": 1, "section": 1, "article": 1, "header": 1,
        "footer": 1, "figure": 1, "figcaption": 1, "details": 1, "summary": 1, "address": 1,
    ]

    /// Marks before the text of elements whose meaning would otherwise change: 10² would become 102.
    private static let marks = ["sup": "^", "sub": "_", "del": "~~", "s": "~~", "strike": "~~"]

    private var layout = PlainTextLayout()
    private let leavesOutQuote: Bool
    private var link: PlainTextLink?
    /// The element that is being left out, and how many elements of this name are open.
    private var skipped: (name: String, depth: Int)?
    private var formula: MathFormula?

    init(leavesOutQuote: Bool) { self.leavesOutQuote = leavesOutQuote }

    var text: String {
        guard let formula else { return layout.text }
        var layout = layout
        layout.write(formula.text)
        return layout.text
    }

    mutating func add(_ token: HTMLTokenizer.Token) {
        if skip(token) { return }
        if formula != nil { return addToFormula(token) }
        switch token {
        case .text(let text): write(text)
        case .start(let tag): start(tag)
        case .end(let name): end(name)
        }
    }

    /// Whether a token belongs to an element that is left out.
    private mutating func skip(_ token: HTMLTokenizer.Token) -> Bool {
        switch (skipped, token) {
        case (let open?, .start(let tag)): if tag.name == open.name { skipped?.depth += 1 }
        case (let open?, .end(let name)) where name == open.name:
            skipped = open.depth > 1 ? (open.name, open.depth - 1) : nil
        case (nil, .start(let tag)) where leavesOutQuote && tag.hasClass("quote-inline"): skipped = (tag.name, 1)
        case (nil, _): return false
        default: break
        }
        return true
    }

    private mutating func addToFormula(_ token: HTMLTokenizer.Token) {
        guard case .end("math") = token else {
            formula?.add(token)
            return
        }
        let text = formula?.text ?? ""
        formula = nil
        write(text)
    }

    private mutating func start(_ tag: HTMLTag) {
        breakLines(tag.name)
        switch tag.name {
        case "math": formula = MathFormula()
        case let name where Self.marks[name] != nil: layout.append(Self.marks[name] ?? "")
        case "br": layout.breakLine()
        case "blockquote": layout.open(.quote)
        case "pre": layout.open(.code)
        case "ul": layout.open(.list(next: nil))
        case "ol": layout.open(.list(next: tag.attributes["start"].flatMap { Int($0) } ?? 1))
        case "li": layout.openItem()
        case "code" where !layout.isCode: layout.append("`")
        case "hr":
            layout.breakLines(2)
            layout.append("---")
            layout.breakLines(2)
        case "img": write(tag.attributes["alt"] ?? tag.attributes["title"] ?? "")
        case "td", "th": layout.appendSpace()
        case "a": link = PlainTextLink(tag)
        default: break
        }
    }

    private mutating func end(_ name: String) {
        switch name {
        case "blockquote": layout.close(.quote)
        case "pre": layout.close(.code)
        case "ul", "ol": layout.close(.list(next: nil))
        case "li": layout.close(.item(marker: ""))
        case "code" where !layout.isCode: layout.append("`")
        case "del", "s", "strike": layout.append("~~")
        case "a":
            if let address = link?.addition { layout.append(address) }
            link = nil
        default: break
        }
        breakLines(name)
    }

    private mutating func write(_ text: String) {
        link?.text += text
        layout.write(text)
    }

    /// In an item of a list, paragraphs and lists are not set apart.
    private mutating func breakLines(_ name: String) {
        guard let count = Self.blocks[name] else { return }
        layout.breakLines(layout.isInItem ? 1 : count)
    }
}

/// A link in the HTML of a status, whose address is added to the text if the text hides it.
struct PlainTextLink {
    /// The text of the link so far.
    var text = ""
    /// `nil` for mentions and hashtags, whose addresses say nothing new.
    private let address: String?

    init(_ tag: HTMLTag) {
        let address = tag.attributes["href"] ?? ""
        let isWeb = Self.schemes.contains { address.utf8.starts(with: $0.utf8) }
        let isName = tag.hasClass("mention") || tag.hasClass("hashtag") || tag.attributes["rel"] == "tag"
        self.address = isWeb && !isName ? address : nil
    }

    /// The text added after the link; `nil` if the link text already tells where the link leads.
    var addition: String? {
        guard let address, !text.hasPrefix("@"), !text.hasPrefix("#") else { return nil }
        let shown = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !shown.isEmpty else { return address }
        return Self.isSame(shown, address) ? nil : " (\(address))"
    }

    /// The text of the link in lowercase, and its address, if the text is the address without its scheme.
    var bareAddress: (text: String, address: String)? {
        let shown = text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        guard let address, !shown.isEmpty, Self.isSame(shown, address),
            !Self.schemes.contains(where: { shown.utf8.starts(with: $0.utf8) })
        else { return nil }
        return (shown, address)
    }

    private static let schemes = ["https://", "http://"]

    /// Addresses are often shown without their scheme, or decoded.
    private static func isSame(_ shown: String, _ address: String) -> Bool { normalized(shown) == normalized(address) }

    private static func normalized(_ text: String) -> String {
        var text = text.removingPercentEncoding ?? text
        for prefix in ["https://", "http://", "www."] where text.lowercased().hasPrefix(prefix) {
            text.removeFirst(prefix.count)
        }
        while text.last == "/" { text.removeLast() }
        return text.lowercased()
    }
}

/// The text of a MathML formula: its source in TeX, if it is annotated with that, or the text of its elements.
struct MathFormula {
    private static let annotations: Set<String> = ["annotation", "annotation-xml"]
    /// Deeper elements have no effect, so that each costs a constant amount of work.
    private static let maximumDepth = 50
    private static let operators = ["msup": "^", "msub": "_", "mfrac": "/"]

    private var source = ""
    private var shown = ""
    private var isAnnotation = false
    private var isTeX = false
    /// The operators between the two elements of the open fractions, powers and indexes, and how many elements each has
    /// begun.
    private var open: [(name: String, begun: Int)] = []

    var text: String { (source.isEmpty ? shown : source).trimmingSpaces }

    mutating func add(_ token: HTMLTokenizer.Token) {
        switch token {
        case .text(let text): add(text)
        case .start(let tag): start(tag)
        case .end(let name): end(name)
        }
    }

    private mutating func add(_ text: String) {
        if isTeX { source += text } else if !isAnnotation { shown += text }
    }

    private mutating func start(_ tag: HTMLTag) {
        if Self.annotations.contains(tag.name) {
            isAnnotation = true
            isTeX = tag.attributes["encoding"]?.lowercased() == "application/x-tex"
        } else if !isAnnotation {
            if let last = open.indices.last {
                if open[last].begun == 1 { shown += Self.operators[open[last].name] ?? "" }
                open[last].begun += 1
            }
            if open.count < Self.maximumDepth { open.append((tag.name, 0)) }
        }
    }

    private mutating func end(_ name: String) {
        if Self.annotations.contains(name) {
            (isAnnotation, isTeX) = (false, false)
        } else if !isAnnotation, let index = open.lastIndex(where: { $0.name == name }) {
            open.removeSubrange(index...)
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var text = Substring(self).unicodeScalars
        while text.first?.properties.isWhitespace == true { text.removeFirst() }
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
