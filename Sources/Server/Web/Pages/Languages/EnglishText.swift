import FeedCore

/// Everything that pages say in English.
struct EnglishText: PageText {
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

extension EnglishText {
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
}

extension EnglishText {
    // Navigation

    var publicTimeline: String { "Public timeline" }
    var home: String { "Home" }
    var newPost: String { "New post" }
    var conversations: String { "Conversations" }
    var bookmarks: String { "Bookmarks" }
    var favourites: String { "Favourites" }
    var lists: String { "Lists" }
    var followedHashtags: String { "Followed hashtags" }
    var followRequests: String { "Follow requests" }
    var profile: String { "Profile" }
    var settings: String { "Settings" }

    // Pages without content

    var nothingYet: String { "Nothing here yet." }
    var nothingAtHome: String { "Nothing here yet. Follow people to see their posts here." }
    var nothingInList: String { "Nothing here yet. Posts of the members appear here." }
    var noOtherPosts: String { "No other posts yet." }
    var nobodyYet: String { "Nobody yet." }

    // Posts

    var repliesLabel: String { "Replies" }
    func repliesTo(_ name: String) -> String { "Replies to \(name)" }
    func replies(_ count: Int) -> String { count == 1 ? "1 reply" : "\(count) replies" }
    var aPost: String { "a post" }
    func post(by name: String) -> String { "Post by @\(name)" }
    var followersOnly: String { "Followers only" }
    var direct: String { "Direct" }
    var administratorBadge: String { "admin" }
    var botBadge: String { "bot" }
    var deletePost: String { "Delete this post?" }

    // Polls

    func votes(_ count: Int) -> String { count == 1 ? "1 vote" : "\(count) votes" }
    func votes(_ count: Int, of people: Int) -> String {
        votes(count) + (people == 1 ? " by 1 person" : " by \(people) people") + ", several choices allowed"
    }

    // Media

    func files(_ count: Int, _ kind: MediaKind) -> String {
        count == 1 ? "1 " + name(of: kind) : "\(count) \(name(of: kind))s"
    }
    func label(_ kind: MediaKind) -> String { name(of: kind).prefix(1).uppercased() + name(of: kind).dropFirst() }
    func withoutDescription(_ kind: MediaKind) -> String { "\(label(kind)) without a description" }
    func heading(_ kind: MediaKind, _ number: Int, of count: Int) -> String { "\(label(kind)) \(number) of \(count)" }
    var listSeparator: String { ", " }

    // The site

    func about(_ site: String) -> String { "About \(site)" }
    var runBy: String { "Run by" }
    var people: String { "People" }

    func signUpText(_ mode: RegistrationPolicy.Mode) -> String {
        switch mode {
        case .closed: "Nobody can sign up at the moment."
        case .open: "Everyone can sign up."
        case .approval: "Everyone can sign up; the operator approves each account."
        case .invite: "Signing up requires an invitation from a member."
        }
    }

    // Search

    func searchTitle(_ text: String) -> String { "\(text) – Search" }
    var searchHelp: String {
        """
        Find posts by words, by the beginning of a word* or by a “phrase”. A minus excludes what follows it. \
        from:name, has:image, is:reply, before:2026-01-31, after:2026-01-31 and language:en narrow the search. \
        People and hashtags are found by their names.
        """
    }
    var nothingFound: String { "Nothing found." }
    func unknownOperator(_ text: String) -> String {
        "“\(text)” has an unknown value, so it was searched for as words."
    }
    var hashtags: String { "Hashtags" }
    var moreHashtags: String { "More hashtags" }

    // Profiles

    var postsAndReplies: String { "Posts and replies" }
    func avatar(of name: String) -> String { "Avatar of @\(name)" }
    func followers(of name: String) -> String { "Followers of \(name)" }
    func followed(by name: String) -> String { "Followed by \(name)" }
    func hidesList(_ name: String) -> String { "@\(name) does not show this list." }

    // Relationships

    var follow: String { "Follow" }
    var unfollow: String { "Unfollow" }
    var askToFollow: String { "Ask to follow" }
    var withdrawRequest: String { "Withdraw request" }
    var acceptRequest: String { "Accept request" }
    var rejectRequest: String { "Reject request" }
    var accept: String { "Accept" }
    var reject: String { "Reject" }
    var notify: String { "Notify me of new posts" }
    var stopNotifying: String { "Stop notifying me" }
    var showBoosts: String { "Show boosts" }
    var hideBoosts: String { "Hide boosts" }
    var unmute: String { "Unmute" }
    var block: String { "Block" }
    var unblock: String { "Unblock" }
    var removeFollower: String { "Remove from followers" }
    var youFollow: String { "You follow this account." }
    var youAsked: String { "You have asked to follow this account." }
    var followsYou: String { "Follows you." }
    var asksToFollowYou: String { "Asks to follow you." }
    var youBlock: String { "You block this account." }
    var blocksYou: String { "This account blocks you." }
    func youMute(until end: String?, hidesNotifications: Bool) -> String {
        "You mute this account\(end.map { " until " + $0 } ?? "")"
            + (hidesNotifications ? ", with its notifications." : ".")
    }
    func note(about name: String) -> String { "Note about @\(name)" }
    var note: String { "Note" }
    var noteHint: String { "Only you see this note. To remove it, leave it empty." }

    // Reports

    func report(of name: String) -> String { "Report @\(name)" }
    var reportSent: String { "Thank you. The moderators of this site have your report." }
    func reportHint(_ name: String) -> String {
        "The report goes to the moderators of this site. @\(name) does not see it."
    }
    var reportQuestion: String { "What should they know?" }

    func reason(_ category: Report.Category) -> String {
        switch category {
        case .spam: "It is spam"
        case .legal: "It is illegal"
        case .violation: "It violates rules of this site"
        case .other: "Something else"
        }
    }
}
