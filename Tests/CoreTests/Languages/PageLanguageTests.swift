import FeedCore
import Testing

@Suite
struct PageLanguageTests {
    @Test(arguments: [
        ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("en-GB,en;q=0.5", "en"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("DE", "de"), ("zh", "zh-Hans"), ("zh-Hans-TW", "zh-Hans"), ("fr-FR,fr;q=0.9,de;q=0.3,en;q=0.4", "en"),
        (" fr , de ; q=0.2 , en;q=0.1", "de"), ("en;q=0.8,de;q=0.8", "en"), ("de;q=0.001", "de"), ("*,de;q=0.1", "de"),
        // The traditional script is another one.
        ("zh-TW,zh-Hant;q=0.9", nil), ("zh-Hant-HK,en;q=0.1", "en"), ("zh-HK,zh;q=0.5", "zh-Hans"),
        ("ZH-tw", nil), ("zh-Latn-MO", nil), ("zh-", "zh-Hans"), ("zh-Hant2", "zh-Hans"),
        ("", nil), ("*", nil), ("fr", nil), ("den", nil), ("d", nil), ("de;q=0", nil), ("de;q=x,en;q=0.1", "en"),
        ("de;q=", nil), ("de;q=2", nil), ("de;q=0.1234", nil), ("de;level=1", nil), ("de\t;\tQ=0.5,en;q=0.4", "de"),
        ("de;q=1.,en", "de"), (",,;,-,;q=1", nil), ("de_DE", nil), ("\u{600}de", nil),
    ])
    func theBestAcceptedLanguageIsChosen(header: String, tag: String?) {
        #expect(PageLanguage(accepted: header)?.rawValue == tag, "\(header)")
    }

    /// However long the field is, only its beginning is read.
    @Test func longFieldsAreReadInPart() {
        let others = String(repeating: "fr,", count: 100)
        #expect(PageLanguage(accepted: "de," + others) == .german)
        #expect(PageLanguage(accepted: others + "de") == nil)
    }

    @Test func theFirstKnownLanguageOfTheSiteIsThatOfItsPages() {
        var site = SiteSettings()
        #expect(site.pageLanguage == .english)
        site.languages = ["fr", "zh-Hant", "de-CH", "en"]
        #expect(site.pageLanguage == .german)
        site.languages = []
        #expect(site.pageLanguage == .english)
    }
}
