import FeedCore

extension ChineseText {
    // Settings

    var saved: String { "已保存。" }

    func entry(_ page: SettingsPage) -> (title: String, text: String) {
        switch page {
        case .profile: ("个人资料", "名称、头像、封面图、资料栏，以及谁能找到你")
        case .preferences: ("偏好设置", "新嘟文的可见范围和语言、时区、界面语言、颜色")
        case .password: ("密码", "更改密码，其他所有登录都会结束")
        case .logins: ("登录和令牌", "你的浏览器、应用和程序")
        case .mutes: ("已隐藏的账号", "你看不到他们的嘟文")
        case .blocks: ("已屏蔽的账号", "他们也看不到你的嘟文")
        case .lists: ("列表", "由你关注的部分用户组成的时间线")
        case .hashtags: ("关注的话题", "带有这些话题的嘟文会显示在主页")
        case .filters: ("过滤器", "你想折叠或完全不看的嘟文")
        case .scheduled: ("定时嘟文", "稍后发布的嘟文")
        case .files: ("文件", "上传、替换、删除和附加文件")
        case .invitations: ("邀请", "邀请他人注册")
        case .removal: ("删除我的账号", "以及账号的全部内容")
        }
    }

    // Profile

    var displayName: String { "显示名称" }
    var aboutYou: String { "关于你" }
    var approvesFollowers: String { "由我批准谁可以关注我" }
    var isBot: String { "此账号由程序发布嘟文" }
    var discoverable: String { "向他人推荐我" }
    var indexable: String { "任何人都可以搜索我的公开嘟文" }
    var hideCollections: String { "隐藏我的关注者和我关注的人" }
    var noindex: String { "请搜索引擎忽略我" }
    func fieldName(_ number: Int) -> String { "资料栏 \(number)" }
    func fieldContent(_ number: Int) -> String { "资料栏 \(number) 的内容" }
    var picture: String { "头像" }
    var header: String { "封面图" }
    var newPicture: String { "新图片" }
    var upload: String { "上传" }
    var removePicture: String { "移除头像" }
    var removeHeader: String { "移除封面图" }

    // Preferences

    var newPostVisibility: String { "谁能看到新嘟文" }
    var newPostMedia: String { "隐藏新嘟文的媒体，点击后才显示" }
    var newPostLanguage: String { "新嘟文的语言" }
    var timeZone: String { "时区" }
    var timeZoneHint: String { "页面按此时区显示时间，定时嘟文也使用它。" }
    var colours: String { "页面颜色" }
    var coloursOfBrowser: String { "跟随浏览器" }
    var light: String { "浅色" }
    var dark: String { "深色" }
    var pageLanguage: String { "页面语言" }
    var languageOfBrowser: String { "跟随浏览器" }

    // Password

    var changePassword: String { "更改密码" }
    var otherLoginsEnd: String { "其他所有登录都会结束：浏览器、应用和令牌。" }
    var currentPassword: String { "当前密码" }
    var passwordAgain: String { "再次输入新密码" }

    // Logins

    func tokenNotice(_ name: String) -> String { "“\(name)”的令牌。请立即复制：它不会再次显示。" }
    var newToken: String { "供程序使用的令牌" }
    var makeToken: String { "创建令牌" }
    var tokenHint: String { "你的程序或脚本以 Authorization: Bearer TOKEN 的形式发送它。" }
    var tokenName: String { "程序名称" }
    var tokenScopes: String { "程序可以做什么" }
    var logins: String { "登录" }
    var endLogin: String { "结束此登录" }
    var unnamedApplication: String { "未命名的应用" }
    func thisBrowser(_ name: String) -> String { "\(name)（此浏览器）" }
    func may(_ scopes: String) -> String { "权限：\(scopes)" }

    func scope(_ scope: TokenScope) -> String {
        switch scope {
        case .read: "读取你能读取的一切"
        case .write: "写入：发布、删除、上传、关注、更改设置"
        case .writeStatuses: "仅发布、编辑和删除嘟文"
        case .writeMedia: "仅上传文件和媒体"
        case .adminRead: "读取管理员能看到的内容"
        case .adminWrite: "以管理员身份操作"
        }
    }

    // Hidden accounts

    func until(_ time: String) -> String { "直到 \(time)" }
    func expired(on time: String) -> String { "已于 \(time) 到期" }
    var nobody: String { "暂无账号。" }

    // Filters

    var newFilter: String { "新过滤器" }
    var yourFilters: String { "你的过滤器" }
    var deleteFilter: String { "删除过滤器" }
    func matchesPosts(_ count: Int) -> String { "它还匹配由应用添加的 \(count) 条单独的嘟文。" }

    func filterPlace(_ context: Filter.Context) -> String {
        switch context {
        case .home: "主页和列表"
        case .notifications: "通知"
        case .public: "公共时间线"
        case .thread: "对话"
        case .account: "个人资料"
        }
    }

    var foldsPosts: String { "折叠嘟文" }
    var hidesPosts: String { "隐藏嘟文" }
    var foldPosts: String { "折叠嘟文，并显示过滤器标题" }
    var hidePosts: String { "不显示嘟文" }
    var never: String { "永不" }
    var asItIsNever: String { "保持不变：永不" }
    func asItIs(expiring end: String) -> String { "保持不变：\(end)" }
    var wholeWord: String { "整个词" }
    var anywhere: String { "任意位置" }
    var filterPlaces: String { "适用范围" }
    var filterAction: String { "处理方式" }
    var expiry: String { "到期时间" }
    func keyword(_ number: Int) -> String { "关键词 \(number)" }
    func keywordPlace(_ number: Int) -> String { "关键词 \(number) 的匹配方式" }
    var keywordHint: String { "一个词、短语或话题。清空即可移除。" }
    func quoted(_ text: String) -> String { "“\(text)”" }

    // Durations

    func duration(_ duration: PageDuration) -> String {
        switch duration {
        case .minutes(let count): "\(count) 分钟"
        case .hours(let count): "\(count) 小时"
        case .days(let count): "\(count) 天"
        }
    }

    func durationFromNow(_ duration: PageDuration) -> String { self.duration(duration) + "后" }

    // Scheduled posts

    var nothingScheduled: String { "没有定时嘟文。新嘟文可以稍后发布。" }
    var changeTime: String { "更改时间" }
    func dateAndTime(in zone: String) -> String { "日期和时间（\(zone)）" }
    func earliest(minutes: Int64) -> String { "至少在 \(minutes) 分钟之后。" }
    var scheduledPost: String { "定时嘟文" }
    var deleteScheduled: String { "删除嘟文" }
    func files(_ count: Int) -> String { "\(count) 个文件" }

    // Files

    var noFiles: String { "还没有文件。" }
    var noSuchFiles: String { "没有名称包含此内容的文件。" }
    var moreFiles: String { "更多文件" }
    var filesArePublic: String { "任何知道文件地址的人都可以读取它。" }
    var find: String { "查找" }
    var partOfName: String { "名称的一部分" }
    var replace: String { "替换" }
    var newContent: String { "新内容" }
    var attach: String { "附加到新嘟文" }
    var deleteFile: String { "删除文件" }
    var openFile: String { "打开文件" }
    func bytes(_ count: Int64) -> String { "\(count) 字节" }
    var decimalSeparator: String { "." }

    // Invitations

    var invite: String { "邀请" }
    var invitedPeople: String { "可供多少人使用" }
    var invitationExpiry: String { "到期时间" }
    var revoke: String { "撤销" }
    func invitation(used uses: Int, of maximum: Int, _ end: String) -> String { "已使用 \(uses)/\(maximum) 次。\(end)" }

    // Removal

    var removeAccount: String { "永久删除我的账号" }
    var removalWarning: String { "你的个人资料、嘟文、文件、关注、喜欢、通知和登录将被彻底删除，任何人都无法再看到。此操作无法撤销。" }
    func nameStays(_ name: String) -> String { "其他人无法使用你的名称 @\(name)。" }
    var yourPassword: String { "你的密码" }

    // Hashtags

    var followHashtag: String { "关注一个话题" }
    var nothingInHashtags: String { "这里还什么都没有。关注话题后，带有这些话题的公开嘟文会显示在主页。" }

    // Logging in and signing up

    var almostThere: String { "即将完成" }
    var welcome: String { "欢迎" }
    var agreeToRules: String { "请同意规则。" }
    var pageExpired: String { "此页面已过期。请重试。" }
    var loginExpired: String { "此页面已过期。请重新登录。" }
    var sendAgain: String { "重新提交" }
    func logIn(for program: String) -> String { "登录以允许 \(program) 使用你的账号" }
    func consent(for program: String) -> String { "允许 \(program) 使用你的账号" }
    var allowAccess: String { "允许访问" }
    var yourCode: String { "你的授权码" }
    var notAllowed: String { "未授权" }
    func refusal(_ field: RegistrationError.Field, _ errors: [RegistrationError.FieldError]) -> String {
        label(field) + errors.map(problem).joined(separator: "，") + "。"
    }

    func label(_ field: RegistrationError.Field) -> String {
        switch field {
        case .username: "用户名"
        case .email: "电子邮箱"
        case .password: "密码"
        case .agreement: "同意规则"
        case .reason: "原因"
        case .invitation: "邀请"
        }
    }

    /// Completes a sentence that begins with the field.
    func problem(_ error: RegistrationError.FieldError) -> String {
        switch error {
        case .blank: "不能为空"
        case .invalid: "无效"
        case .taken: "已被使用"
        case .reserved: "已被保留"
        case .tooShort: "太短（至少 8 个字符）"
        case .tooLong: "太长"
        case .notAccepted: "是必需的"
        }
    }
}
