import FeedCore

extension ChineseText {
    func tab(_ tab: AdminTab) -> String {
        switch tab {
        case .overview: "概览"
        case .signUps: "注册申请"
        case .invitations: "邀请"
        case .accounts: "账号"
        case .reports: "举报"
        case .logins: "失败的登录"
        case .settings: "设置"
        }
    }

    var load: String { "负载和大小" }
    var toDo: String { "待办" }
    func signUpsToApprove(_ count: Int) -> String { count == 0 ? "没有待批准的注册申请" : "\(count) 个待批准的注册申请" }
    func reportsToResolve(_ count: Int) -> String { count == 0 ? "没有待处理的举报" : "\(count) 个待处理的举报" }
    var noFailedLogins: String { "自服务器启动以来没有失败的登录。" }

    func failure(_ reason: LoginFailure.Reason) -> String {
        switch reason {
        case .unknownName: "未知名称"
        case .wrongPassword: "密码错误"
        case .suspended: "已封禁"
        case .pending: "等待批准"
        case .tooLong: "名称或密码过长"
        case .throttled: "失败次数过多"
        case .unavailable: "不可用"
        }
    }

    func from(_ address: String) -> String { "来自 \(address)" }
    var settingsInForce: String { "当前生效的设置" }
    func source(_ source: EffectiveSetting.Source) -> String {
        switch source {
        case .option: "命令行"
        case .variable(let name): name
        case .file: "文件"
        case .standard: "默认"
        }
    }
    var notSet: String { "未设置" }
    var nothing: String { "无" }

    // Sign-ups and invitations

    var nobodyAwaitsApproval: String { "没有等待批准的人。" }
    var approve: String { "批准" }
    func used(_ uses: Int, of maximum: Int) -> String { "已使用 \(uses)/\(maximum) 次" }
    var ended: String { "已结束" }
    func lasts(until time: String) -> String { "有效期至 \(time)" }
    func by(_ name: String) -> String { "由 @\(name) 创建" }

    // Accounts

    var noSuchAccounts: String { "没有符合条件的账号。" }
    var allAccounts: String { "所有账号" }

    func mark(_ mark: AccountMark) -> String {
        switch mark {
        case .administrator: "管理员"
        case .pending: "等待批准"
        case .suspended: "已封禁"
        case .silenced: "已限制"
        }
    }

    var active: String { "正常" }

    func state(_ state: AccountSelection.State) -> String {
        switch state {
        case .active: "正常"
        case .silenced: "已限制"
        case .suspended: "已封禁"
        case .pending: "等待批准"
        case .disabled: "已停用"
        }
    }

    var anyState: String { "任意" }

    func role(_ role: Account.Role) -> String {
        switch role {
        case .member: "成员"
        case .admin: "管理员"
        }
    }

    func fact(_ fact: AccountFact) -> String {
        switch fact {
        case .name: "名称"
        case .email: "电子邮箱"
        case .role: "角色"
        case .state: "状态"
        case .password: "密码"
        case .joined: "加入时间"
        case .lastPost: "最近嘟文"
        case .posts: "嘟文"
        case .followers: "关注者"
        case .reason: "加入原因"
        }
    }

    var passwordIsSet: String { "已设置" }
    func joinedIn(_ month: String) -> String { "\(month)加入" }
    var makeReset: String { "创建设置新密码的链接" }
    func of(_ name: String) -> String { "（\(name)）" }
    var silence: String { "限制" }
    var unsilence: String { "取消限制" }
    var suspend: String { "封禁" }
    var restore: String { "恢复" }
    var promote: String { "设为管理员" }
    var remove: String { "删除" }
    var removeForGood: String { "永久删除该账号" }
    func removeQuestion(_ name: String) -> String { "删除 @\(name)？" }
    func removalWarning(of name: String) -> String {
        "@\(name) 的个人资料、嘟文、文件、关注、喜欢、通知和登录将被彻底删除，任何人都无法再看到。此操作无法撤销。"
    }
    func otherNameStays(_ name: String) -> String { "其他人无法使用名称 @\(name)。" }
    var demote: String { "设为成员" }

    // Reports

    var openReports: String { "未处理的举报" }
    var resolvedReports: String { "已处理的举报" }
    var noSuchReports: String { "没有符合条件的举报。" }
    func adminReport(of name: String) -> String { "对 @\(name) 的举报" }
    var reportedPosts: String { "被举报的嘟文" }
    func reportTitle(_ reporter: String, _ target: String, _ category: Report.Category) -> String {
        "@\(reporter) 举报 @\(target)：\(name(of: category))"
    }

    func name(of category: Report.Category) -> String {
        switch category {
        case .spam: "垃圾信息"
        case .legal: "违法"
        case .violation: "违规"
        case .other: "其他"
        }
    }

    var openReport: String { "未处理" }
    func openReport(assignedTo name: String) -> String { "未处理，已分配给 @\(name)" }
    func resolved(by name: String?, at time: String) -> String {
        "已由\(name.map { " @\($0) " } ?? "管理员")处理，\(time)"
    }

    func reportFact(_ fact: ReportFact) -> String {
        switch fact {
        case .reported: "被举报者"
        case .by: "举报者"
        case .when: "时间"
        case .reason: "原因"
        case .state: "状态"
        case .comment: "备注"
        case .rules: "规则"
        case .deletedPosts: "已删除的嘟文"
        }
    }

    var resolve: String { "标为已处理" }
    var reopen: String { "重新打开" }
    var assignToMe: String { "分配给我" }
    var unassign: String { "取消分配" }
    func silencing(_ name: String) -> String { "限制 \(name)" }
    func suspending(_ name: String) -> String { "封禁 \(name)" }
}
