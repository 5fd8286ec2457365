import FeedCore

/// Everything that pages say in English.
struct English: PageText {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    var language: PageLanguage { .english }
    var sentenceSeparator: String { ". " }

    func date(day: Int, month: Int, year: Int) -> String { "\(day) \(self.month(month, year: year))" }

    func month(_ month: Int, year: Int) -> String { "\(Self.months[month - 1]) \(year)" }

    func time(on date: String, at clock: String) -> String { "\(date), \(clock)" }

    func name(of kind: MediaKind) -> String {
        switch kind {
        case .image: "image"
        case .gifv: "animation"
        case .video: "video"
        case .audio: "recording"
        case .unknown: "file"
        }
    }

    /// Completes a sentence that begins with the names of accounts.
    func action(_ kind: FeedCore.Notification.Kind, isOne: Bool) -> String {
        switch kind {
        case .mention: "mentioned you"
        case .follow: isOne ? "follows you" : "follow you"
        case .followRequest: "asks to follow you"
        case .favourite: "favourited your post"
        case .reblog: "boosted your post"
        case .update: "edited a post"
        case .status: "posted"
        case .poll: "ran a poll that has ended"
        case .adminSignUp: "signed up"
        case .adminReport: "sent a report"
        }
    }
}
