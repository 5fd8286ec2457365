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
