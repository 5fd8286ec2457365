import TestKit

/// Random texts and queries.
enum SearchSamples {
    private static let fragments = [
        " ", "\t", "\n", "-", "--", "*", "**", "\"", "“", "”", ":", "from:", "from:me", "from:@ada", "has:",
        "has:media",
        "is:reply", "before:2026-01-31", "after:2026-01-31T12:00:00Z", "before:", "after:9999-99-99", "language:de",
        "LANGUAGE:", "wor*", "swift", "@", "#", "OR", "AND", "NEAR(", ")", "'", "\\", "%", "_", "東", "京都", "ไทย",
        "한국", "e\u{301}", "\u{301}", "\u{600}", "\u{200B}", "\u{200D}", "🎉", "👩‍👩‍👧‍👦", "\0", "\u{FEFF}", "\u{10FFFF}", "ﷺ",
        "İ", "ß", "ｶﾞ", "𝔘", "ᄀ", "ᅡ", "0", "९", "½",
    ]

    /// A text of fragments and random characters.
    static func text(using random: inout SplitMix64) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...24, using: &random) {
            if Bool.random(using: &random) {
                text += fragments[Int.random(in: 0..<fragments.count, using: &random)].unicodeScalars
            } else {
                text.append(scalar(using: &random))
            }
        }
        return String(text)
    }

    private static func scalar(using random: inout SplitMix64) -> Unicode.Scalar {
        let limits: [UInt32] = [0x80, 0x800, 0x3000, 0xFFFF, 0x10FFFF]
        let limit = limits[Int.random(in: 0..<limits.count, using: &random)]
        return Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) ?? "x"
    }
}
