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

extension English {
    // Notifications

    func notification(_ kind: FeedCore.Notification.Kind, others: Int) -> String {
        (others == 0 ? "" : others == 1 ? "and 1 other " : "and \(others) others ") + action(kind, isOne: others == 0)
    }
    func andMore(_ count: Int) -> String { "and \(count) more" }
    func filtered(_ title: String) -> String { "Filtered: \(title)" }
    var nobodyWaits: String { "Nobody is waiting for an answer." }

    // Conversations

    var nothingInConversations: String { "Nothing here yet. Direct posts appear here." }
    var removedAccounts: String { "Removed accounts" }
    var hide: String { "Hide" }
    func you(_ text: String) -> String { "You: \(text)" }
    var postWithoutText: String { "A post without text" }

    // Lists

    var newList: String { "New list" }
    var editList: String { "Edit list" }
    var deleteList: String { "Delete list" }
    func deleteListQuestion(_ title: String) -> String {
        "Delete the list “\(title)”? Its members are not told, and you still follow them."
    }
    var save: String { "Save" }
    var add: String { "Add" }
    var listTimeline: String { "Timeline of the list" }
    var members: String { "Members" }
    func members(of title: String) -> String { "Members of “\(title)”" }
    var newMember: String { "Username of somebody you follow" }

    func replies(_ policy: AccountList.RepliesPolicy) -> String {
        switch policy {
        case .list: "Those to members of the list"
        case .followed: "Those to people you follow"
        case .none: "None"
        }
    }

    var alsoAtHome: String { "Also on the home page" }
    var onlyInList: String { "Only in the list" }

    // Hashtags

    var followHashtag: String { "Follow a hashtag" }
    var nothingInHashtags: String { "Nothing here yet. Follow hashtags to see public posts with them at home." }

    // The form for posts

    var editPost: String { "Edit post" }
    var post: String { "Post" }
    func scheduled(at time: String) -> String { "Your post will be published on \(time)." }

    func visibility(_ visibility: Visibility) -> String {
        switch visibility {
        case .public: "Public"
        case .unlisted: "Unlisted: not in the public timeline"
        case .followers: "Followers only"
        case .direct: "Direct: only the people mentioned"
        }
    }

    var languageNotStated: String { "Not stated" }
    func moreFiles(_ count: Int, hasFiles: Bool) -> String {
        "\(count) \(hasFiles ? "more " : "")\(count == 1 ? "file" : "files")"
    }
    func numbered(_ file: String, _ number: Int) -> String { "\(file), number \(number)" }
    var asItIs: String { "As it is" }
    func asItIs(until end: String) -> String { "As it is: until \(end)" }

    func focus(_ focus: ComposeFocus) -> String {
        switch focus {
        case .middle: "Middle"
        case .top: "Top"
        case .bottom: "Bottom"
        case .left: "Left"
        case .right: "Right"
        case .topLeft: "Top left"
        case .topRight: "Top right"
        case .bottomLeft: "Bottom left"
        case .bottomRight: "Bottom right"
        }
    }

    // Logging in and signing up

    var almostThere: String { "Almost there" }
    var welcome: String { "Welcome" }
    var agreeToRules: String { "Please agree to the rules." }
    var pageExpired: String { "This page has expired. Please try again." }
    var loginExpired: String { "This page has expired. Please log in again." }
    var sendAgain: String { "Send again" }
    func logIn(for program: String) -> String { "Log in to let \(program) use your account" }
    func consent(for program: String) -> String { "Let \(program) use your account" }
    var allowAccess: String { "Allow access" }
    var yourCode: String { "Your code" }
    var notAllowed: String { "Not allowed" }
    func refusal(_ field: RegistrationRefusal.Field, _ errors: [RegistrationRefusal.FieldError]) -> String {
        field.label + " " + errors.map(\.message).joined(separator: " and ") + "."
    }
}
