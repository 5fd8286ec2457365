import FeedCore

extension Chinese {
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
