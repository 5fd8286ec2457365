/// A part of a line of output whose text has one style.
struct StyledRun: Equatable {
    let text: String
    let style: CellStyle

    /// The runs of a line. Sequences that select colors (SGR, ECMA-48) become styles; other sequences are left out.
    /// - Parameter base: The style at the start, and after a reset.
    static func runs(of line: String, base: CellStyle = .plain) -> [StyledRun] {
        var (runs, style) = ([StyledRun](), base)
        var rest = Substring(line).unicodeScalars
        while !rest.isEmpty {
            let text = rest.prefix { $0 != "\u{1B}" }
            if !text.isEmpty { runs.append(StyledRun(text: String(text), style: style)) }
            rest = rest[text.endIndex...].dropFirst()
            guard let kind = rest.first, text.endIndex < line.endIndex else { continue }
            rest = rest.dropFirst()
            if "]P^_".unicodeScalars.contains(kind) {
                rest = rest.drop { $0 != "\u{1B}" }.dropFirst(2)
            } else if kind == "[" {
                let parameters = rest.prefix { !("@"..."~").contains($0) }
                if rest[parameters.endIndex...].first == "m" { apply(codes(String(parameters)), to: &style, base) }
                rest = rest[parameters.endIndex...].dropFirst()
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
