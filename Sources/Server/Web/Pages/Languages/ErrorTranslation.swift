import FeedCore

/// A text of the rules below the pages, which are the same for programs and phrase it in English. `{}` stands for a value.
struct ErrorTranslation: Sendable {
    let english: String
    let german: String
    let chinese: String
    /// The English text around the values.
    private let parts: [[UInt8]]

    init(_ english: String, _ german: String, _ chinese: String) {
        (self.english, self.german, self.chinese) = (english, german, chinese)
        parts = Self.split(english)
    }

    /// All texts that are known.
    static let all = ErrorTranslations.all + MediaErrorTranslations.all + others

    /// The values in a text.
    /// - Returns: `nil` if it is another text.
    func values(in text: [UInt8]) -> [String]? {
        guard let first = parts.first, let last = parts.last, text.starts(with: first) else { return nil }
        guard parts.count > 1 else { return text.count == first.count ? [] : nil }
        var (values, rest) = ([String](), text[first.count...])
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.firstRange(of: part) else { return nil }
            values.append(String(decoding: rest[..<range.lowerBound], as: UTF8.self))
            rest = rest[range.upperBound...]
        }
        guard rest.count >= last.count, rest.suffix(last.count).elementsEqual(last) else { return nil }
        return values + [String(decoding: rest.dropLast(last.count), as: UTF8.self)]
    }

    /// Puts values into a text.
    static func fill(_ text: String, with values: [String]) -> String {
        var result: [UInt8] = []
        for (index, part) in split(text).enumerated() {
            if index > 0, index <= values.count { result += Array(values[index - 1].utf8) }
            result += part
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func split(_ text: String) -> [[UInt8]] {
        var (parts, rest) = ([[UInt8]](), Array(text.utf8)[...])
        while let range = rest.range(of: "{}") {
            parts.append(Array(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [Array(rest)]
    }
}

extension PageText {
    /// A text of the rules in the language of the page, or as it is if it is not known.
    func translated(_ text: String) -> String {
        guard language != .english else { return text }
        let plain = FeedError(.invalid, text).plainMessage
        let bytes = Array(plain.utf8)
        for translation in ErrorTranslation.all {
            guard let values = translation.values(in: bytes) else { continue }
            let pattern = language == .german ? translation.german : translation.chinese
            return ErrorTranslation.fill(pattern, with: values)
        }
        return plain
    }

    /// An error with its hint, in sentences.
    func message(_ error: FeedError) -> String { sentences(error.forClients.message, error.forClients.hint) }

    /// The same without the prefix that clients of the Mastodon API expect.
    func plainMessage(_ error: FeedError) -> String {
        sentences(error.forClients.plainMessage, error.forClients.hint)
    }

    private func sentences(_ message: String, _ hint: String?) -> String {
        [message, hint].compactMap(\.self).map(translated).joined(separator: sentenceSeparator)
    }
}

extension ErrorTranslation {
    /// Names of status codes, descriptions of scopes, and the load of the server.
    static let others: [ErrorTranslation] = [
        ErrorTranslation("Bad Request", "Ungültige Anfrage", "无效的请求"),
        ErrorTranslation("Unauthorized", "Anmeldung erforderlich", "需要登录"),
        ErrorTranslation("Forbidden", "Nicht erlaubt", "禁止访问"),
        ErrorTranslation("Not Found", "Nicht gefunden", "未找到"),
        ErrorTranslation("Method Not Allowed", "Methode nicht erlaubt", "不允许的方法"),
        ErrorTranslation("Conflict", "Konflikt", "冲突"),
        ErrorTranslation("Content Too Large", "Zu groß", "内容过大"),
        ErrorTranslation("URI Too Long", "Adresse zu lang", "地址过长"),
        ErrorTranslation("Unsupported Media Type", "Nicht unterstützter Medientyp", "不支持的媒体类型"),
        ErrorTranslation("Unprocessable Content", "Nicht verarbeitbar", "无法处理"),
        ErrorTranslation("Too Many Requests", "Zu viele Anfragen", "请求过多"),
        ErrorTranslation("Internal Server Error", "Interner Serverfehler", "服务器内部错误"),
        ErrorTranslation("Service Unavailable", "Zurzeit nicht verfügbar", "服务不可用"),
        ErrorTranslation("Insufficient Storage", "Kein Speicherplatz", "存储空间不足"),

        // Scopes
        ErrorTranslation(
            "See your profile and its settings, and nothing else",
            "Dein Profil und seine Einstellungen sehen, sonst nichts",
            "查看你的个人资料及其设置，仅此而已"),
        ErrorTranslation(
            "Read everything your account can see, including direct messages",
            "Alles lesen, was dein Konto sehen kann, auch direkte Nachrichten",
            "读取你的账号能看到的一切，包括私信"),
        ErrorTranslation(
            "Post, delete, follow and change your profile on your behalf",
            "In deinem Namen veröffentlichen, löschen, folgen und dein Profil ändern",
            "代表你发布、删除、关注和更改个人资料"),
        ErrorTranslation(
            "See and change whom you follow, block and mute",
            "Sehen und ändern, wem du folgst und wen du blockierst oder stummschaltest",
            "查看和更改你关注、屏蔽和隐藏的人"),
        ErrorTranslation("Stay logged in", "Angemeldet bleiben", "保持登录"),
        ErrorTranslation("Search on your behalf", "In deinem Namen suchen", "代表你搜索"),
        ErrorTranslation("Favourite posts on your behalf", "In deinem Namen Beiträge favorisieren", "代表你喜欢嘟文"),
        ErrorTranslation("Upload pictures on your behalf", "In deinem Namen Bilder hochladen", "代表你上传图片"),
        ErrorTranslation("Post and delete on your behalf", "In deinem Namen veröffentlichen und löschen", "代表你发布和删除"),
        ErrorTranslation("Change your profile", "Dein Profil ändern", "更改你的个人资料"),
        ErrorTranslation("Report accounts on your behalf", "In deinem Namen Profile melden", "代表你举报账号"),
        ErrorTranslation(
            "See all accounts with their email addresses, and all reports, if you are an administrator",
            "Alle Konten mit ihren E-Mail-Adressen und alle Meldungen sehen, falls du Admin bist",
            "查看所有账号及其电子邮箱和所有举报（若你是管理员）"),
        ErrorTranslation(
            "Silence, suspend and remove accounts and resolve reports, if you are an administrator",
            "Konten stummschalten, sperren und löschen und Meldungen erledigen, falls du Admin bist",
            "限制、封禁和删除账号并处理举报（若你是管理员）"),
        ErrorTranslation(
            "See all accounts with their email addresses, if you are an administrator",
            "Alle Konten mit ihren E-Mail-Adressen sehen, falls du Admin bist",
            "查看所有账号及其电子邮箱（若你是管理员）"),
        ErrorTranslation(
            "Silence, suspend and remove accounts, if you are an administrator",
            "Konten stummschalten, sperren und löschen, falls du Admin bist",
            "限制、封禁和删除账号（若你是管理员）"),
        ErrorTranslation(
            "See all reports, if you are an administrator",
            "Alle Meldungen sehen, falls du Admin bist",
            "查看所有举报（若你是管理员）"),
        ErrorTranslation(
            "Resolve reports, if you are an administrator", "Meldungen erledigen, falls du Admin bist", "处理举报（若你是管理员）"),
        ErrorTranslation("See your accounts", "Dein Konto sehen", "查看你的账号"),
        ErrorTranslation("See your blocks", "Deine Blockierungen sehen", "查看你屏蔽的账号"),
        ErrorTranslation("See your bookmarks", "Deine Lesezeichen sehen", "查看你的书签"),
        ErrorTranslation("See your favourites", "Deine Favoriten sehen", "查看你的喜欢"),
        ErrorTranslation("See your filters", "Deine Filter sehen", "查看你的过滤器"),
        ErrorTranslation("See your follows", "Sehen, wem du folgst", "查看你关注的人"),
        ErrorTranslation("See your lists", "Deine Listen sehen", "查看你的列表"),
        ErrorTranslation("See your mutes", "Deine Stummschaltungen sehen", "查看你隐藏的账号"),
        ErrorTranslation("See your notifications", "Deine Benachrichtigungen sehen", "查看你的通知"),
        ErrorTranslation("See your statuses", "Deine Timelines und Beiträge sehen", "查看你的时间线和嘟文"),
        ErrorTranslation("Change your blocks", "Deine Blockierungen ändern", "更改你屏蔽的账号"),
        ErrorTranslation("Change your bookmarks", "Deine Lesezeichen ändern", "更改你的书签"),
        ErrorTranslation("Change your conversations", "Deine Unterhaltungen ändern", "更改你的对话"),
        ErrorTranslation("Change your filters", "Deine Filter ändern", "更改你的过滤器"),
        ErrorTranslation("Change your follows", "Ändern, wem du folgst", "更改你关注的人"),
        ErrorTranslation("Change your lists", "Deine Listen ändern", "更改你的列表"),
        ErrorTranslation("Change your mutes", "Deine Stummschaltungen ändern", "更改你隐藏的账号"),
        ErrorTranslation("Change your notifications", "Deine Benachrichtigungen ändern", "更改你的通知"),

        // Load
        ErrorTranslation("server", "Server", "服务器"),
        ErrorTranslation("up", "Laufzeit", "运行时间"),
        ErrorTranslation("load", "Last", "负载"),
        ErrorTranslation("memory", "Speicher", "内存"),
        ErrorTranslation("feed", "Inhalt", "内容"),
        ErrorTranslation("database", "Datenbank", "数据库"),
        ErrorTranslation("files", "Dateien", "文件"),
        ErrorTranslation("search", "Suche", "搜索"),
        ErrorTranslation("{}, process {}, {}", "{}, Prozess {}, {}", "{}，进程 {}，{}"),
        ErrorTranslation("{}, since {}", "{}, seit {}", "{}，自 {}"),
        ErrorTranslation(
            "{} requests/s, 1 open connection, {} requests in total",
            "{} Anfragen/s, 1 offene Verbindung, insgesamt {} Anfragen",
            "{} 次请求/秒，1 个打开的连接，共 {} 次请求"),
        ErrorTranslation(
            "{} requests/s, {} open connections, {} requests in total",
            "{} Anfragen/s, {} offene Verbindungen, insgesamt {} Anfragen",
            "{} 次请求/秒，{} 个打开的连接，共 {} 次请求"),
        ErrorTranslation("1 account, 1 status", "1 Konto, 1 Beitrag", "1 个账号，1 条嘟文"),
        ErrorTranslation("1 account, {} statuses", "1 Konto, {} Beiträge", "1 个账号，{} 条嘟文"),
        ErrorTranslation("{} accounts, 1 status", "{} Konten, 1 Beitrag", "{} 个账号，1 条嘟文"),
        ErrorTranslation("{} accounts, {} statuses", "{} Konten, {} Beiträge", "{} 个账号，{} 条嘟文"),
        ErrorTranslation("the database is not available", "Die Datenbank ist nicht verfügbar", "数据库不可用"),
        ErrorTranslation("size unknown", "Größe unbekannt", "大小未知"),
        ErrorTranslation("the index is being built, {} %", "Der Index wird aufgebaut, {} %", "正在建立索引，{}%"),
    ]
}
