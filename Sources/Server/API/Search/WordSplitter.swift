/// Divides folded text into the words of ``SearchTokenizer``, one character at a time.
struct WordSplitter {
    private var words: [SearchTokenizer.Word] = []
    private var word = ""
    private var start = 0
    private var end = 0
    private var script = SearchScript.common
    /// The number of characters of the current run in a script without spaces.
    private var run = 0

    /// Whether further characters are ignored.
    var isFull: Bool { words.count >= SearchTokenizer.maximumTokens }

    /// - Parameter position: The position of the character in the text, which does not decrease.
    mutating func append(_ scalar: Unicode.Scalar, at position: Int) {
        switch WordCharacter(scalar) {
        case .separator: endWord()
        case .ignored: if !word.isEmpty { end = position + 1 }
        case .part:
            let next = SearchScript(scalar)
            if !script.continues(with: next) { endWord() }
            if next != .common || word.isEmpty { script = next }
            if script.hasSpaces { extend(scalar, at: position) } else { pair(scalar, at: position) }
        }
    }

    mutating func finished() -> [SearchTokenizer.Word] {
        endWord()
        return Array(words.prefix(SearchTokenizer.maximumTokens))
    }

    private mutating func extend(_ scalar: Unicode.Scalar, at position: Int) {
        if word.isEmpty { start = position }
        end = position + 1
        guard word.utf8.count + UTF8.width(scalar) <= SearchTokenizer.maximumTokenBytes else { return }
        word.unicodeScalars.append(scalar)
    }

    /// Keeps the last character, which begins the next pair.
    private mutating func pair(_ scalar: Unicode.Scalar, at position: Int) {
        if run > 0 {
            word.unicodeScalars.append(scalar)
            words.append(.init(token: word, form: .pair, range: start..<position + 1))
        }
        word = String(scalar)
        (start, end) = (position, position + 1)
        run += 1
    }

    private mutating func endWord() {
        guard !word.isEmpty else { return }
        let form: SearchTokenizer.Word.Form = run == 0 ? .word : run == 1 ? .single : .end
        words.append(.init(token: word, form: form, range: start..<end))
        (word, script, run) = ("", .common, 0)
    }
}

/// The role of a character in a word.
private enum WordCharacter {
    case part
    /// Neither part of a word nor its end: marks that keys of hashtags omit, and invisible characters.
    case ignored
    case separator

    init(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "a"..."z", "0"..."9", "A"..."Z": self = .part
        default: self = scalar.isASCII ? .separator : Self.general(scalar)
        }
    }

    private static func general(_ scalar: Unicode.Scalar) -> WordCharacter {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .decimalNumber:
            return .part
        case .nonspacingMark, .spacingMark, .enclosingMark:
            // As in keys of hashtags: without the marks from U+0E47, words of Thai would differ.
            return scalar.properties.isAlphabetic || (0xE47...0xE4E).contains(scalar.value) ? .part : .ignored
        // A space without width divides words.
        case .format: return scalar.value == 0x200B ? .separator : .ignored
        default: return .separator
        }
    }
}

/// The script of a character as far as words end where it changes.
private enum SearchScript: Equatable {
    /// Digits and marks, which continue a word in any script that has spaces.
    case common
    /// A script that puts spaces between words, by a number of our own.
    case spaced(UInt32)
    case chinese, thai, lao, burmese, khmer

    init(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            self = ("0"..."9").contains(scalar) ? .common : .spaced(Self.latin)
        } else {
            self = Self.unspaced(scalar.value) ?? Self.other(scalar)
        }
    }

    var hasSpaces: Bool {
        switch self {
        case .common, .spaced: true
        default: false
        }
    }

    /// Whether a word goes on with a character of another script.
    func continues(with next: SearchScript) -> Bool {
        self == next || hasSpaces && next.hasSpaces && (self == .common || next == .common)
    }

    private static let latin: UInt32 = 1

    /// Chinese, Japanese and Korean are one script, because words mix their characters.
    private static func unspaced(_ value: UInt32) -> SearchScript? {
        switch value {
        case 0x0E00...0x0E7F: .thai
        case 0x0E80...0x0EFF: .lao
        case 0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F: .burmese
        case 0x1780...0x17FF: .khmer
        case 0x1100...0x11FF, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x303C, 0x3041...0x318F, 0x31A0...0x31FF,
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0x16FF0...0x18D08,
            0x1AFF0...0x1B2FF, 0x20000...0x3FFFF:
            .chinese
        default: nil
        }
    }

    private static func other(_ scalar: Unicode.Scalar) -> SearchScript {
        if scalar.properties.generalCategory == .decimalNumber { return .common }
        switch scalar.value {
        case 0x80...0x2AF, 0x1D00...0x1DBF, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF, 0xAB30...0xAB6F:
            return .spaced(latin)
        case 0x2B0...0x36F: return .common
        case 0x370...0x3FF, 0x1F00...0x1FFF: return .spaced(2)
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: return .spaced(3)
        case 0x530...0x58F: return .spaced(4)
        case 0x590...0x5FF: return .spaced(5)
        case 0x600...0x6FF, 0x750...0x77F, 0x870...0x8FF: return .spaced(6)
        // Most scripts of India have 128 characters each.
        case 0x900...0xDFF: return .spaced(scalar.value >> 7)
        default: return .spaced(0)
        }
    }
}
