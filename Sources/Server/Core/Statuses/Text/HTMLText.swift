/// Builds the HTML of a text: an empty line starts a new paragraph, a line break becomes `<br>`.
struct HTMLText {
    private let isInline: Bool
    private var html = ""
    private var pendingBreaks = 0
    /// Whether the last character was a CR, with which an LF forms a single line break.
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
