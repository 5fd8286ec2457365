/// Describes the text on a screen and its colors, independently of the order in which a terminal states them.
///
/// Before text whose style differs from that to its left, the numbers of the style (ECMA-48, SGR) are in «guillemets»:
/// `«1»` for bold, `«2»` for dim, `«38;5;231;48;5;24»` for colors of the text and the background, `«»` for none. Each line
/// begins without a style.
enum ScreenText {
    private struct Style {
        var flags: Set<Int> = []
        var foreground: [Int] = []
        var background: [Int] = []

        var text: String { (flags.sorted() + foreground + background).map(String.init).joined(separator: ";") }

        /// Applies the parameters of a sequence.
        mutating func apply(_ codes: [Int]) {
            var rest = codes[...]
            while let code = rest.popFirst() {
                switch code {
                case 0: self = Style()
                case 1...9: flags.insert(code)
                case 22: flags.subtract([1, 2])
                case 38, 48:
                    let color: [Int] = [code] + Array(rest.prefix(rest.first == 2 ? 4 : 2))
                    rest = rest.dropFirst(color.count - 1)
                    if code == 38 { foreground = color } else { background = color }
                case 39: foreground = []
                case 49: background = []
                case 30...37, 90...97: foreground = [code]
                case 40...47, 100...107: background = [code]
                default: break
                }
            }
        }
    }

    /// - Parameter captured: What `tmux capture-pane -e` prints.
    static func described(_ captured: String) -> String {
        var (result, style, shown) = ("", Style(), "")
        var rest = Substring(captured)
        while let next = rest.first {
            if next == "\u{1B}", let sequence = rest.prefixMatch(of: /\u{1B}\[([0-9;]*)m/) {
                let codes = sequence.1.split(separator: ";", omittingEmptySubsequences: false)
                style.apply(codes.map { Int($0) ?? 0 })
                rest = rest[sequence.range.upperBound...]
                continue
            }
            if next == "\n" {
                shown = ""
            } else if style.text != shown {
                shown = style.text
                result += "«\(shown)»"
            }
            result.append(next)
            rest = rest.dropFirst()
        }
        return result
    }
}
