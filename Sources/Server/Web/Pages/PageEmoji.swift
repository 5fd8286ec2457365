import FeedAPI
import FeedCore

/// Custom emoji as images on a page.
extension EmojiSet {
    /// A plain text as a value of a template, with images for its emoji.
    func value(_ text: String) -> TemplateValues.Value {
        guard !used(in: [text]).isEmpty else { return .text(text) }
        return .html(shown(in: text[...]) { $0.escapedHTML })
    }

    /// Stored HTML with images for the emoji in its text. Nothing inside of a tag is changed. Tags are found as bytes,
    /// because U+0600 before a bracket would hide it from a search for characters.
    func shown(inHTML html: String) -> String {
        guard !used(in: [html]).isEmpty else { return html }
        var result = ""
        var rest = Substring(html).utf8
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            let end = rest[start...].firstIndex(of: UInt8(ascii: ">")).map { rest.index(after: $0) } ?? rest.endIndex
            result += shown(in: Substring(rest[..<start])) { $0 }
            result += Substring(rest[start..<end])
            rest = rest[end...]
        }
        return result + shown(in: Substring(rest)) { $0 }
    }

    private func shown(in text: Substring, _ plain: (String) -> String) -> String {
        EmojiText.parts(of: String(text)).map { part in
            switch part {
            case .plain(let text): return plain(String(text))
            case .shortcode(let code):
                guard let emoji = self[String(code)] else { return ":" + code + ":" }
                return image(emoji)
            }
        }.joined()
    }

    /// A shortcode consists of letters, digits and underscores, so nothing has to be escaped. The height is set by the
    /// style sheet. `"~/` marks a URL on this server.
    private func image(_ emoji: CustomEmoji) -> String {
        let text = ":" + emoji.shortcode + ":"
        return """
            <img class="emoji" src="~\(emoji.path)" alt="\(text)" title="\(text)" width="20" height="20" \
            loading="lazy" decoding="async">
            """
    }
}
