import FeedCore

/// Everything that pages say in a language, except the words of others. Each language is a type, so a text that is
/// missing in one of them does not compile.
protocol PageText: ReadingText, MemberText, SettingsText, AdministrationText {
    var language: PageLanguage { get }
    /// The words of the templates.
    var words: TemplateText { get }
    /// The separator of two sentences without a full stop.
    var sentenceSeparator: String { get }

    /// - Parameter month: From 1.
    func date(day: Int, month: Int, year: Int) -> String
    func month(_ month: Int, year: Int) -> String
    /// - Parameter clock: For example `06:39 UTC`.
    func time(on date: String, at clock: String) -> String
}

extension PageLanguage {
    var text: any PageText {
        switch self {
        case .english: EnglishText()
        case .german: GermanText()
        case .chinese: ChineseText()
        }
    }
}

/// Texts that visitors and members read: timelines, posts and profiles.
protocol ReadingText: Sendable {
    // Navigation
    var publicTimeline: String { get }
    var home: String { get }
    var newPost: String { get }
    var conversations: String { get }
    var bookmarks: String { get }
    var favourites: String { get }
    var lists: String { get }
    var followedHashtags: String { get }
    var followRequests: String { get }
    var profile: String { get }
    var settings: String { get }

    // Pages without content
    var nothingYet: String { get }
    var nothingAtHome: String { get }
    var nothingInList: String { get }
    var noOtherPosts: String { get }
    var nobodyYet: String { get }

    // Posts
    var repliesLabel: String { get }
    func repliesTo(_ name: String) -> String
    func replies(_ count: Int) -> String
    var aPost: String { get }
    func post(by name: String) -> String
    var followersOnly: String { get }
    var direct: String { get }
    var administratorBadge: String { get }
    var botBadge: String { get }
    var deletePost: String { get }

    // Polls
    func votes(_ count: Int) -> String
    func votes(_ count: Int, of people: Int) -> String

    // Media
    func files(_ count: Int, _ kind: MediaKind) -> String
    func label(_ kind: MediaKind) -> String
    func withoutDescription(_ kind: MediaKind) -> String
    func heading(_ kind: MediaKind, _ number: Int, of count: Int) -> String
    var listSeparator: String { get }

    // The site
    func about(_ site: String) -> String
    var runBy: String { get }
    var people: String { get }
    func signUpText(_ mode: RegistrationPolicy.Mode) -> String

    // Search
    func searchTitle(_ text: String) -> String
    var searchHelp: String { get }
    var nothingFound: String { get }
    func unknownOperator(_ text: String) -> String
    var hashtags: String { get }
    var moreHashtags: String { get }

    // Profiles
    var postsAndReplies: String { get }
    func avatar(of name: String) -> String
    func followers(of name: String) -> String
    func followed(by name: String) -> String
    func hidesList(_ name: String) -> String

    // Relationships
    var follow: String { get }
    var unfollow: String { get }
    var askToFollow: String { get }
    var withdrawRequest: String { get }
    var acceptRequest: String { get }
    var rejectRequest: String { get }
    var accept: String { get }
    var reject: String { get }
    var notify: String { get }
    var stopNotifying: String { get }
    var showBoosts: String { get }
    var hideBoosts: String { get }
    var unmute: String { get }
    var block: String { get }
    var unblock: String { get }
    var removeFollower: String { get }
    var youFollow: String { get }
    var youAsked: String { get }
    var followsYou: String { get }
    var asksToFollowYou: String { get }
    var youBlock: String { get }
    var blocksYou: String { get }
    func youMute(until end: String?, hidesNotifications: Bool) -> String
    func note(about name: String) -> String
    var note: String { get }
    var noteHint: String { get }

    // Reports
    func report(of name: String) -> String
    var reportSent: String { get }
    func reportHint(_ name: String) -> String
    var reportQuestion: String { get }
    func reason(_ category: Report.Category) -> String
}

/// The timelines, lists and notifications of members, and the form for posts.
protocol MemberText: Sendable {
    // Notifications
    func notification(_ kind: FeedCore.Notification.Kind, others: Int) -> String
    func andMore(_ count: Int) -> String
    func filtered(_ title: String) -> String
    var nobodyWaits: String { get }

    // Conversations
    var nothingInConversations: String { get }
    var removedAccounts: String { get }
    var hide: String { get }
    func you(_ text: String) -> String
    var postWithoutText: String { get }

    // Lists
    var newList: String { get }
    var editList: String { get }
    var deleteList: String { get }
    func deleteListQuestion(_ title: String) -> String
    var save: String { get }
    var add: String { get }
    var listTimeline: String { get }
    var members: String { get }
    func members(of title: String) -> String
    var newMember: String { get }
    func replies(_ policy: AccountList.RepliesPolicy) -> String
    var alsoAtHome: String { get }
    var onlyInList: String { get }

    // Hashtags
    var followHashtag: String { get }
    var nothingInHashtags: String { get }

    // The form for posts
    var editPost: String { get }
    var post: String { get }
    func scheduled(at time: String) -> String
    func visibility(_ visibility: Visibility) -> String
    var languageNotStated: String { get }
    func moreFiles(_ count: Int, hasFiles: Bool) -> String
    func numbered(_ file: String, _ number: Int) -> String
    var asItIs: String { get }
    func asItIs(until end: String) -> String
    func focus(_ focus: ComposeFocus) -> String

    // Logging in and signing up
    var almostThere: String { get }
    var welcome: String { get }
    var agreeToRules: String { get }
    var pageExpired: String { get }
    var loginExpired: String { get }
    /// Submits a form that was refused for want of a login.
    var sendAgain: String { get }
    func logIn(for program: String) -> String
    func consent(for program: String) -> String
    var allowAccess: String { get }
    var yourCode: String { get }
    var notAllowed: String { get }
    func refusal(_ field: RegistrationError.Field, _ errors: [RegistrationError.FieldError]) -> String
}
