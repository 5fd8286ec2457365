/// A text made ready to be shown.
package struct RenderedText: Sendable, Equatable {
    /// Safe HTML: `<p>`, `<br>` and links. `"~/` marks an address on this server, since the server's own address
    /// depends on who asks; text from people cannot contain a bare quote.
    package var html: String
    package var mentions: [Status.Mention]
    /// Without `#`, as written, each once.
    package var tags: [String]
}

/// Text from people to HTML, once, when it is posted.
package enum TextRendering {
    /// The names (lower case) a text mentions.
    package static func mentionedNames(in segments: [TextSegment]) -> Set<String> {
        Set(segments.compactMap { if case .mention(let name) = $0 { Username.key(String(name)) } else { nil } })
    }

    /// - Parameter known: Accounts by lower-case name; a mention of anybody else stays plain text.
    package static func render(_ segments: [TextSegment], known: [String: Status.Mention]) -> RenderedText {
        render(segments, known: known, into: HTMLText())
    }

    /// The same without paragraphs, for a text of one line.
    package static func line(_ segments: [TextSegment], known: [String: Status.Mention]) -> String {
        render(segments, known: known, into: HTMLText(isInline: true)).html
    }

    private static func render(
        _ segments: [TextSegment], known: [String: Status.Mention], into html: HTMLText
    ) -> RenderedText {
        var html = html
        var mentions: [Status.Mention] = []
        var tags: [String] = []
        for segment in segments {
            switch segment {
            case .plain(let text): html.text(text)
            case .link(let address): html.link(address)
            case .hashtag(let tag):
                html.hashtag(tag)
                if !tags.contains(where: { $0.lowercased() == tag.lowercased() }) { tags.append(String(tag)) }
            case .mention(let name):
                guard let account = known[Username.key(String(name))] else {
                    html.text("@" + name)
                    continue
                }
                html.mention(account.username)
                if !mentions.contains(account) { mentions.append(account) }
            }
        }
        return RenderedText(html: html.finished(), mentions: mentions, tags: tags)
    }

    /// Graphemes, each link counting as `linkLength`.
    package static func length(of segments: [TextSegment], linkLength: Int) -> Int {
        segments.reduce(0) { total, segment in
            switch segment {
            case .plain(let text): total + text.count
            case .link: total + linkLength
            case .mention(let name): total + 1 + name.count
            case .hashtag(let tag): total + 1 + tag.count
            }
        }
    }
}

/// Builds the HTML of one text: an empty line starts a paragraph, a line end is a `<br>`.
struct HTMLText {
    private let isInline: Bool
    private var html = ""
    private var pendingBreaks = 0
    private var isOpen = false

    /// - Parameter isInline: Writes no paragraphs; a line end is a space.
    init(isInline: Bool = false) { self.isInline = isInline }

    mutating func text(_ text: some StringProtocol) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": pendingBreaks += 1
            case "\r": continue
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

    mutating func hashtag(_ tag: Substring) {
        let name = String(tag)
        anchor(
            href: "~/tags/" + name.lowercased().percentEncodedSegment,
            attributes: #" class="mention hashtag" rel="tag""#
        ) {
            $0 += "#<span>" + name.escapedHTML + "</span>"
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

    /// Writes the breaks that were read since the last character, none at the very start.
    private mutating func prepare() {
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

extension String {
    /// With `& < > " '` as entities: safe in text and in quoted attributes.
    package var escapedHTML: String {
        var result = ""
        result.reserveCapacity(utf8.count)
        for scalar in unicodeScalars { result.appendEscaped(scalar) }
        return result
    }

    mutating func appendEscaped(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "&": self += "&amp;"
        case "<": self += "&lt;"
        case ">": self += "&gt;"
        case "\"": self += "&quot;"
        case "'": self += "&#39;"
        default: unicodeScalars.append(scalar)
        }
    }

    /// Percent-encoded as one segment of a path (RFC 3986 §3.3, unreserved characters only).
    package var percentEncodedSegment: String {
        var result = ""
        for byte in utf8 {
            if Username.isLetter(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "~")
            {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                result += hex.count == 1 ? "%0" + hex : "%" + hex
            }
        }
        return result
    }
}
