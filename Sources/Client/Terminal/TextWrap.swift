/// Wraps text.
public enum TextWrap {
    /// Wraps at spaces and next to wide characters, except where ``LineBreaking`` forbids it; splits words that are longer
    /// than a line. The lines after the first start below the text of a quote (`> `), an item (`• `, `1. `) or an indented
    /// line.
    /// - Parameters:
    ///   - text: Text that has been filtered by ``SafeText``. Its line breaks are kept.
    ///   - columns: The width of a line, at least 2; `Int.max` for whole lines.
    public static func lines(_ text: String, columns: Int) -> [String] {
        let columns = max(2, columns)
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrap($0, columns) }
    }

    private static func wrap(_ line: Substring, _ columns: Int) -> [String] {
        let lead = LineLead(of: line, columns: columns)
        var builder = LineBuilder(columns: columns - lead.width)
        for piece in LineBreaking.pieces(of: line.dropFirst(lead.first.count)) { builder.add(piece) }
        let wrapped = builder.finished()
        guard lead.width > 0 else { return wrapped }
        return wrapped.enumerated().map { index, text in
            let whole = (index == 0 ? lead.first : lead.others) + text
            return text.isEmpty ? LineBuilder.trimmed(whole) : whole
        }
    }
}
