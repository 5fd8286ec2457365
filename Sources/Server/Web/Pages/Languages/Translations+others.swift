extension Translation {
    /// Names of status codes, descriptions of scopes, and the load of the server.
    static let others: [Translation] = [
        Translation("Bad Request", "Ungültige Anfrage", "无效的请求"),
        Translation("Unauthorized", "Anmeldung erforderlich", "需要登录"),
        Translation("Forbidden", "Nicht erlaubt", "禁止访问"),
        Translation("Not Found", "Nicht gefunden", "未找到"),
        Translation("Method Not Allowed", "Methode nicht erlaubt", "不允许的方法"),
        Translation("Conflict", "Konflikt", "冲突"),
        Translation("Content Too Large", "Zu groß", "内容过大"),
        Translation("URI Too Long", "Adresse zu lang", "地址过长"),
        Translation("Unsupported Media Type", "Nicht unterstützter Medientyp", "不支持的媒体类型"),
        Translation("Unprocessable Content", "Nicht verarbeitbar", "无法处理"),
        Translation("Too Many Requests", "Zu viele Anfragen", "请求过多"),
        Translation("Internal Server Error", "Interner Serverfehler", "服务器内部错误"),
        Translation("Service Unavailable", "Zurzeit nicht verfügbar", "服务不可用"),
        Translation("Insufficient Storage", "Kein Speicherplatz", "存储空间不足"),

        // Scopes
        Translation(
            "See your profile and its settings, and nothing else",
            "Dein Profil und seine Einstellungen sehen, sonst nichts",
            "查看你的个人资料及其设置，仅此而已"),
        Translation(
            "Read everything your account can see, including direct messages",
            "Alles lesen, was dein Konto sehen kann, auch direkte Nachrichten",
            "读取你的账号能看到的一切，包括私信"),
        Translation(
            "Post, delete, follow and change your profile on your behalf",
            "In deinem Namen veröffentlichen, löschen, folgen und dein Profil ändern",
            "代表你发布、删除、关注和更改个人资料"),
        Translation(
            "See and change whom you follow, block and mute",
            "Sehen und ändern, wem du folgst und wen du blockierst oder stummschaltest",
            "查看和更改你关注、屏蔽和隐藏的人"),
        Translation("Stay logged in", "Angemeldet bleiben", "保持登录"),
        Translation("Search on your behalf", "In deinem Namen suchen", "代表你搜索"),
        Translation("Favourite posts on your behalf", "In deinem Namen Beiträge favorisieren", "代表你喜欢嘟文"),
        Translation("Upload pictures on your behalf", "In deinem Namen Bilder hochladen", "代表你上传图片"),
        Translation("Post and delete on your behalf", "In deinem Namen veröffentlichen und löschen", "代表你发布和删除"),
        Translation("Change your profile", "Dein Profil ändern", "更改你的个人资料"),
        Translation("Report accounts on your behalf", "In deinem Namen Profile melden", "代表你举报账号"),
        Translation(
            "See all accounts with their email addresses, and all reports, if you are an administrator",
            "Alle Konten mit ihren E-Mail-Adressen und alle Meldungen sehen, falls du Admin bist",
            "查看所有账号及其电子邮箱和所有举报（若你是管理员）"),
        Translation(
            "Silence, suspend and remove accounts and resolve reports, if you are an administrator",
            "Konten stummschalten, sperren und löschen und Meldungen erledigen, falls du Admin bist",
            "限制、封禁和删除账号并处理举报（若你是管理员）"),
        Translation(
            "See all accounts with their email addresses, if you are an administrator",
            "Alle Konten mit ihren E-Mail-Adressen sehen, falls du Admin bist",
            "查看所有账号及其电子邮箱（若你是管理员）"),
        Translation(
            "Silence, suspend and remove accounts, if you are an administrator",
            "Konten stummschalten, sperren und löschen, falls du Admin bist",
            "限制、封禁和删除账号（若你是管理员）"),
        Translation(
            "See all reports, if you are an administrator",
            "Alle Meldungen sehen, falls du Admin bist",
            "查看所有举报（若你是管理员）"),
        Translation(
            "Resolve reports, if you are an administrator", "Meldungen erledigen, falls du Admin bist", "处理举报（若你是管理员）"),
        Translation("See your accounts", "Dein Konto sehen", "查看你的账号"),
        Translation("See your blocks", "Deine Blockierungen sehen", "查看你屏蔽的账号"),
        Translation("See your bookmarks", "Deine Lesezeichen sehen", "查看你的书签"),
        Translation("See your favourites", "Deine Favoriten sehen", "查看你的喜欢"),
        Translation("See your filters", "Deine Filter sehen", "查看你的过滤器"),
        Translation("See your follows", "Sehen, wem du folgst", "查看你关注的人"),
        Translation("See your lists", "Deine Listen sehen", "查看你的列表"),
        Translation("See your mutes", "Deine Stummschaltungen sehen", "查看你隐藏的账号"),
        Translation("See your notifications", "Deine Benachrichtigungen sehen", "查看你的通知"),
        Translation("See your statuses", "Deine Timelines und Beiträge sehen", "查看你的时间线和嘟文"),
        Translation("Change your blocks", "Deine Blockierungen ändern", "更改你屏蔽的账号"),
        Translation("Change your bookmarks", "Deine Lesezeichen ändern", "更改你的书签"),
        Translation("Change your conversations", "Deine Unterhaltungen ändern", "更改你的对话"),
        Translation("Change your filters", "Deine Filter ändern", "更改你的过滤器"),
        Translation("Change your follows", "Ändern, wem du folgst", "更改你关注的人"),
        Translation("Change your lists", "Deine Listen ändern", "更改你的列表"),
        Translation("Change your mutes", "Deine Stummschaltungen ändern", "更改你隐藏的账号"),
        Translation("Change your notifications", "Deine Benachrichtigungen ändern", "更改你的通知"),

        // Load
        Translation("server", "Server", "服务器"),
        Translation("up", "Laufzeit", "运行时间"),
        Translation("load", "Last", "负载"),
        Translation("memory", "Speicher", "内存"),
        Translation("feed", "Inhalt", "内容"),
        Translation("database", "Datenbank", "数据库"),
        Translation("files", "Dateien", "文件"),
        Translation("search", "Suche", "搜索"),
        Translation("{}, process {}, {}", "{}, Prozess {}, {}", "{}，进程 {}，{}"),
        Translation("{}, since {}", "{}, seit {}", "{}，自 {}"),
        Translation(
            "{} requests/s, 1 open connection, {} requests in total",
            "{} Anfragen/s, 1 offene Verbindung, insgesamt {} Anfragen",
            "{} 次请求/秒，1 个打开的连接，共 {} 次请求"),
        Translation(
            "{} requests/s, {} open connections, {} requests in total",
            "{} Anfragen/s, {} offene Verbindungen, insgesamt {} Anfragen",
            "{} 次请求/秒，{} 个打开的连接，共 {} 次请求"),
        Translation("1 account, 1 status", "1 Konto, 1 Beitrag", "1 个账号，1 条嘟文"),
        Translation("1 account, {} statuses", "1 Konto, {} Beiträge", "1 个账号，{} 条嘟文"),
        Translation("{} accounts, 1 status", "{} Konten, 1 Beitrag", "{} 个账号，1 条嘟文"),
        Translation("{} accounts, {} statuses", "{} Konten, {} Beiträge", "{} 个账号，{} 条嘟文"),
        Translation("the database is not available", "Die Datenbank ist nicht verfügbar", "数据库不可用"),
        Translation("size unknown", "Größe unbekannt", "大小未知"),
        Translation("the index is being built, {} %", "Der Index wird aufgebaut, {} %", "正在建立索引，{}%"),
    ]
}

extension Translation {
    /// Refusals of files that members upload.
    static let uploads: [Translation] = [
        Translation("The file is empty", "Die Datei ist leer", "文件为空"),
        Translation("The file is incomplete", "Die Datei ist unvollständig", "文件不完整"),
        Translation("Upload it again.", "Lade sie noch einmal hoch.", "请重新上传。"),
        // The format states what is wrong.
        Translation("The file is damaged: {}", "Die Datei ist beschädigt ({})", "文件已损坏（{}）"),
        Translation(
            "Open it in another program and save it again.",
            "Öffne sie in einem anderen Programm und speichere sie noch einmal.",
            "请用其他程序打开并重新保存。"),
        Translation("The file could not be processed", "Die Datei konnte nicht verarbeitet werden", "无法处理此文件"),
        Translation(
            "Upload it again, or another file.", "Lade sie noch einmal hoch, oder eine andere.", "请重新上传，或换一个文件。"),
        Translation(
            "It takes too long to decode. Save it in another format, or with fewer pixels.",
            "Das Dekodieren dauert zu lange. Speichere sie in einem anderen Format oder mit weniger Pixeln.",
            "解码时间过长。请以其他格式或较少的像素保存。"),
        Translation(
            "Too many images are being processed", "Zurzeit werden zu viele Bilder verarbeitet", "正在处理的图片过多"),
        Translation(
            "The upload could not be stored", "Die Datei konnte nicht gespeichert werden", "无法保存上传的文件"),
        Translation("Upload the file again.", "Lade die Datei noch einmal hoch.", "请重新上传此文件。"),
        Translation(
            "Media {} not found or already attached to another post",
            "Die Datei {} gibt es nicht, oder sie gehört schon zu einem anderen Beitrag",
            "媒体 {} 不存在，或已附加到其他嘟文"),

        // Formats
        Translation(
            "Files of the type {} are not supported", "Dateien vom Typ {} werden nicht unterstützt", "不支持 {} 类型的文件"),
        Translation("The format of the file is unknown", "Das Format der Datei ist unbekannt", "文件格式未知"),
        Translation(
            "Use a JPEG, PNG, WebP or GIF image, an MP4 or WebM video, or an MP3 or Ogg audio file.",
            "Verwende ein Bild in JPEG, PNG, WebP oder GIF, ein Video in MP4 oder WebM oder eine Aufnahme in MP3 oder Ogg.",
            "请使用 JPEG、PNG、WebP 或 GIF 图片，MP4 或 WebM 视频，或者 MP3 或 Ogg 音频。"),
        Translation(
            "Use a JPEG, PNG, WebP or GIF image.", "Verwende ein Bild in JPEG, PNG, WebP oder GIF.",
            "请使用 JPEG、PNG、WebP 或 GIF 图片。"),
        Translation(
            "Save the image as JPEG, PNG or WebP.", "Speichere das Bild als JPEG, PNG oder WebP.",
            "请将图片另存为 JPEG、PNG 或 WebP。"),
        Translation(
            "Save the image as JPEG. An iPhone takes JPEG photos if Settings, Camera, Formats is set to Most Compatible.",
            "Speichere das Bild als JPEG. Ein iPhone nimmt JPEG auf, wenn unter Einstellungen, Kamera, Formate "
                + "„Maximale Kompatibilität“ gewählt ist.",
            "请将图片另存为 JPEG。在 iPhone 的“设置”>“相机”>“格式”中选择“兼容性最佳”，即可拍摄 JPEG 照片。"),
        Translation(
            "Convert the video to MP4 or WebM.", "Wandle das Video in MP4 oder WebM um.", "请将视频转换为 MP4 或 WebM。"),
        Translation("Convert the file to MP3 or Ogg.", "Wandle die Datei in MP3 oder Ogg um.", "请将文件转换为 MP3 或 Ogg。"),
        Translation(
            "The video contains a data track that reveals where it was made",
            "Das Video enthält eine Datenspur, die verrät, wo es aufgenommen wurde",
            "视频包含会泄露拍摄地点的数据轨道"),
        Translation(
            "Export the video without it, for example with: {}", "Exportiere das Video ohne sie, zum Beispiel mit: {}",
            "请导出不含该轨道的视频，例如使用：{}"),

        // Sizes
        Translation(
            "The image is too large: {} × {} pixels", "Das Bild ist zu groß: {} × {} Pixel", "图片过大：{} × {} 像素"),
        Translation(
            "The video is too large: {} × {} pixels", "Das Video ist zu groß: {} × {} Pixel", "视频过大：{} × {} 像素"),
        Translation(
            "Scale it down to at most {} megapixels.", "Verkleinere es auf höchstens {} Megapixel.",
            "请缩小到最多 {} 百万像素。"),
        Translation("The animation is too long", "Die Animation ist zu lang", "动画过长"),
        Translation(
            "At most {} frames are allowed; or upload a video.",
            "Erlaubt sind höchstens {} Einzelbilder; oder lade ein Video hoch.",
            "最多允许 {} 帧；或者上传视频。"),

        // Names
        Translation("Invalid file name", "Ungültiger Dateiname", "文件名无效"),
        Translation(
            "Use one path segment of at most 255 bytes, without control characters or a leading dot.",
            "Erlaubt sind höchstens 255 Bytes, ohne Schrägstrich, Steuerzeichen und Punkt am Anfang.",
            "最多 255 字节，不含斜杠和控制字符，且不以点开头。"),
    ]
}
