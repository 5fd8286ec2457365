/// Filters untrusted text before it is written to a terminal: removes control characters, and thereby escape sequences,
/// as well as characters that change the direction of text.
public enum SafeText {
    /// A single line: line breaks become spaces.
    public static func line(_ text: some StringProtocol) -> String { filtered(text, lineBreak: " ") }

    /// Several lines: line breaks are kept.
    public static func block(_ text: some StringProtocol) -> String { filtered(text, lineBreak: "\n") }

    private static func filtered(_ text: some StringProtocol, lineBreak: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView()
        var wasReturn = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A, 0x0D, 0x85, 0x2028, 0x2029:
                if scalar.value != 0x0A || !wasReturn { result.append(lineBreak) }
            case 0x09: result.append(" ")
            case _ where isHarmful(scalar.value): break
            default: result.append(scalar)
            }
            wasReturn = scalar.value == 0x0D
        }
        return String(result)
    }

    /// Whether a scalar is removed: C0, DEL and C1; bidirectional embeddings, overrides and isolates (CWE-150);
    /// invisible tags and byte order marks. Joiners are kept, because emoji and several scripts need them.
    private static func isHarmful(_ value: UInt32) -> Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            true
        default: false
        }
    }
}

/// Formats a number with a noun: "1 account", "2 accounts".
package enum Plural {
    package static func text(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) " + (count == 1 ? one : many ?? one + "s")
    }
}
