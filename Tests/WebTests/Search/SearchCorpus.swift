import HTTPTypes
import Testing

/// Statuses in many languages and scripts, for searches with known results.
struct SearchCorpus: Sendable {
    /// A status to post.
    private struct Row {
        let key: String
        let author: String
        let text: String
        var visibility = "public"
        /// The key of the status to which it replies.
        var parent: String?
        /// Further fields of the form.
        var more = ""

        init(
            _ key: String, _ author: String, _ text: String, _ visibility: String = "public", to parent: String? = nil,
            more: String = ""
        ) {
            (self.key, self.author, self.text) = (key, author, text)
            (self.visibility, self.parent, self.more) = (visibility, parent, more)
        }
    }

    private static let rows: [Row] = [
        Row("dog", "ada", "The quick brown fox jumps over the lazy dog", more: "&language=en"),
        Row("quick", "ada", "Foxes are quick; dogs are lazy.", more: "&language=en"),
        Row("garden", "bob", "A lazy afternoon in the garden, reading about foxes", more: "&language=en-GB"),
        Row("panic", "bob", "Don't panic! It's only a café on the naïve corner"),
        Row("houses", "ada", "Bennett's law of horticulture: houses are for people to live in."),
        Row("back", "cleo", "“I’ll be back”, he said"),
        Row("nature", "cleo", "\"Nature is very un-American. Nature never hurries.\"\n\t\t-- William George Jordan"),
        Row("art", "cleo", "State-of-the-art e-mail from 10 Downing Street, 2024"),
        Row("lines", "cleo", "first line\nsecond line\n\nthird paragraph"),
        // Code.
        Row("swift", "ada", "let x = foo.bar(baz: 0x1F) // TODO: fix_me"),
        Row("git", "bob", "git commit --amend -m 'fix: parser'"),
        Row("sql", "bob", "SELECT * FROM status WHERE id = 42;"),
        Row("plus", "cleo", "C++ and C# and F#"),
        Row("hello", "cleo", "print(\"hello, world\")"),
        Row("html", "cleo", "<b>bold</b> &amp; AT&T <script>alert(1)</script>"),
        // Addresses.
        Row("link", "ada", "See https://example.org/swift?q=120&x=%E4%B8%AD for more"),
        Row("mail", "ada", "me@example.com or www.example.net"),
        Row("mention", "bob", "hello @ada, how are you?"),
        // Hashtags, composed and decomposed.
        Row("nfc", "ada", "Ride #Caf\u{E9} #bikes"),
        Row("nfd", "bob", "Ride #Cafe\u{301}"),
        Row("street", "cleo", "#M\u{FC}llerStra\u{DF}e und #\u{F6}l"),
        Row("tag", "cleo", "#日本語 タグ"),
        Row("score", "cleo", "#under_score_tag"),
        // Emoji.
        Row("party", "ada", "Party 🎉🎉 tonight"),
        Row("family", "bob", "👩‍👩‍👧‍👦family🏳️‍🌈pride"),
        Row("keycap", "bob", "1️⃣ keycap ❤️heart"),
        // German, Spanish, Italian, Russian.
        Row("size", "ada", "Die Größe der Straße überrascht mich", more: "&language=de"),
        Row("cologne", "bob", "Schöne Grüße aus Köln", more: "&language=de"),
        Row("danube", "bob", "Donaudampfschifffahrtsgesellschaft", more: "&language=de"),
        Row("goethe", "cleo", "Sich gleichstellen, heißt lernen; auffassen, heißt erfinden.", more: "&language=de"),
        Row("child", "ada", "¿Qué pasó con el niño mañana?", more: "&language=es"),
        Row("sausage", "ada", "Con salchichón, siempre es ocasión.", more: "&language=es"),
        Row("penguin", "bob", "El pingüino y la cigüeña", more: "&language=es"),
        Row("last", "bob", "Avete sentito l'ultima? È perché l'ho fatta piano", more: "&language=it"),
        Row("city", "cleo", "Città e università", more: "&language=it"),
        Row("russian", "ada", "Русские программисты помнят раскладки клавиатуры", more: "&language=ru"),
        Row("tree", "bob", "Ёлка стоит в углу", more: "&language=ru"),
        Row("moscow", "cleo", "Привет, мир! Hello из Москвы", more: "&language=ru"),
        // Chinese and other scripts without spaces.
        Row("wind", "ada", "習習谷風，以陰以雨。黽勉同心，不宜有怒。", more: "&language=zh"),
        Row("square", "ada", "我爱北京天安门", more: "&language=zh"),
        Row("school", "bob", "北京大学的学生在学习Swift语言", more: "&language=zh"),
        Row("weather", "bob", "今天天气很好", more: "&language=zh"),
        Row("tokyo", "cleo", "私は東京都に住んでいます", more: "&language=ja"),
        Row("kyoto", "cleo", "京都の寺は美しい", more: "&language=ja"),
        Row("narrow", "ada", "ｶﾀｶﾅと全角ＡＢＣ", more: "&language=ja"),
        Row("seoul", "bob", "서울에서 만나요", more: "&language=ko"),
        Row("thai", "bob", "ภาษาไทยง่าย", more: "&language=th"),
        Row("khmer", "cleo", "ភាសាខ្មែរ"),
        Row("mixed", "cleo", "iPhoneでSwiftを書く、2024年"),
        // Other scripts.
        Row("arabic", "ada", "مرحبا بالعالم"), Row("hebrew", "ada", "שלום עולם"),
        Row("hindi", "bob", "नमस्ते दुनिया"), Row("greek", "bob", "Ο ΔΡΟΜΟΣ της Αθήνας"),
        // What is not the text, and what has a state.
        Row("warned", "cleo", "the butler did it", more: "&spoiler_text=ending+of+the+film"),
        Row(
            "poll", "ada", "Which sport?",
            more: "&poll[options][]=Windsurfing&poll[options][]=Kites&poll[expires_in]=3600"),
        Row("reply", "bob", "indeed, foxes", to: "dog"),
        Row("careful", "cleo", "careful now, fox", more: "&sensitive=true"),
        Row("unlisted", "cleo", "an unlisted fox", "unlisted"),
        Row("private", "ada", "secret fox plan", "private"), Row("direct", "ada", "@bob a fox for you", "direct"),
    ]

    let people: [String: Member]
    private let keys: [String: String]
    private let ids: [String: String]

    /// Posts the statuses, by accounts that everyone may search.
    init(_ api: WebAPI) async throws {
        var people: [String: Member] = [:]
        for name in ["ada", "bob", "cleo", "dan"] {
            people[name] = try await api.person(name)
        }
        var ids: [String: String] = [:]
        for row in Self.rows {
            ids[row.key] = try await api.post(
                row.text, by: try #require(people[row.author]), row.visibility,
                replyTo: row.parent.flatMap { ids[$0] }, more: row.more)
        }
        self.people = people
        self.ids = ids
        keys = Dictionary(uniqueKeysWithValues: ids.map { ($1, $0) })
    }

    func id(_ key: String) throws -> String { try #require(ids[key]) }

    /// The keys of statuses in a response, in its order.
    func keys(_ statuses: JSONValue?) -> [String] { statuses?.ids.map { keys[$0] ?? $0 } ?? [] }

    /// The keys in a text, sorted as a search sorts statuses: the newest first.
    static func newestFirst(_ text: String) -> [String] {
        let wanted = Set(text.split { $0 == " " }.map(String.init))
        return rows.reversed().map(\.key).filter(wanted.contains)
    }
}
