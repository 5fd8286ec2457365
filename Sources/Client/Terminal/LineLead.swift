/// What precedes the text of a line, and what precedes its continuation when it is wrapped.
struct LineLead {
    private static let maximumDigits = 4

    private(set) var first = ""
    private(set) var others = ""

    var width: Int { DisplayWidth.of(first) }

    /// - Parameter columns: The width of a line. Nothing precedes the continuation if it would take half of that.
    init(of line: Substring, columns: Int) {
        var rest = line
        while let next = rest.first, next == " " || rest.hasPrefix("> ") {
            let part = next == " " ? rest.prefix { $0 == " " } : rest.prefix(2)
            first += part
            others += part
            rest = rest.dropFirst(part.count)
        }
        let marker = Self.marker(rest)
        first += marker
        others += String(repeating: " ", count: marker.count)
        if DisplayWidth.of(first) > columns / 2 { (first, others) = ("", "") }
    }

    /// The bullet or number of an item.
    private static func marker(_ line: Substring) -> Substring {
        if line.hasPrefix("• ") || line.hasPrefix("* ") || line.hasPrefix("- ") { return line.prefix(2) }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        guard (1...maximumDigits).contains(digits.count), line.dropFirst(digits.count).hasPrefix(". ") else {
            return ""
        }
        return line.prefix(digits.count + 2)
    }
}
