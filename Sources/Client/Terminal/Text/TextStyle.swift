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
            guard let last = lines.last, TextWidth.columns(of: last + separator + part) <= columns else {
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

/// A part of a line of output whose text has one style.
struct StyledText: Equatable {
    let text: String
    let style: CellStyle

    /// The runs of a line. Sequences that select colors (SGR, ECMA-48) become styles; other sequences are left out.
    /// - Parameter base: The style at the start, and after a reset.
    static func runs(of line: String, base: CellStyle = .plain) -> [StyledText] {
        var (runs, style) = ([StyledText](), base)
        var rest = Substring(line).unicodeScalars
        while !rest.isEmpty {
            let text = rest.prefix { $0 != "\u{1B}" }
            if !text.isEmpty { runs.append(StyledText(text: String(text), style: style)) }
            rest = rest[text.endIndex...]
            if case .control(final: "m", let parameters) = EscapeSequence(from: &rest) {
                apply(codes(String(parameters)), to: &style, base)
            }
        }
        return runs
    }

    private static func codes(_ parameters: String) -> [Int] {
        parameters.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            Int(Substring($0)) ?? 0
        }
    }

    private static func apply(_ codes: [Int], to style: inout CellStyle, _ base: CellStyle) {
        var rest = codes[...]
        while let code = rest.popFirst() {
            switch code {
            case 0: style = base
            case 1: style.isBold = true
            case 2: style.isDim = true
            case 4: style.isUnderlined = true
            case 7: style.isInverse = true
            case 22: (style.isBold, style.isDim) = (false, false)
            case 30...37: style.foreground = .indexed(UInt8(code - 30))
            case 90...97: style.foreground = .indexed(UInt8(code - 82))
            case 40...47: style.background = .indexed(UInt8(code - 40))
            case 100...107: style.background = .indexed(UInt8(code - 92))
            case 38: style.foreground = color(&rest)
            case 48: style.background = color(&rest)
            case 39: style.foreground = base.foreground
            case 49: style.background = base.background
            default: break
            }
        }
    }

    private static func color(_ rest: inout ArraySlice<Int>) -> CellColor {
        let isTrueColor = rest.popFirst() == 2
        let values = rest.prefix(isTrueColor ? 3 : 1).map { UInt8(clamping: $0) }
        rest = rest.dropFirst(values.count)
        if !isTrueColor { return values.first.map { .indexed($0) } ?? .standard }
        return values.count == 3 ? .rgb(values[0], values[1], values[2]) : .standard
    }
}
