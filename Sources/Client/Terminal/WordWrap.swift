/// Wraps text at spaces only, so that no handle or id is divided.
public enum WordWrap {
    /// - Parameters:
    ///   - text: A single line that has been filtered by ``SafeText``.
    ///   - columns: The width of a line. A word that is wider has a line of its own.
    public static func lines(_ text: String, columns: Int) -> [String] {
        text.split(separator: " ").reduce(into: [String]()) { lines, word in
            guard let last = lines.last, DisplayWidth.of(last) + 1 + DisplayWidth.of(word) <= columns else {
                return lines.append(String(word))
            }
            lines[lines.count - 1] = last + " " + word
        }
    }
}
