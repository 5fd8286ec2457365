/// Refusals of what members and visitors do.
enum ErrorTranslations {
    static let all: [ErrorTranslation] = [
        ErrorTranslation("Record not found", "Das gibt es hier nicht", "找不到此内容"),
        ErrorTranslation("There is no page at this address", "Unter dieser Adresse gibt es keine Seite", "此地址没有页面"),
        ErrorTranslation("No such post", "Diesen Beitrag gibt es nicht", "没有这条嘟文"),
        ErrorTranslation("It may have been deleted.", "Vielleicht wurde er gelöscht.", "它可能已被删除。"),
        ErrorTranslation("No such user", "Dieses Profil gibt es nicht", "没有此用户"),
        ErrorTranslation("No such file", "Diese Datei gibt es nicht", "没有此文件"),
        ErrorTranslation("The post has no such picture", "Der Beitrag hat kein solches Bild", "这条嘟文没有此图片"),
        ErrorTranslation(
            "A record this refers to no longer exists",
            "Etwas, worauf sich das bezieht, gibt es nicht mehr",
            "所引用的内容已不存在"),
        ErrorTranslation("This server has no feeds", "Dieser Server hat keine Feeds", "本服务器没有订阅源"),
        ErrorTranslation("This action is not allowed", "Diese Aktion ist nicht erlaubt", "不允许此操作"),
        ErrorTranslation(
            "You cannot do this to your own account", "Das geht nicht mit dem eigenen Konto", "不能对自己的账号执行此操作"),
        ErrorTranslation("Only administrators can invite people", "Nur Admins können einladen", "只有管理员可以邀请他人"),
        ErrorTranslation("It requires the scope {}.", "Dafür ist die Berechtigung {} nötig.", "需要权限 {}。"),
        ErrorTranslation("The access token is invalid", "Die Anmeldung ist nicht mehr gültig", "登录已失效"),
        ErrorTranslation(
            "The request has none: send Authorization: Bearer TOKEN.",
            "In der Anfrage ist keine: Sende Authorization: Bearer TOKEN.",
            "请求中没有令牌：请发送 Authorization: Bearer TOKEN。"),
        ErrorTranslation("You are logged out", "Du bist abgemeldet", "你已退出登录"),
        ErrorTranslation(
            "Nothing is lost: log in in another tab, then send this again. Only files must be chosen again.",
            """
            Nichts ist verloren: Melde dich in einem anderen Tab an und sende dies dann noch einmal. Nur Dateien müssen \
            neu gewählt werden.
            """,
            "内容没有丢失：请在另一个标签页登录，然后重新提交。只有文件需要重新选择。"),
        ErrorTranslation("{} is not allowed here", "{} ist hier nicht erlaubt", "此处不允许 {}"),
        ErrorTranslation("Your login is currently disabled", "Deine Anmeldung ist zurzeit gesperrt", "你的登录目前被禁用"),
        ErrorTranslation(
            "The operator of this server has suspended the account.",
            "Das Konto wurde von der Leitung dieses Servers gesperrt.",
            "本服务器的管理员已封禁此账号。"),
        ErrorTranslation(
            "Your login is currently pending approval",
            "Deine Registrierung wartet noch auf Genehmigung",
            "你的注册正在等待批准"),
        ErrorTranslation(
            "The operator of this server has to approve the account first.",
            "Das Konto muss zuerst genehmigt werden.",
            "须先由本服务器的管理员批准此账号。"),
        ErrorTranslation(
            "Another site has made this request", "Diese Anfrage kam von einer anderen Website", "此请求来自其他网站"),
        ErrorTranslation(
            "Open the page of this server, and try again there.",
            "Öffne die Seite dieses Servers und versuche es dort noch einmal.",
            "请打开本服务器的页面，在那里重试。"),
        ErrorTranslation("Too many requests", "Zu viele Anfragen", "请求过多"),
        ErrorTranslation("Too many posts", "Zu viele Beiträge", "嘟文过多"),
        ErrorTranslation("Too many uploads", "Zu viele hochgeladene Dateien", "上传过多"),
        ErrorTranslation("Too many failed logins", "Zu viele fehlgeschlagene Anmeldungen", "失败的登录过多"),
        ErrorTranslation("Too many sign-ups", "Zu viele Registrierungen", "注册过多"),
        ErrorTranslation("Too many logins at once", "Zu viele Anmeldungen gleichzeitig", "同时登录的人过多"),
        ErrorTranslation("Wait 1 second.", "Warte 1 Sekunde.", "请等待 1 秒。"),
        ErrorTranslation("Wait {} seconds.", "Warte {} Sekunden.", "请等待 {} 秒。"),
        ErrorTranslation("Try again.", "Versuche es noch einmal.", "请重试。"),
        ErrorTranslation("Try again in a few seconds.", "Versuche es in ein paar Sekunden noch einmal.", "请在几秒后重试。"),
        ErrorTranslation("Try again in a moment.", "Versuche es gleich noch einmal.", "请稍后重试。"),
        ErrorTranslation("Try again later.", "Versuche es später noch einmal.", "请稍后再试。"),
        ErrorTranslation("The server is busy", "Der Server ist ausgelastet", "服务器繁忙"),
        ErrorTranslation("The database is busy", "Die Datenbank ist ausgelastet", "数据库繁忙"),
        ErrorTranslation("The database cannot be reached", "Die Datenbank ist nicht erreichbar", "无法连接数据库"),
        ErrorTranslation("The server is shutting down", "Der Server wird beendet", "服务器正在关闭"),
        ErrorTranslation("An import is in progress", "Ein Import läuft", "正在导入"),
        ErrorTranslation("The server's disk is full", "Der Datenträger des Servers ist voll", "服务器磁盘已满"),
        ErrorTranslation(
            "Tell the operator of this server, and try again later.",
            "Sag der Leitung dieses Servers Bescheid und versuche es später noch einmal.",
            "请告知本服务器的管理员，并稍后再试。"),
        ErrorTranslation("Internal server error", "Interner Serverfehler", "服务器内部错误"),
        ErrorTranslation(
            "The log of the server has the reason.", "Der Grund steht im Protokoll des Servers.", "原因见服务器日志。"),
        ErrorTranslation(
            "The request contains more than {} values", "Die Anfrage enthält mehr als {} Werte", "请求包含超过 {} 个值"),

        // Logging in and signing up
        ErrorTranslation("Wrong username or password", "Falscher Profilname oder falsches Passwort", "用户名或密码错误"),
        ErrorTranslation(
            "Check both; only the password is case-sensitive.",
            "Prüfe beides; nur beim Passwort zählt die Groß- und Kleinschreibung.",
            "请检查两者；只有密码区分大小写。"),
        ErrorTranslation("The password has just been changed", "Das Passwort wurde gerade geändert", "密码刚刚被更改"),
        ErrorTranslation("Log in with the new one.", "Melde dich mit dem neuen an.", "请用新密码登录。"),
        ErrorTranslation("This is not your password", "Das ist nicht dein Passwort", "这不是你的密码"),
        ErrorTranslation("Enter your current password", "Gib dein aktuelles Passwort ein", "请输入当前密码"),
        ErrorTranslation("New password can't be blank", "Das neue Passwort darf nicht leer sein", "新密码不能为空"),
        ErrorTranslation(
            "New password is too short (minimum is 8 characters)",
            "Das neue Passwort ist zu kurz (mindestens 8 Zeichen)",
            "新密码太短（至少 8 个字符）"),
        ErrorTranslation("New password is too long", "Das neue Passwort ist zu lang", "新密码太长"),
        ErrorTranslation("New password is the old one", "Das neue Passwort ist das alte", "新密码与旧密码相同"),
        ErrorTranslation("This is not the same password", "Das ist nicht dasselbe Passwort", "两次输入的密码不一致"),
        ErrorTranslation("This link is not valid", "Dieser Link ist nicht gültig", "此链接无效"),
        ErrorTranslation(
            "It may have expired or been used already. Ask the operator for a new one.",
            "Vielleicht ist er abgelaufen oder wurde schon verwendet. Bitte die Serverleitung um einen neuen.",
            "它可能已过期或已被使用。请向管理员索取新链接。"),
        ErrorTranslation("This invitation is not valid", "Diese Einladung ist nicht gültig", "此邀请无效"),
        ErrorTranslation(
            "It may have expired or been used already. Ask for a new one.",
            "Vielleicht ist sie abgelaufen oder wurde schon verwendet. Bitte um eine neue.",
            "它可能已过期或已被使用。请索取新的邀请。"),
        ErrorTranslation("Sign-up is closed", "Die Registrierung ist geschlossen", "注册已关闭"),
        ErrorTranslation(
            "Only the operator of this server can create accounts.",
            "Nur die Leitung dieses Servers kann Konten erstellen.",
            "只有本服务器的管理员可以创建账号。"),
        ErrorTranslation("Signing up requires an invitation", "Zum Registrieren ist eine Einladung nötig", "注册需要邀请"),
        ErrorTranslation(
            "Signing up on this server requires an invitation.",
            "Zum Registrieren auf diesem Server ist eine Einladung nötig.",
            "在本服务器注册需要邀请。"),
        ErrorTranslation(
            "If you have one, open its complete address.",
            "Wenn du eine hast, öffne ihre vollständige Adresse.",
            "如果你有邀请，请打开其完整地址。"),
        ErrorTranslation(
            "This application is not registered here", "Diese Anwendung ist hier nicht registriert", "此应用未在此注册"),
        ErrorTranslation(
            "Log out of the app, then log in again.",
            "Melde dich in der App ab und dann wieder an.",
            "请在应用中退出登录，然后重新登录。"),

        // Posts
        ErrorTranslation("Text can't be blank", "Der Text darf nicht leer sein", "正文不能为空"),
        ErrorTranslation(
            "The text has {} characters; {} are allowed",
            "Der Text hat {} Zeichen; erlaubt sind {}",
            "正文有 {} 个字符；最多允许 {} 个"),
        ErrorTranslation("Text is longer than {} bytes", "Der Text ist länger als {} Bytes", "正文超过 {} 字节"),
        ErrorTranslation("The text has too many long links", "Der Text hat zu viele lange Links", "正文中的长链接过多"),
        ErrorTranslation(
            "The status you are replying to does not exist",
            "Den Beitrag, auf den du antwortest, gibt es nicht",
            "你要回复的嘟文不存在"),
        ErrorTranslation(
            "Cannot attach more than {} files", "Es lassen sich höchstens {} Dateien anhängen", "最多附加 {} 个文件"),
        ErrorTranslation(
            "Cannot attach a video to a post that already contains images",
            "Ein Video lässt sich nicht an einen Beitrag mit Bildern anhängen",
            "已包含图片的嘟文不能再附加视频"),
        ErrorTranslation(
            "A post cannot have both a poll and attached files",
            "Ein Beitrag kann nicht zugleich eine Umfrage und Dateien haben",
            "嘟文不能同时包含投票和附件"),
        ErrorTranslation("A file is gone", "Eine Datei ist nicht mehr da", "有文件已不存在"),
        ErrorTranslation("Add it again.", "Füge sie noch einmal hinzu.", "请重新添加。"),
        ErrorTranslation(
            "Description is longer than {} characters", "Die Beschreibung ist länger als {} Zeichen", "描述超过 {} 个字符"),
        ErrorTranslation(
            "Options must have more than one item", "Eine Umfrage braucht mehr als eine Antwort", "投票至少需要两个选项"),
        ErrorTranslation("Options contain duplicate items", "Die Antworten wiederholen sich", "选项重复"),
        ErrorTranslation(
            "Options cannot be longer than {} characters each",
            "Eine Antwort darf höchstens {} Zeichen haben",
            "每个选项最多 {} 个字符"),
        ErrorTranslation(
            "Options can't contain more than {} items",
            "Eine Umfrage kann höchstens {} Antworten haben",
            "投票最多 {} 个选项"),
        ErrorTranslation("Expires at is too soon", "Das Ende ist zu früh", "结束时间太早"),
        ErrorTranslation("Expires at is too far into the future", "Das Ende liegt zu weit in der Zukunft", "结束时间太晚"),
        ErrorTranslation("Expires at can't be blank", "Das Ende darf nicht fehlen", "结束时间不能为空"),
        ErrorTranslation("No answer is chosen", "Keine Antwort ausgewählt", "没有选择选项"),
        ErrorTranslation(
            "Go back, choose an answer, and vote again.",
            "Gehe zurück, wähle eine Antwort und stimme noch einmal ab.",
            "请返回，选择一个选项后重新投票。"),
        ErrorTranslation("The poll has already ended", "Die Umfrage ist bereits beendet", "投票已经结束"),
        ErrorTranslation(
            "You have already voted on this poll", "Du hast bei dieser Umfrage schon abgestimmt", "你已经参与过此投票"),
        ErrorTranslation(
            "You cannot vote in your own polls", "Du kannst nicht bei deinen eigenen Umfragen abstimmen", "你不能参与自己的投票"),
        ErrorTranslation("The chosen vote option does not exist", "Die gewählte Antwort gibt es nicht", "所选的选项不存在"),
        ErrorTranslation(
            "You have already pinned the maximum number of posts",
            "Du hast schon so viele Beiträge angeheftet wie möglich",
            "置顶嘟文的数量已达上限"),
        ErrorTranslation("Enter a date and a time", "Gib Datum und Uhrzeit an", "请输入日期和时间"),
        ErrorTranslation(
            "Scheduled at must be at least {} minutes in the future",
            "Der Zeitpunkt muss mindestens {} Minuten in der Zukunft liegen",
            "时间须至少在 {} 分钟之后"),
        ErrorTranslation(
            "Scheduled at must be a time such as 2026-12-24T18:00:00Z", "Gib einen Zeitpunkt an", "请输入一个时间"),
        ErrorTranslation(
            "You have exceeded the limit of {} scheduled posts",
            "Du kannst höchstens {} Beiträge planen",
            "最多可有 {} 条定时嘟文"),

        // Lists, hashtags, reports and filters
        ErrorTranslation("You follow nobody of this name", "Du folgst niemandem mit diesem Namen", "你没有关注这个名称的人"),
        ErrorTranslation("Title can't be blank", "Der Titel darf nicht leer sein", "标题不能为空"),
        ErrorTranslation("Title is longer than {} characters", "Der Titel ist länger als {} Zeichen", "标题超过 {} 个字符"),
        ErrorTranslation("Account has already been taken", "Dieses Profil ist schon dabei", "此账号已在其中"),
        ErrorTranslation("You cannot have more than {} lists", "Du kannst höchstens {} Listen haben", "最多可有 {} 个列表"),
        ErrorTranslation(
            "A list cannot have more than {} members",
            "Eine Liste kann höchstens {} Mitglieder haben",
            "一个列表最多 {} 个成员"),
        ErrorTranslation("Tag is invalid", "Der Hashtag ist ungültig", "话题无效"),
        ErrorTranslation(
            "You cannot follow more than {} hashtags", "Du kannst höchstens {} Hashtags folgen", "最多关注 {} 个话题"),
        ErrorTranslation(
            "You cannot follow more than {} accounts", "Du kannst höchstens {} Profilen folgen", "最多关注 {} 个账号"),
        ErrorTranslation(
            "Comment is longer than {} characters or {} bytes",
            "Der Text ist länger als {} Zeichen oder {} Bytes",
            "内容超过 {} 个字符或 {} 字节"),
        ErrorTranslation("Comment is longer than {} characters", "Der Text ist länger als {} Zeichen", "内容超过 {} 个字符"),
        ErrorTranslation("Rule ids does not reference valid rules", "Eine der Regeln gibt es nicht", "所选规则不存在"),
        ErrorTranslation(
            "Choose at least one place where the filter applies",
            "Wähle mindestens einen Ort, an dem der Filter gilt",
            "请至少选择一个适用范围"),
        ErrorTranslation("You cannot have more than {} filters", "Du kannst höchstens {} Filter haben", "最多可有 {} 个过滤器"),
        ErrorTranslation(
            "You cannot have more than {} keywords in your filters",
            "Deine Filter können höchstens {} Stichwörter haben",
            "过滤器中最多可有 {} 个关键词"),

        // Settings
        ErrorTranslation(
            "Display name is longer than {} characters", "Der Anzeigename ist länger als {} Zeichen", "显示名称超过 {} 个字符"),
        ErrorTranslation(
            "Display name is longer than {} bytes", "Der Anzeigename ist länger als {} Bytes", "显示名称超过 {} 字节"),
        ErrorTranslation("Note is longer than {} bytes", "Der Text ist länger als {} Bytes", "内容超过 {} 字节"),
        ErrorTranslation("A field is longer than {} characters", "Ein Feld ist länger als {} Zeichen", "资料栏超过 {} 个字符"),
        ErrorTranslation("A field name is missing", "Der Name eines Felds fehlt", "缺少资料栏名称"),
        ErrorTranslation(
            "A profile cannot have more than {} fields", "Ein Profil kann höchstens {} Felder haben", "个人资料最多 {} 个资料栏"),
        ErrorTranslation("Language is not a valid language code", "Diese Sprache ist unbekannt", "语言代码无效"),
        ErrorTranslation("Time zone is unknown", "Die Zeitzone ist unbekannt", "未知的时区"),
        ErrorTranslation("Theme is not included in the list", "Diese Farben gibt es nicht", "没有此颜色主题"),
        ErrorTranslation(
            "Page language is not included in the list", "Diese Sprache haben die Seiten nicht", "页面没有此语言"),
        ErrorTranslation("Privacy is not included in the list", "Diese Sichtbarkeit gibt es nicht", "没有此可见范围"),
        ErrorTranslation("Choose a file", "Wähle eine Datei", "请选择文件"),
        ErrorTranslation("File can't be blank", "Wähle eine Datei", "请选择文件"),
        ErrorTranslation("The name must have 1 to {} bytes", "Der Name muss 1 bis {} Bytes haben", "名称须为 1 到 {} 字节"),
        ErrorTranslation(
            "This name stands for the pages of this server",
            "Dieser Name steht für die Seiten dieses Servers",
            "此名称代表本服务器的页面"),
        ErrorTranslation("Choose what the program may do", "Wähle, was das Programm darf", "请选择程序可以做什么"),
        ErrorTranslation("The requested scope is unknown", "Diese Berechtigung ist unbekannt", "未知的权限"),
        ErrorTranslation("Enter a number from 1 to {}", "Gib eine Zahl von 1 bis {} ein", "请输入 1 到 {} 之间的数字"),
        ErrorTranslation("Choose when it expires", "Wähle, wann sie abläuft", "请选择到期时间"),
        ErrorTranslation(
            "You cannot have more than {} invitations at the same time",
            "Du kannst höchstens {} Einladungen gleichzeitig haben",
            "同时最多可有 {} 个邀请"),
        ErrorTranslation("This file belongs to another account", "Diese Datei gehört einem anderen Konto", "此文件属于其他账号"),
        ErrorTranslation("This name belongs to another account", "Dieser Name gehört einem anderen Konto", "此名称属于其他账号"),
        ErrorTranslation("Choose another name.", "Wähle einen anderen Namen.", "请另选名称。"),
        ErrorTranslation("The file is larger than {} bytes", "Die Datei ist größer als {} Bytes", "文件大于 {} 字节"),
        ErrorTranslation("Send a smaller file.", "Sende eine kleinere Datei.", "请发送较小的文件。"),
        ErrorTranslation("Upload a smaller file.", "Lade eine kleinere Datei hoch.", "请上传较小的文件。"),
        ErrorTranslation(
            "Your files would exceed the quota of {} bytes",
            "Deine Dateien würden zusammen {} Bytes überschreiten",
            "你的文件将超出 {} 字节的配额"),
        ErrorTranslation("Delete some files first.", "Lösche zuerst einige Dateien.", "请先删除一些文件。"),

        // The operator's pages
        ErrorTranslation(
            "Accounts must be a number from 1 to {}", "Gib als Zahl der Konten 1 bis {} an", "账号数须为 1 到 {}"),
        ErrorTranslation("Days must be a number from 1 to {}", "Gib als Zahl der Tage 1 bis {} an", "天数须为 1 到 {}"),
        ErrorTranslation(
            "Moderators cannot act on their own account",
            "Die Moderation kann nicht über das eigene Konto entscheiden",
            "管理员不能对自己的账号进行操作"),
        ErrorTranslation(
            "Only a suspended account can be removed", "Nur ein gesperrtes Konto kann gelöscht werden",
            "只有已封禁的账号才能删除"),
        ErrorTranslation("{} is the only administrator", "{} ist der einzige Admin", "{} 是唯一的管理员"),
        ErrorTranslation(
            "Make another account an administrator first.", "Mache zuerst ein anderes Konto zum Admin.",
            "请先将另一个账号设为管理员。"),
        ErrorTranslation("{} awaits approval", "{} wartet auf Genehmigung", "{} 正在等待批准"),
        ErrorTranslation(
            "Approve or reject the sign-up instead.", "Genehmige die Registrierung, oder lehne sie ab.",
            "请改为批准或拒绝该注册。"),
        ErrorTranslation("{} does not await approval", "{} wartet nicht auf Genehmigung", "{} 未在等待批准"),
        ErrorTranslation("{} cannot log in", "{} kann sich nicht anmelden", "{} 无法登录"),
        ErrorTranslation(
            "Restore the account, or approve the sign-up, first.",
            "Entsperre zuerst das Konto oder genehmige die Registrierung.",
            "请先恢复此账号，或批准注册。"),
    ]
}
