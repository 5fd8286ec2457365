import TestKit
import Testing

@testable import FeedAPI

struct TokenScannerTests {
    /// Parts that change what they are next to.
    private static let parts = [
        "a", "b", "Z", "9", " ", "-", "'", "_", "#", "é", "e\u{301}", "\u{301}", "<\u{338}", "東", "京", "ー", "ｶ", "ﾞ",
        "ไ",
        "\u{E47}", "Σ", "ς", "ß", "İ", "ﬁ", "\u{200B}", "\u{AD}", "١", "한", "\u{1100}", "\u{1161}", "က", "\u{103B}",
        "ខ",
        "𝐀", "👍", "Ж", "\r\n", "\u{200D}", "\u{212A}", "㍿", "½", "①",
    ]

    /// Folding only some words gives the same as folding the whole text.
    @Test func tokensAreThoseOfTheFoldedText() {
        var random = SplitMix64(seed: Soak.seed)
        for _ in 0..<Soak.rounds(5000, soaking: 500_000) {
            let count = Int.random(in: 0..<9, using: &random)
            let text = (0..<count).map { _ in Self.parts[Int.random(in: 0..<Self.parts.count, using: &random)] }
                .joined()
            #expect(
                SearchTokenizer.tokens(of: text) == SearchTokenizer.words(of: text).map(\.token),
                "\(text.unicodeScalars.map(\.value))")
        }
    }

    @Test func tokensAndTheirNumberAreLimited() {
        let long = String(repeating: "x", count: 100)
        #expect(SearchTokenizer.tokens(of: long) == [String(repeating: "x", count: SearchTokenizer.maximumTokenBytes)])
        let many = String(repeating: "One é ", count: SearchTokenizer.maximumTokens)
        #expect(SearchTokenizer.tokens(of: many).count == SearchTokenizer.maximumTokens)
        #expect(SearchTokenizer.tokens(of: many).prefix(3) == ["one", "e", "one"])
    }
}
