import FeedCore

/// Everything that pages say in simplified Chinese.
struct ChineseText: PageText {
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
}

extension ChineseText {
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
}

extension ChineseText {
    // Navigation

    var publicTimeline: String { "公共时间线" }
    var home: String { "主页" }
    var newPost: String { "发布新嘟文" }
    var conversations: String { "对话" }
    var bookmarks: String { "书签" }
    var favourites: String { "喜欢" }
    var lists: String { "列表" }
    var followedHashtags: String { "关注的话题" }
    var followRequests: String { "关注请求" }
    var profile: String { "个人资料" }
    var settings: String { "设置" }

    // Pages without content

    var nothingYet: String { "这里还什么都没有。" }
    var nothingAtHome: String { "这里还什么都没有。关注一些人，就能在这里看到他们的嘟文。" }
    var nothingInList: String { "这里还什么都没有。成员的嘟文会显示在这里。" }
    var noOtherPosts: String { "还没有其他嘟文。" }
    var nobodyYet: String { "还没有人。" }

    // Posts

    var repliesLabel: String { "回复" }
    func repliesTo(_ name: String) -> String { "对 \(name) 的回复" }
    func replies(_ count: Int) -> String { "\(count) 条回复" }
    var aPost: String { "一条嘟文" }
    func post(by name: String) -> String { "@\(name) 的嘟文" }
    var followersOnly: String { "仅关注者" }
    var direct: String { "私信" }
    var administratorBadge: String { "管理员" }
    var botBadge: String { "机器人" }
    var deletePost: String { "删除这条嘟文？" }

    // Polls

    func votes(_ count: Int) -> String { "\(count) 票" }
    func votes(_ count: Int, of people: Int) -> String { "\(people) 人共投 \(count) 票，可多选" }

    // Media

    func files(_ count: Int, _ kind: MediaKind) -> String { "\(count) \(counter(kind).unit)\(counter(kind).name)" }
    func label(_ kind: MediaKind) -> String { counter(kind).name }
    func withoutDescription(_ kind: MediaKind) -> String { "没有描述的\(label(kind))" }
    func heading(_ kind: MediaKind, _ number: Int, of count: Int) -> String { "\(label(kind)) \(number)/\(count)" }
    var listSeparator: String { "、" }

    // The site

    func about(_ site: String) -> String { "关于 \(site)" }
    var runBy: String { "运营者" }
    var people: String { "用户" }

    func signUpText(_ mode: RegistrationPolicy.Mode) -> String {
        switch mode {
        case .closed: "目前无法注册。"
        case .open: "任何人都可以注册。"
        case .approval: "任何人都可以注册；每个账号须经管理员批准。"
        case .invite: "注册需要成员的邀请。"
        }
    }

    // Search

    func searchTitle(_ text: String) -> String { "\(text) – 搜索" }
    var searchHelp: String {
        """
        可按词语、词语开头*或“短语”查找嘟文。减号会排除其后的内容。from:name、has:image、is:reply、before:2026-01-31、after:2026-01-31 和 \
        language:zh 可缩小搜索范围。用户和话题按名称查找。
        """
    }
    var nothingFound: String { "没有找到任何内容。" }
    func unknownOperator(_ text: String) -> String { "“\(text)”的值无法识别，已作为普通文字搜索。" }
    var hashtags: String { "话题" }
    var moreHashtags: String { "更多话题" }

    // Profiles

    var postsAndReplies: String { "嘟文和回复" }
    func avatar(of name: String) -> String { "@\(name) 的头像" }
    func followers(of name: String) -> String { "\(name) 的关注者" }
    func followed(by name: String) -> String { "\(name) 关注的人" }
    func hidesList(_ name: String) -> String { "@\(name) 不公开此列表。" }

    // Relationships

    var follow: String { "关注" }
    var unfollow: String { "取消关注" }
    var askToFollow: String { "请求关注" }
    var withdrawRequest: String { "撤回请求" }
    var acceptRequest: String { "接受请求" }
    var rejectRequest: String { "拒绝请求" }
    var accept: String { "接受" }
    var reject: String { "拒绝" }
    var notify: String { "有新嘟文时通知我" }
    var stopNotifying: String { "不再通知我" }
    var showBoosts: String { "显示转嘟" }
    var hideBoosts: String { "隐藏转嘟" }
    var unmute: String { "取消隐藏" }
    var block: String { "屏蔽" }
    var unblock: String { "取消屏蔽" }
    var removeFollower: String { "移除关注者" }
    var youFollow: String { "你关注了此账号。" }
    var youAsked: String { "你已请求关注此账号。" }
    var followsYou: String { "此账号关注了你。" }
    var asksToFollowYou: String { "此账号请求关注你。" }
    var youBlock: String { "你屏蔽了此账号。" }
    var blocksYou: String { "此账号屏蔽了你。" }
    func youMute(until end: String?, hidesNotifications: Bool) -> String {
        "你隐藏了此账号\(end.map { "，直到 " + $0 } ?? "")\(hidesNotifications ? "，包括其通知。" : "。")"
    }
    func note(about name: String) -> String { "关于 @\(name) 的备注" }
    var note: String { "备注" }
    var noteHint: String { "只有你能看到此备注。留空即可删除。" }

    // Reports

    func report(of name: String) -> String { "举报 @\(name)" }
    var reportSent: String { "谢谢。本站的管理员已收到你的举报。" }
    func reportHint(_ name: String) -> String { "举报会发送给本站的管理员。@\(name) 不会看到。" }
    var reportQuestion: String { "你想告诉管理员什么？" }

    func reason(_ category: Report.Category) -> String {
        switch category {
        case .spam: "垃圾信息"
        case .legal: "违法内容"
        case .violation: "违反本站规则"
        case .other: "其他原因"
        }
    }
}
