import FeedCore
import Foundation

/// The languages that the page offers for a post.
enum PostLanguages {
    /// - Parameter chosen: A language that is offered, too: that of the account or of the edited status.
    static func choices(with chosen: String?, _ text: any PageText) -> [(value: String, label: String)] {
        let all = names[text.language] ?? english
        guard let chosen, !chosen.isEmpty else { return [("", text.languageNotStated)] + all }
        return all.contains { $0.value == chosen } ? all : [(chosen, chosen)] + all
    }

    private static let names = Dictionary(uniqueKeysWithValues: PageLanguage.allCases.map { ($0, names(in: $0)) })

    /// The names in a language, in their order; those in Chinese in that of the English ones.
    private static func names(in language: PageLanguage) -> [(value: String, label: String)] {
        guard language != .english else { return english }
        let locale = Locale(identifier: language.rawValue)
        let names = english.map { value, label in
            (value: value, label: locale.localizedString(forLanguageCode: value) ?? label)
        }
        guard language != .chinese else { return names }
        return names.sorted { sortKey($0.label) < sortKey($1.label) }
    }

    private static func sortKey(_ name: String) -> String { name.folding(options: .diacriticInsensitive, locale: nil) }

    /// The codes of ISO 639 with the English names, in their order.
    private static let english: [(value: String, label: String)] = [
        ("af", "Afrikaans"), ("sq", "Albanian"), ("am", "Amharic"), ("ar", "Arabic"), ("hy", "Armenian"),
        ("az", "Azerbaijani"), ("eu", "Basque"), ("be", "Belarusian"), ("bn", "Bengali"), ("bs", "Bosnian"),
        ("br", "Breton"), ("bg", "Bulgarian"), ("my", "Burmese"), ("ca", "Catalan"), ("zh", "Chinese"),
        ("hr", "Croatian"), ("cs", "Czech"), ("da", "Danish"), ("nl", "Dutch"), ("en", "English"),
        ("eo", "Esperanto"), ("et", "Estonian"), ("fo", "Faroese"), ("fi", "Finnish"), ("fr", "French"),
        ("gl", "Galician"), ("ka", "Georgian"), ("de", "German"), ("el", "Greek"), ("gu", "Gujarati"),
        ("ha", "Hausa"), ("he", "Hebrew"), ("hi", "Hindi"), ("hu", "Hungarian"), ("is", "Icelandic"),
        ("ig", "Igbo"), ("id", "Indonesian"), ("ia", "Interlingua"), ("ga", "Irish"), ("it", "Italian"),
        ("ja", "Japanese"), ("kn", "Kannada"), ("kk", "Kazakh"), ("km", "Khmer"), ("ko", "Korean"),
        ("ku", "Kurdish"), ("ky", "Kyrgyz"), ("lo", "Lao"), ("la", "Latin"), ("lv", "Latvian"),
        ("lt", "Lithuanian"), ("lb", "Luxembourgish"), ("mk", "Macedonian"), ("ms", "Malay"), ("ml", "Malayalam"),
        ("mt", "Maltese"), ("mr", "Marathi"), ("mn", "Mongolian"), ("ne", "Nepali"), ("no", "Norwegian"),
        ("nb", "Norwegian Bokmål"), ("nn", "Norwegian Nynorsk"), ("oc", "Occitan"), ("ps", "Pashto"),
        ("fa", "Persian"), ("pl", "Polish"), ("pt", "Portuguese"), ("pa", "Punjabi"), ("ro", "Romanian"),
        ("ru", "Russian"), ("gd", "Scottish Gaelic"), ("sr", "Serbian"), ("si", "Sinhala"), ("sk", "Slovak"),
        ("sl", "Slovenian"), ("so", "Somali"), ("es", "Spanish"), ("sw", "Swahili"), ("sv", "Swedish"),
        ("tl", "Tagalog"), ("ta", "Tamil"), ("te", "Telugu"), ("th", "Thai"), ("bo", "Tibetan"), ("tr", "Turkish"),
        ("uk", "Ukrainian"), ("ur", "Urdu"), ("uz", "Uzbek"), ("vi", "Vietnamese"), ("cy", "Welsh"),
        ("yi", "Yiddish"), ("yo", "Yoruba"), ("zu", "Zulu"),
    ]
}
