import FeedCore

extension English {
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
