import TestKit
import Testing

@testable import FeedCore

@Suite(.hangLimit)
struct HashtagTests {
    /// Texts and the hashtag that each contains, as Mastodon finds them.
    static let texts: [(String, String?)] = [
        ("see https://a.example/@ada/post#.abcdef123", nil), ("https://a.example/Busters_(song)#Lawsuit", nil),
        ("https://a.example/show.cgi?id=111895#c4", nil), ("https://a.example/testé#foo", nil),
        ("https://a.example/Busters_(song)?foo=#Lawsuit", nil), ("https://a.example/A_v._B,_Inc.#Decision", nil),
        ("a non-breaking\u{A0}#foo", "foo"), ("wide #ａｅｓｔｈｅｔｉｃ", "ａｅｓｔｈｅｔｉｃ"), ("a wide sign ＃ｆｏｏ", "ｆｏｏ"),
        ("#3d", "3d"), ("#l33ts35k", "l33ts35k"), ("#world2016", "world2016"), ("#_test", "_test"),
        ("#test_", "test_"), ("#one_two_three", "one_two_three"), ("#one·two·three", "one·two·three"),
        ("#one·two", "one·two"), ("#ぼっち・ざ・ろっく", "ぼっち・ざ・ろっく"),
        ("just #نرم\u{200C}افزار and", "نرم\u{200C}افزار"), ("#·one·two", nil), ("#one·two·", "one·two"),
        ("#one··", "one"), ("#0123456", nil), ("toß #ruby", "ruby"), ("#rubyOnRails", "rubyOnRails"),
        ("#2024_25", "2024_25"), ("#2·8·3のつく日", "2·8·3のつく日"), ("#1_", nil), ("#_", nil), ("#12·", nil),
        ("#12a", "12a"), ("#1a", "1a"), ("#a", "a"), ("#a·", "a"), ("#1·2", "1·2"), ("#a-b", "a"),
        ("#caffe\u{300} x", "caffe\u{300}"), ("(#a)", "a"), ("a)#b", nil), ("é#b", nil), ("日本#b", nil), ("5#b", nil),
        ("=#b", nil), ("/#b", nil), ("&#b", nil), ("##b", nil), ("，#b", "b"), ("_#b_", "b_"), ("#️⃣", nil),
        ("\u{600}#日本", "日本"), ("#हिन्दी", "हिन्दी"), ("#ไทยก็", "ไทยก็"),
    ]

    @Test(arguments: texts)
    func hashtagIsFound(text: String, expected: String?) {
        let found = StatusTextParser.parse(text).compactMap {
            if case .hashtag(let name) = $0 { String(name) } else { nil }
        }
        #expect(found.map { Array($0.utf8) } == [expected].compactMap(\.self).map { Array($0.utf8) })
        guard let expected else { return }
        #expect(Hashtag.name(expected) == expected && Hashtag.name("#" + expected) == expected)
        #expect(Hashtag.name("＃" + expected) == expected)
    }

    @Test(arguments: ["", "#", "a b", "##x", "a/b", "1", "a·", "·a", "a\n", String(repeating: "a", count: 201)])
    func otherTextIsNoName(text: String) { #expect(Hashtag.name(text) == nil) }

    /// Spellings of one hashtag, the first of which is its key.
    static let spellings: [(String, [String])] = [
        ("caffe", ["caffè", "caffe\u{300}", "CAFFÈ", "Caffé", "ｃａｆｆｅ", "ca\u{FB00}e"]),
        ("blahaj", ["BLÅHAJ", "Blåhaj"]),
        ("synthwave", ["Ｓｙｎｔｈｗａｖｅ"]), ("シーサイドライナー", ["ｼｰｻｲﾄﾞﾗｲﾅｰ"]), ("foo", ["#foo", "＃ｆｏｏ", "f o o", "foo❤️"]),
        ("a·b", ["A·B"]), ("2024_25", ["２０２４＿２５"]), ("lodz", ["Łódź", "ŁÓDŹ"]), ("große", ["Größe"]),
        ("istanbul", ["İstanbul", "ıstanbul"]), ("οδοσ", ["ΟΔΟΣ", "οδος"]), ("日本", ["日本"]),
        ("がぎ", ["か\u{3099}き\u{3099}"]),
        ("한국", ["\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"]), ("ёлка", ["Ёлка", "е\u{308}лка"]),
        ("ไทยก็", ["ไทยก็"]), ("نرم\u{200C}افزار", ["نرم\u{200C}افزار"]), ("abcabcabcabcやゆよ", ["abcABCａｂｃＡＢＣやゆよ"]),
    ]

    @Test(arguments: spellings)
    func spellingsHaveOneKey(key: String, spellings: [String]) {
        for spelling in [key] + spellings {
            #expect(Array(Hashtag.key(spelling).utf8) == Array(key.utf8), "\(spelling)")
            #expect(Array(Hashtag.key(spelling.lowercased()).utf8) == Array(key.utf8), "\(spelling)")
        }
    }

    /// The key of a key is the key itself; no key is empty or larger than a name.
    @Test func keysAreStable() {
        var numbers = SplitMix64(seed: 7)
        let letters = Array("aZ0_·・é\u{301}ßŉſＡｶﾞﷺⅧ①\u{200C}ςΣİı漢가\u{1100}\u{1161}\u{94D}ệ❤\u{FE0F} #/".unicodeScalars)
        for _ in 0..<2000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...90, using: &numbers) {
                text.append(letters[Int.random(in: 0..<letters.count, using: &numbers)])
            }
            let key = Hashtag.key(String(text))
            #expect(Array(Hashtag.key(key).utf8) == Array(key.utf8), "\(String(text).debugDescription)")
            #expect(!key.isEmpty && key.utf8.count <= max(Hashtag.maximumBytes, text.count))
        }
    }
}
