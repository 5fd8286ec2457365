/// The style of text on the output: bold and dim where supported, and only ASCII if the locale requires it.
package struct TextStyle: Sendable {
    package let hasColor: Bool
    package var isASCII: Bool
    /// Whether text can be a link.
    package var hasHyperlinks: Bool

    package init(hasColor: Bool, isASCII: Bool = false, hasHyperlinks: Bool = false) {
        (self.hasColor, self.isASCII, self.hasHyperlinks) = (hasColor, isASCII, hasHyperlinks)
    }

    package func bold(_ text: String) -> String { wrapped(text, "1") }

    package func dim(_ text: String) -> String { wrapped(text, "2") }

    /// A text that was searched for, in red.
    package func match(_ text: String) -> String { wrapped(text, "1;31") }

    /// An address, a mention or a hashtag, in cyan.
    /// - Parameter address: Where it leads; `nil` if that is unknown.
    package func link(_ text: String, to address: String?) -> String {
        let colored = wrapped(text, "36")
        guard hasHyperlinks, let address else { return colored }
        return Hyperlink.text(colored, to: address)
    }

    /// A line in which addresses, mentions and hashtags are links.
    /// - Parameter targets: Where mentions, hashtags and addresses without a scheme lead, by their texts in lowercase.
    package func linked(_ line: String, _ targets: [String: String] = [:]) -> String {
        guard hasColor else { return line }
        var (result, end) = ("", line.startIndex)
        for link in TextLink.all(in: line[...], words: Set(targets.keys)) {
            let text = String(line[link.range])
            result += line[end..<link.range.lowerBound]
            result += self.link(text, to: link.kind == .address ? text : targets[text.lowercased()])
            end = link.range.upperBound
        }
        return result + line[end...]
    }

    /// Untrusted text on a single line.
    package func line(_ text: some StringProtocol) -> String { encoded(SafeText.line(text)) }

    /// Untrusted text whose line breaks are kept.
    package func block(_ text: some StringProtocol) -> String { encoded(SafeText.block(text)) }

    /// A text or mark of this program.
    package func encoded(_ text: String) -> String { isASCII ? ASCIIText.from(text) : text }

    /// Parts separated by dots; a part that does not fit starts a line.
    package func joined(_ parts: [String], columns: Int) -> [String] {
        let separator = encoded(" · ")
        return parts.reduce(into: [String]()) { lines, part in
            guard let last = lines.last, DisplayWidth.columns(of: last + separator + part) <= columns else {
                return lines.append(part)
            }
            lines[lines.count - 1] = last + separator + part
        }
    }

    private func wrapped(_ text: String, _ code: String) -> String {
        hasColor && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension TextStyle {
    package init(_ screen: TerminalCapabilities) {
        self.init(hasColor: screen.hasColor, isASCII: screen.isASCII, hasHyperlinks: screen.hasHyperlinks)
    }
}

/// Words of commands that the user may copy into a shell.
package enum ShellWord {
    /// The word, in quotes unless the shell takes it literally.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: ":-_.".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
