/// Renders the texts of statuses and profiles as HTML. Statuses are rendered once, when they are posted.
package enum StatusHTML {
    /// The mentioned usernames in lowercase.
    package static func mentionedNames(in segments: [TextSegment]) -> Set<String> {
        Set(segments.compactMap { if case .mention(let handle) = $0 { Username.key(name(of: handle)) } else { nil } })
    }

    /// The name in a handle.
    private static func name(of handle: Substring) -> String {
        String(Substring(handle.utf8.prefix { $0 != UInt8(ascii: "@") }))
    }

    /// Renders a text with paragraphs.
    /// - Parameter known: Existing accounts, keyed by lowercase username; other mentions are rendered as plain text.
    package static func render(_ segments: [TextSegment], known: [String: Status.Mention]) -> RenderedText {
        render(segments, known: known, into: HTMLText())
    }

    /// Renders a single line, without paragraphs.
    package static func line(_ segments: [TextSegment], known: [String: Status.Mention]) -> String {
        render(segments, known: known, into: HTMLText(isInline: true)).html
    }

    private static func render(
        _ segments: [TextSegment], known: [String: Status.Mention], into html: HTMLText
    ) -> RenderedText {
        var html = html
        var mentions: [Status.Mention] = []
        var (tags, keys): ([String], Set<String>) = ([], [])
        for segment in segments {
            switch segment {
            case .plain(let text): html.text(text)
            case .link(let address): html.link(address)
            case .hashtag(let tag):
                let key = Hashtag.key(tag)
                html.hashtag(tag, key: key)
                if keys.insert(key).inserted { tags.append(String(tag)) }
            case .mention(let handle):
                guard let account = known[Username.key(name(of: handle))] else {
                    html.text("@" + handle)
                    continue
                }
                html.mention(account.username)
                if !mentions.contains(account) { mentions.append(account) }
            }
        }
        return RenderedText(html: html.finished(), mentions: mentions, tags: tags)
    }

    /// The length in grapheme clusters; each link counts as `linkLength`, and a mention without its domain.
    package static func length(of segments: [TextSegment], linkLength: Int) -> Int {
        segments.reduce(0) { total, segment in
            switch segment {
            case .plain(let text): total + text.count
            case .link: total + linkLength
            case .mention(let handle): total + 1 + name(of: handle).count
            case .hashtag(let tag): total + 1 + tag.count
            }
        }
    }
}

/// A text rendered for display.
package struct RenderedText: Sendable, Equatable {
    /// Safe HTML with `<p>`, `<br>` and links.
    ///
    /// `"~/` marks a URL on this server, because the server's base URL may differ between requests. Text entered by
    /// users cannot contain this marker, because quotes are escaped.
    package var html: String
    package var mentions: [Status.Mention]
    /// The distinct hashtags as written, without `#`.
    package var tags: [String]
}

/// Builds the HTML of a text: an empty line starts a new paragraph, a line break becomes `<br>`.
struct HTMLText {
    private let isInline: Bool
    private var html = ""
    private var pendingBreaks = 0
    /// Whether the last character was a CR. Together with an LF, it is one line break.
    private var endsWithReturn = false
    private var isOpen = false

    /// - Parameter isInline: Omits paragraphs and renders line breaks as spaces.
    init(isInline: Bool = false) { self.isInline = isInline }

    mutating func text(_ text: some StringProtocol) {
        for scalar in text.unicodeScalars {
            let isSecondHalf = scalar == "\n" && endsWithReturn
            endsWithReturn = scalar == "\r"
            switch scalar {
            case "\n" where isSecondHalf: continue
            case "\n", "\r": pendingBreaks += 1
            default:
                prepare()
                html.appendEscaped(scalar)
            }
        }
    }

    mutating func link(_ address: Substring) {
        anchor(href: String(address).escapedHTML, attributes: #" rel="nofollow noopener noreferrer" target="_blank""#) {
            $0 += String(address).escapedHTML
        }
    }

    mutating func mention(_ username: String) {
        anchor(href: "~/@" + username, attributes: #" class="u-url mention""#) {
            $0 += "@<span>" + username + "</span>"
        }
    }

    mutating func hashtag(_ tag: Substring, key: String) {
        anchor(href: "~/tags/" + key.percentEncodedSegment, attributes: #" class="mention hashtag" rel="tag""#) {
            $0 += "#<span>" + String(tag).escapedHTML + "</span>"
        }
    }

    mutating func finished() -> String {
        if isOpen, !isInline { html += "</p>" }
        isOpen = false
        return html
    }

    private mutating func anchor(href: String, attributes: String, _ label: (inout String) -> Void) {
        prepare()
        html += "<a href=\"" + href + "\"" + attributes + ">"
        label(&html)
        html += "</a>"
    }

    /// Opens a paragraph or writes the pending line breaks before the next character.
    private mutating func prepare() {
        endsWithReturn = false
        if !isOpen {
            if !isInline { html += "<p>" }
            isOpen = true
        } else if isInline, pendingBreaks > 0 {
            html += " "
        } else if pendingBreaks >= 2 {
            html += "</p><p>"
        } else if pendingBreaks == 1 {
            html += "<br>"
        }
        pendingBreaks = 0
    }
}
