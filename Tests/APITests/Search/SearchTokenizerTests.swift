import Foundation
import TestKit
import Testing

@testable import FeedAPI

@Suite(.hangLimit)
struct SearchTokenizerTests {
    @Test(
        arguments: [
            ("", ""), ("  \n", ""), ("Hello, World!", "hello world"), ("don't", "don t"), ("a_b c-d", "a b c d"),
            ("Größe über ẞ", "große uber ß"), ("¿Qué pasó, señor?", "que paso senor"), ("perché città", "perche citta"),
            ("Ёлка и ёж", "ёлка и ёж"), ("ΟΔΟΣ οδός", "οδοσ οδόσ"), ("ﬁn ２０２４ Ⅷ", "fin 2024 viii"),
            ("İstanbul", "istanbul"), ("col·lega", "col lega"), ("co\u{AD}operate", "cooperate"), ("x\u{302}y", "xy"),
            // Words end where the script changes; digits belong to either side.
            ("iPhoneтест", "iphone тест"), ("mp3 h2o 3d", "mp3 h2o 3d"), ("10км", "10км"), ("Σcode", "σ code"),
            ("2024年", "2024 年"), ("iPhone東京版", "iphone 東京 京版 版"), ("東京3", "東京 京 3"),
            // Scripts without spaces.
            ("東", "東"), ("東京都", "東京 京都 都"), ("食べる", "食べ べる る"), ("カフェ", "カフ フェ ェ"),
            ("ｶﾞｷﾞ", "ガギ ギ"), ("서울에서", "서울 울에 에서 서"), ("我爱你。你呢？", "我爱 爱你 你 你呢 呢"),
            ("ภาษา", "ภา าษ ษา า"), ("ລາວ", "ລາ າວ ວ"), ("ខ្មែរ", "ខម មែ ែរ រ"), ("မြန်", "မြ ြန န"),
            ("東\u{200B}京", "東 京"), ("東 京", "東 京"), ("한국어 English", "한국 국어 어 english"),
            // Emoji, URLs, hashtags, code and quotes.
            ("hi🎉there 👩‍👩‍👧‍👦🏳️‍🌈é", "hi there e"), ("1️⃣", "1"), ("🇩🇪🎉", ""), ("🅰", ""),
            ("https://Example.org/swift?q=120&x=%E4%B8%AD", "https example org swift q 120 x e4 b8 ad"),
            ("#Café ＃Öl #c++", "cafe ol c"), ("foo.bar(baz: 0x1F) { $0 != nil }", "foo bar baz 0x1f 0 nil"),
            ("\"quoted\" «guillemets» “curly”", "quoted guillemets curly"), ("can`t `code`", "can t code"),
            ("हिन्दी", "हिनदी"), ("שלום", "שלום"), ("مرحبا بالعالم", "مرحبا بالعالم"), ("می\u{200C}خواهم", "میخواهم"),
            ("\u{0600}word", "word"), ("a\0b", "a b"),
        ] as [(String, String)])
    func textIsDividedIntoTokens(text: String, tokens: String) {
        // A token may begin with a mark, which would join the space before it.
        let expected = tokens.unicodeScalars.split(separator: " ").map { String($0) }
        for form in [
            text, text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping,
        ] {
            #expect(SearchTokenizer.tokens(of: form) == expected)
            #expect(SearchTokenizer.places(in: form).map(\.token) == expected)
        }
    }

    @Test func longTextIsCut() {
        let long = String(repeating: "x", count: 1000) + " y " + String(repeating: "ы", count: 100)
        let cut = [String(repeating: "x", count: 64), "y", String(repeating: "ы", count: 32)]
        #expect(SearchTokenizer.tokens(of: long) == cut)
        #expect(
            SearchTokenizer.tokens(of: String(repeating: "a ", count: 100_000)).count == SearchTokenizer.maximumTokens)
        #expect(
            SearchTokenizer.tokens(of: String(repeating: "東", count: 100_000)).count == SearchTokenizer.maximumTokens)
        #expect(SearchTokenizer.places(in: String(repeating: "a ", count: 9999)).count == SearchTokenizer.maximumTokens)
    }

    @Test func placesAreThoseOfTheText() {
        let text = "Über e\u{301}\u{325}t\u{AD}é. ﷺ 東京ﾀﾞ"
        let places = SearchTokenizer.places(in: text).map { ($0.token, String(text[$0.range])) }
        let expected = [
            ("uber", "Über"), ("ete", "e\u{301}\u{325}t\u{AD}é"), ("صلى", "ﷺ"), ("الله", "ﷺ"), ("عليه", "ﷺ"),
            ("وسلم", "ﷺ"), ("東京", "東京"), ("京ダ", "京ﾀﾞ"), ("ダ", "ﾀﾞ"),
        ]
        #expect(places.map(\.0) == expected.map(\.0))
        for (place, other) in zip(places, expected) {
            #expect(place.1.unicodeScalars.elementsEqual(other.1.unicodeScalars))
        }
    }

    /// Any text gives a bounded number of short tokens, the same in every normal form.
    @Test func anyTextIsDivided() {
        var random = SplitMix64(seed: Soak.seed)
        for _ in 0..<Soak.rounds(3000, soaking: 100_000) {
            let text = SearchSamples.text(using: &random)
            let tokens = SearchTokenizer.tokens(of: text)
            let places = SearchTokenizer.places(in: text)
            #expect(tokens.count <= text.precomposedStringWithCompatibilityMapping.unicodeScalars.count)
            for token in tokens {
                let isPlain = token.unicodeScalars.allSatisfy(Self.isPart)
                #expect(isPlain && !token.isEmpty && token.utf8.count <= 64, "\(text.debugDescription)")
            }
            #expect(
                SearchTokenizer.tokens(of: text.decomposedStringWithCanonicalMapping) == tokens,
                "\(text.debugDescription)")
            #expect(places.count <= SearchTokenizer.maximumTokens)
            #expect(zip(places, places.dropFirst()).allSatisfy { $0.range.lowerBound <= $1.range.lowerBound })
        }
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .decimalNumber, .nonspacingMark, .spacingMark, .enclosingMark:
            true
        default: false
        }
    }
}
