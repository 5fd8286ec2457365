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
}
