import FeedAPI
import FeedTerminal

/// Describes the page that a status links to in lines of text. Pure; all text from the server is filtered by ``SafeText``.
struct CardRenderer {
    private static let maximumLines = 2

    /// The width of a line in columns.
    let width: Int
    let style: TextStyle

    /// The title and origin, the beginning of the description, and the URL, unless the text of the status contains it.
    func lines(_ card: Entity.PreviewCard, text: String) -> [String] {
        let title = [card.title, card.author_name, card.provider_name].compactMap { part -> String? in
            part.map(style.line).flatMap { $0.isEmpty ? nil : $0 }
        }
        let address = card.url.map(style.line) ?? ""
        guard !title.isEmpty || !address.isEmpty else { return [] }
        var lines = title.isEmpty ? [] : wrapped(style.encoded("↗ ") + title.joined(separator: style.encoded(" · ")))
        lines += shortened(style.line(card.description ?? "")).map(style.dim)
        if !address.isEmpty, !text.contains(address) { lines += wrapped(address).map(style.dim) }
        return lines
    }

    private func wrapped(_ text: String) -> [String] { TextWrap.lines(text, columns: width) }

    private func shortened(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        let all = wrapped(text)
        guard all.count > Self.maximumLines else { return all }
        let last = style.encoded(DisplayWidth.truncated(all[Self.maximumLines - 1] + " …", to: width))
        return Array(all.prefix(Self.maximumLines - 1)) + [last]
    }
}
