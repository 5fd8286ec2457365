import Foundation

/// The form in which hashtags, display names and words are compared: in lowercase, with wide and narrow forms and other
/// compatibility characters replaced (NFKC), and without the accents of Latin letters.
package enum FoldedText {
    /// The letters of the Latin-1 Supplement and Latin Extended-A blocks that fold to an ASCII letter.
    private static let letters: ClosedRange<UInt32> = 0xC0...0x17F
    /// The letter to which each of ``letters`` folds; 0 for itself.
    private static let foldings: [UInt8] = letters.map { value in
        guard let scalar = Unicode.Scalar(value) else { return 0 }
        let base = String(scalar).decomposedStringWithCanonicalMapping.utf8.first ?? 0
        return base < 0x80 ? base : undecomposed[scalar] ?? 0
    }
    /// Letters that Unicode does not decompose.
    private static let undecomposed: [Unicode.Scalar: UInt8] = [
        "ð": UInt8(ascii: "d"), "đ": UInt8(ascii: "d"), "ħ": UInt8(ascii: "h"), "ı": UInt8(ascii: "i"),
        "ĸ": UInt8(ascii: "k"), "ł": UInt8(ascii: "l"), "ŋ": UInt8(ascii: "n"), "ø": UInt8(ascii: "o"),
        "ŧ": UInt8(ascii: "t"),
    ]

    /// Folds a text. Folding it again changes nothing.
    package static func fold(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.lowercased() }
        var folded = String.UnicodeScalarView()
        // Foundation leaves the voicing marks of narrow Katakana uncomposed.
        let composed = text.precomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping
        for scalar in composed.lowercased().unicodeScalars {
            folded.append(fold(scalar))
        }
        return String(folded)
    }

    private static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // The lowercase of Σ is σ everywhere, although words end with ς.
        guard letters.contains(scalar.value) else { return scalar == "ς" ? "σ" : scalar }
        let folding = foldings[Int(scalar.value - letters.lowerBound)]
        return folding == 0 ? scalar : Unicode.Scalar(folding)
    }
}
