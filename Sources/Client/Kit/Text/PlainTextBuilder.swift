/// Builds plain text from the tags and texts of an HTML document. Pure.
struct PlainTextBuilder {
    /// The elements before which a line ends, and the number of line breaks.
    private static let blocks: [String: Int] = [
        "p": 2, "blockquote": 2, "pre": 2, "ul": 2, "ol": 2, "dl": 2, "table": 2, "h1": 2, "h2": 2, "h3": 2, "h4": 2,
        "h5": 2, "h6": 2, "div": 1, "li": 1, "tr": 1, "dt": 1, "dd": 1, "section": 1, "article": 1, "header": 1,
        "footer": 1, "figure": 1, "figcaption": 1, "details": 1, "summary": 1, "address": 1,
    ]

    /// What precedes the text of elements that would otherwise say something else: 10² would be 102.
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
