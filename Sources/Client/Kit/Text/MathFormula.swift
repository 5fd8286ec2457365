/// The text of a MathML formula: its source in TeX, if it is annotated with that, or the text of its elements. Pure.
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
