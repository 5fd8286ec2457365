import Foundation

/// The form of a text or keyword that is compared: canonically composed and without differences in letter
/// case, in UTF-8.
///
/// Words are compared in a second form, in which a mark separates them. A keyword that begins and ends with a word
/// begins and ends with the mark, so that a plain search for it finds whole words only.
struct FilterText: Sendable, Equatable {
    /// A byte that UTF-8 does not contain.
    static let mark: UInt8 = 0xFF

    private(set) var plain: [UInt8] = []
    /// The same with a mark wherever a word begins or ends.
    private(set) var marked: [UInt8] = []
    private var last = CharacterKind.other

    init(_ text: String) {
        plain.reserveCapacity(text.utf8.count)
        marked.reserveCapacity(text.utf8.count / 2 * 3)
        let text = Self.isComposed(text) ? text : text.precomposedStringWithCanonicalMapping
        for scalar in text.unicodeScalars { append(scalar) }
        separate(.other)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        if value < 0x80 {
            let isUppercase = (65...90).contains(value)
            separate(CharacterKind(scalar))
            append(UInt8(truncatingIfNeeded: isUppercase ? value + 32 : value))
        } else if scalar.properties.changesWhenCaseFolded {
            for folded in Self.folded(scalar).unicodeScalars { appendFolded(folded) }
        } else {
            appendFolded(scalar)
        }
    }

    private mutating func appendFolded(_ scalar: Unicode.Scalar) {
        separate(CharacterKind(scalar))
        for byte in scalar.utf8 { append(byte) }
    }

    private mutating func append(_ byte: UInt8) {
        plain.append(byte)
        marked.append(byte)
    }

    /// Appends a mark if a word ends or begins here.
    private mutating func separate(_ next: CharacterKind) {
        guard next != .extending else { return }
        if CharacterKind.isBoundary(last, next) { marked.append(Self.mark) }
        last = next
    }

    /// The full case folding of a scalar. The first step changes ẞ, which has no uppercase, to ß.
    private static func folded(_ scalar: Unicode.Scalar) -> String {
        String(scalar).lowercased().uppercased().lowercased()
    }

    /// Whether a text contains nothing that composition could change. Most texts do not.
    private static func isComposed(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.value < 0x300
                || scalar.properties.canonicalCombiningClass == .notReordered
                    && !(0x1100...0x11FF).contains(scalar.value)
        }
    }
}

/// The role of a character at the boundary of a word.
enum CharacterKind: Sendable, Equatable {
    /// A letter, digit or underscore.
    case word
    /// A character of a script that puts no spaces between words. It counts as a word of its own.
    case single
    /// Combines with the character before it.
    case extending
    case other

    init(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        switch value {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: self = .word
        case 0..<0x80: self = .other
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x309F:
            self = Self.general(scalar) == .word ? .single : Self.general(scalar)
        default: self = scalar.properties.isIdeographic ? .single : Self.general(scalar)
        }
    }

    /// Whether a word begins or ends between two characters.
    static func isBoundary(_ left: CharacterKind, _ right: CharacterKind) -> Bool {
        left != right || left == .single
    }

    private static func general(_ scalar: Unicode.Scalar) -> CharacterKind {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .connectorPunctuation:
            .word
        case .nonspacingMark, .spacingMark, .enclosingMark: .extending
        default: scalar.value == 0x200D ? .extending : .other
        }
    }
}
