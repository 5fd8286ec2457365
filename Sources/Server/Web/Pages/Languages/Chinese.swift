import FeedCore

/// Everything that pages say in simplified Chinese.
struct Chinese: PageText {
    var language: PageLanguage { .chinese }
    var sentenceSeparator: String { "。" }

    func date(day: Int, month: Int, year: Int) -> String { "\(self.month(month, year: year))\(day)日" }

    func month(_ month: Int, year: Int) -> String { "\(year)年\(month)月" }

    func time(on date: String, at clock: String) -> String { "\(date) \(clock)" }

    /// The name of a kind, and the measure word between it and a number.
    func counter(_ kind: MediaKind) -> (unit: String, name: String) {
        switch kind {
        case .image: ("张", "图片")
        case .gifv: ("个", "动画")
        case .video: ("个", "视频")
        case .audio: ("段", "录音")
        case .unknown: ("个", "文件")
        }
    }

    /// Completes a sentence that begins with the names of accounts.
    func action(_ kind: FeedCore.Notification.Kind) -> String {
        switch kind {
        case .mention: "提及了你"
        case .follow: "关注了你"
        case .followRequest: "请求关注你"
        case .favourite: "喜欢了你的嘟文"
        case .reblog: "转嘟了你的嘟文"
        case .update: "编辑了嘟文"
        case .status: "发布了嘟文"
        case .poll: "发起的投票已结束"
        case .adminSignUp: "注册了账号"
        case .adminReport: "提交了举报"
        }
    }

    func label(_ field: RegistrationRefusal.Field) -> String {
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
    func problem(_ error: RegistrationRefusal.FieldError) -> String {
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

extension Chinese {
    // Notifications

    func notification(_ kind: FeedCore.Notification.Kind, others: Int) -> String {
        (others == 0 ? "" : "和另外 \(others) 人") + action(kind)
    }
    func andMore(_ count: Int) -> String { "以及另外 \(count) 人" }
    func filtered(_ title: String) -> String { "已过滤：\(title)" }
    var nobodyWaits: String { "没有待处理的请求。" }

    // Conversations

    var nothingInConversations: String { "这里还什么都没有。私信会显示在这里。" }
    var removedAccounts: String { "已删除的账号" }
    var hide: String { "隐藏" }
    func you(_ text: String) -> String { "你：\(text)" }
    var postWithoutText: String { "没有文字的嘟文" }

    // Lists

    var newList: String { "新列表" }
    var editList: String { "编辑列表" }
    var deleteList: String { "删除列表" }
    func deleteListQuestion(_ title: String) -> String { "删除列表“\(title)”？其成员不会收到通知，你仍会关注他们。" }
    var save: String { "保存" }
    var add: String { "添加" }
    var listTimeline: String { "列表的时间线" }
    var members: String { "成员" }
    func members(of title: String) -> String { "“\(title)”的成员" }
    var newMember: String { "你关注的人的用户名" }

    func replies(_ policy: AccountList.RepliesPolicy) -> String {
        switch policy {
        case .list: "对列表成员的回复"
        case .followed: "对你关注的人的回复"
        case .none: "不显示"
        }
    }

    var alsoAtHome: String { "也显示在主页" }
    var onlyInList: String { "仅显示在列表中" }

    // Hashtags

    var followHashtag: String { "关注一个话题" }
    var nothingInHashtags: String { "这里还什么都没有。关注话题后，带有这些话题的公开嘟文会显示在主页。" }

    // The form for posts

    var editPost: String { "编辑嘟文" }
    var post: String { "发布" }
    func scheduled(at time: String) -> String { "你的嘟文将于 \(time) 发布。" }

    func visibility(_ visibility: Visibility) -> String {
        switch visibility {
        case .public: "公开"
        case .unlisted: "悄悄公开：不显示在公共时间线"
        case .followers: "仅关注者"
        case .direct: "私信：仅提及的人"
        }
    }

    var languageNotStated: String { "未注明" }
    func moreFiles(_ count: Int, hasFiles: Bool) -> String { "\(count) 个文件" }
    func numbered(_ file: String, _ number: Int) -> String { "\(file)，第 \(number) 个" }
    var asItIs: String { "保持不变" }
    func asItIs(until end: String) -> String { "保持不变：直到 \(end)" }

    func focus(_ focus: ComposeFocus) -> String {
        switch focus {
        case .middle: "中间"
        case .top: "上方"
        case .bottom: "下方"
        case .left: "左侧"
        case .right: "右侧"
        case .topLeft: "左上"
        case .topRight: "右上"
        case .bottomLeft: "左下"
        case .bottomRight: "右下"
        }
    }

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
    func refusal(_ field: RegistrationRefusal.Field, _ errors: [RegistrationRefusal.FieldError]) -> String {
        label(field) + errors.map(problem).joined(separator: "，") + "。"
    }
}
