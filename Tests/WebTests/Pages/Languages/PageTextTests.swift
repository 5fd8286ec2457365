import FeedCore
import FeedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import FeedWeb

/// The tables of the languages.
@Suite
struct PageTextTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The names in `{{text.NAME}}`.
    private static func words(in template: String) -> [String] {
        template.matches(of: /\{\{text\.(\w+)\}\}/).map { String($0.1) }
    }

    private static func templates() throws -> [String] {
        let folder = root.appendingPathComponent("Public")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".mustache") }
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    }

    /// The Swift code of a part of the server, without the tables.
    private static func code(in path: String = "Web") throws -> String {
        let folder = root.appendingPathComponent("Sources/Server/" + path)
        let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        return try names.filter { $0.hasSuffix(".swift") && !$0.contains("Languages/") }
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined()
    }

    @Test func everyWordOfATemplateIsInTheTableAndEveryWordOfTheTableIsUsed() throws {
        let used = Set(try Self.templates().flatMap(Self.words))
        let code = try Self.code()
        let named = Set(EnglishText().words.named.keys)
        #expect(used.subtracting(named) == [])
        let inCode = Set(code.matches(of: /words\.(\w+)/).map { String($0.1) })
        #expect(named.subtracting(used).subtracting(inCode) == [])
    }

    @Test func everyTextOfTheTableIsUsed() throws {
        let folder = Self.root.appendingPathComponent("Sources/Server/Web/Pages/Languages")
        let declared = try ["PageText.swift", "SettingsText.swift", "AdministrationText.swift"].flatMap { name in
            try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                .matches(of: /\n    (?:var|func) (\w+)/).map { String($0.1) }
        }
        #expect(declared.count > 250)
        // Other types have members of the same names, so what stands before the point counts.
        let used = try Self.code().matches(of: /(?:[tT]ext|language|\$0|\\|\))\??\.(\w+)/).map { String($0.1) }
        // What the tables' own functions use.
        let own = ["date", "month", "sentenceSeparator"]
        #expect(Set(declared).subtracting(used).subtracting(own) == [])
    }

    /// Templates have no words of their own, except names.
    @Test func templatesContainNoWords() throws {
        let names = ["Mastodon", "Tusky", "Fedilab", "Ivory", "Tuba", "Phanpy", "Elk", "Atom", "RSS", "JSON", "Feed"]
        for template in try Self.templates() {
            let text = template.replacing(/\{\{!.*?\}\}/, with: "").replacing(/\{\{.*?\}\}/, with: "")
                .replacing(/<[^>]*>/, with: " ")
            let words = text.matches(of: /[A-Za-z]{2,}/).map { String($0.0) }.filter { !names.contains($0) }
            #expect(words == [])
            #expect(template.matches(of: /(?:aria-label|alt|title|placeholder)="[^"{]+"/).isEmpty)
        }
    }

    /// A word is put into HTML as it is, and its values are those of the template that it was written for.
    @Test func wordsHaveTheSameValuesAndElementsInEveryLanguage() throws {
        func marks(_ text: String) -> [String] {
            text.matches(of: /\{+\w+\}+|<[^>]*>/).map { String($0.0) }.sorted()
        }
        for language in PageLanguage.allCases {
            for (name, text) in language.text.words.named {
                let english = try #require(EnglishText().words.named[name])
                #expect(marks(text) == marks(english), "\(language) \(name)")
                #expect(!text.isEmpty && !text.replacing(/<[^>]*>/, with: "").contains(/[<>"&]/), "\(language) \(name)")
            }
        }
    }

    @Test func wordsOfTwoLanguagesDiffer() {
        // Words that are the same in German.
        let same: Set = ["text", "via", "apps", "administration", "uploadProgress"]
        let (german, chinese) = (GermanText().words.named, ChineseText().words.named)
        for (name, text) in EnglishText().words.named {
            #expect(german[name] != text || same.contains(name), "\(name)")
            #expect(chinese[name] != text, "\(name)")
        }
    }

    private static let counts: [(count: Int, replies: [String], votes: [String])] = [
        (0, ["0 replies", "0 Antworten", "0 条回复"], ["0 votes", "0 Stimmen", "0 票"]),
        (1, ["1 reply", "1 Antwort", "1 条回复"], ["1 vote", "1 Stimme", "1 票"]),
        (2, ["2 replies", "2 Antworten", "2 条回复"], ["2 votes", "2 Stimmen", "2 票"]),
        (21, ["21 replies", "21 Antworten", "21 条回复"], ["21 votes", "21 Stimmen", "21 票"]),
    ]

    @Test(arguments: counts.indices) func countsHaveThePluralOfTheLanguage(index: Int) {
        let row = Self.counts[index]
        let texts: [any PageText] = [EnglishText(), GermanText(), ChineseText()]
        #expect(texts.map { $0.replies(row.count) } == row.replies)
        #expect(texts.map { $0.votes(row.count) } == row.votes)
    }

    @Test func pluralsAgreeWithTheirSentences() {
        let (german, chinese) = (GermanText(), ChineseText())
        #expect(german.notification(.favourite, others: 0) == "hat deinen Beitrag favorisiert")
        #expect(german.notification(.favourite, others: 1) == "und 1 weitere Person haben deinen Beitrag favorisiert")
        #expect(german.notification(.favourite, others: 3) == "und 3 weitere haben deinen Beitrag favorisiert")
        #expect(chinese.notification(.favourite, others: 3) == "和另外 3 人喜欢了你的嘟文")
        #expect(GermanText().durationFromNow(.days(7)) == "In 7 Tagen" && GermanText().duration(.days(7)) == "7 Tage")
        #expect(GermanText().durationFromNow(.hours(1)) == "In 1 Stunde")
        #expect(chinese.durationFromNow(.minutes(30)) == "30 分钟后")
        #expect(german.files(1, .image) == "1 Bild" && german.files(2, .image) == "2 Bilder")
        #expect(chinese.files(2, .image) == "2 张图片" && chinese.files(1, .audio) == "1 段录音")
        #expect(german.votes(3, of: 1) == "3 Stimmen von 1 Person, Mehrfachauswahl möglich")
    }

    private static let dates: [(language: PageLanguage, full: String, month: String)] = [
        (.english, "27 Nov 2026, 18:05 UTC", "Nov 2026"), (.german, "27. Nov. 2026, 18:05 UTC", "Nov. 2026"),
        (.chinese, "2026年11月27日 18:05 UTC", "2026年11月"),
    ]

    @Test(arguments: dates.indices) func datesAreThoseOfTheLanguage(index: Int) {
        let (language, full, month) = Self.dates[index]
        let time: Int64 = 1_795_802_700_000
        #expect(PageDate.full(time, language.text) == full)
        #expect(PageDate.month(time, language.text) == month)
    }

    @Test func refusalsAreTranslatedWithTheirValues() {
        let error = FeedError.invalid("The text has 501 characters; 500 are allowed")
        #expect(EnglishText().message(error) == "Validation failed: The text has 501 characters; 500 are allowed")
        #expect(GermanText().message(error) == "Der Text hat 501 Zeichen; erlaubt sind 500")
        #expect(ChineseText().plainMessage(error) == "正文有 501 个字符；最多允许 500 个")
        #expect(ChineseText().message(.rateLimited("Too many posts", retryAfter: 7)) == "嘟文过多。请等待 7 秒。")
        let other = FeedError(.notFound, "Something else {}")
        #expect(GermanText().message(other) == "Something else {}")
        #expect(GermanText().translated("The text has \u{600} characters") == "The text has \u{600} characters")
    }

    /// The advice to free space is for the operator.
    @Test func fullDiskIsTheServers() {
        let error = FeedError.diskFull(CancellationError())
        #expect(EnglishText().message(error).hasPrefix("The server's disk is full"))
        #expect(GermanText().plainMessage(error).hasPrefix("Der Datenträger des Servers ist voll. Sag der Leitung"))
        let response = ErrorResponse(error)
        #expect(response.message == "The server's disk is full" && response.headers[.retryAfter] == "60")
        #expect(error.message == "The disk is full" && error.hint?.contains("Free some space") == true)
    }

    @Test func refusalsOfUploadsAndOfTheOperatorAreTranslated() {
        let format = FeedError.invalid("Files of the type HEIC are not supported")
        #expect(GermanText().plainMessage(format) == "Dateien vom Typ HEIC werden nicht unterstützt")
        let size = FeedError(
            .invalid, "The image is too large: 9000 × 9000 pixels", hint: "Scale it down to at most 36 megapixels.")
        #expect(ChineseText().plainMessage(size) == "图片过大：9000 × 9000 像素。请缩小到最多 36 百万像素。")
        let admin = FeedError(
            .conflict, "ada is the only administrator", hint: "Make another account an administrator first.")
        #expect(GermanText().message(admin) == "ada ist der einzige Admin. Mache zuerst ein anderes Konto zum Admin.")
        #expect(GermanText().message(FeedError(.conflict, "ada awaits approval")) == "ada wartet auf Genehmigung")
    }

    /// A refusal that is phrased differently now would no longer be translated.
    @Test func everyTranslatedRefusalIsOneOfTheServer() throws {
        let code = try ["Core", "Store", "Files", "Web"].map { try Self.code(in: $0) }.joined()
            .replacing(/\\\n\s*/, with: "")
        // These are put together from their parts.
        let composed = ["New password ", "Accounts must", "Days must", "The image is too", "The video is too"]
        let refusals = ErrorTranslations.all + MediaErrorTranslations.all
        for translation in refusals where !composed.contains(where: translation.english.hasPrefix) {
            for part in translation.english.components(separatedBy: "{}") where !part.isEmpty {
                #expect(code.contains(part), "\(translation.english)")
            }
        }
    }

    @Test func translationsHaveTheSameValuesInEveryLanguage() {
        for translation in ErrorTranslation.all {
            let texts = [translation.english, translation.german, translation.chinese]
            #expect(Set(texts.map { $0.components(separatedBy: "{}").count }).count == 1, "\(translation.english)")
        }
        #expect(Set(ErrorTranslation.all.map(\.english)).count == ErrorTranslation.all.count)
    }

    @Test func languagesOfPostsAreNamedInTheLanguageOfThePage() throws {
        for language in PageLanguage.allCases {
            let choices = PostLanguages.choices(with: nil, language.text)
            #expect(choices.first?.value == "" && Set(choices.map(\.value)).count == choices.count)
            #expect(choices.count == PostLanguages.choices(with: nil, EnglishText()).count)
        }
        let german = PostLanguages.choices(with: nil, GermanText())
        #expect(german.contains { $0 == ("de", "Deutsch") } && german.contains { $0 == ("fr", "Französisch") })
        #expect(PostLanguages.choices(with: nil, ChineseText()).contains { $0 == ("en", "英语") })
    }
}
