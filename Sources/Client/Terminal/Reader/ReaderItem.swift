/// What a list of the reader shows.
package enum ReaderSource: Hashable, Sendable {
    case home, local, `public`, notifications, conversations, bookmarks, favourites, outbox
    case list(String), tag(String), profile(String), search(String)

    /// The sources that the keys 1 to 8 open.
    package static let numbered: [ReaderSource] = [
        .home, .local, .public, .notifications, .conversations, .bookmarks, .favourites, .outbox,
    ]

    package var title: String {
        switch self {
        case .home: "Home"
        case .local: "Local"
        case .public: "Public"
        case .notifications: "Notifications"
        case .conversations: "Conversations"
        case .bookmarks: "Bookmarks"
        case .favourites: "Favourites"
        case .outbox: "Outbox"
        case .list(let name): "List " + name
        case .tag(let name): "#" + name
        case .profile(let name): "@" + name
        case .search(let text): "Search: " + text
        }
    }
}

/// What a reader can do to a status, and undo.
package enum ReaderReaction: CaseIterable, Sendable {
    case favourite, boost, bookmark

    /// The mark of a status.
    var mark: String {
        switch self {
        case .favourite: "★"
        case .boost: "⟳"
        case .bookmark: "▣"
        }
    }
}

/// A poll that is open to the reader.
package struct ReaderPoll: Equatable, Sendable {
    package var options: [String]
    package var isMultiple: Bool

    package init(options: [String], isMultiple: Bool) { (self.options, self.isMultiple) = (options, isMultiple) }
}

/// An entry of a list: a status, a notification, a conversation, or a post in the outbox. Its texts need not be filtered.
package struct ReaderItem: Sendable {
    /// Identifies the entry in its list.
    package let id: String
    /// The status that keys act on; `nil` for none.
    package var statusID: String?
    package var name = ""
    package var time = ""
    /// The beginning of the text.
    package var excerpt = ""
    /// The handle of the author, without `@`.
    package var handle: String?
    package var url: String?
    package var isOwn = false
    package var hasMedia = false
    package var poll: ReaderPoll?
    package var reactions: Set<ReaderReaction> = []
    /// The lines of the whole entry for a width. Their only escape sequences are those of colors.
    package var lines: @Sendable (_ columns: Int) -> [String]

    package init(id: String, lines: @escaping @Sendable (_ columns: Int) -> [String]) {
        (self.id, self.lines) = (id, lines)
    }

    mutating func set(_ reaction: ReaderReaction, to isSet: Bool) {
        if isSet { reactions.insert(reaction) } else { reactions.remove(reaction) }
    }
}

/// What has happened.
package enum ReaderMessage: Sendable {
    case key(Key)
    case resize(columns: Int, rows: Int)
    /// The newest entry that was seen when a source was read the last time. Comes before its entries.
    case position(ReaderSource, String)
    /// The entries of a source, the newest first, instead of those before.
    case loaded(ReaderSource, [ReaderItem])
    /// The entries below the last one of a source; none if that is the end.
    case older(ReaderSource, [ReaderItem])
    /// New entries of a source, the newest first.
    case arrived(ReaderSource, [ReaderItem])
    /// A status has been deleted.
    case deleted(String)
    /// A reaction has been made, or taken back, also one that has failed.
    case reacted(ReaderReaction, String, isUndone: Bool)
    /// The conversation around a status.
    case thread(of: String, [ReaderItem])
    /// A text to edit, or one that the editor has changed.
    case form(ReaderForm)
    /// The lists, hashtags and logins to choose from.
    case choices(sources: [ReaderSource], accounts: [String])
    /// The account that reads now. What was shown belongs to another one.
    case account(String)
    /// Why the server cannot be reached; `nil` if it can.
    case offline(String?)
    case notice(String)
    /// Some time has passed.
    case refresh
    /// An address to open in the browser.
    case opened(String)
}

/// What is to be done outside of the model.
package enum ReaderEffect: Equatable, Sendable {
    case load(ReaderSource)
    case older(ReaderSource, before: String)
    /// The reader has seen everything up to an entry.
    case seen(ReaderSource, upTo: String)
    case thread(String)
    case react(ReaderReaction, String, undo: Bool)
    case vote(String, [Int])
    case delete(String)
    /// A form for a reply to a status, or for its text, is wanted.
    case reply(String)
    case edit(String)
    case post(ReaderForm)
    case editor(ReaderForm)
    case open(String)
    case media(String)
    case account(String)
    case redraw, suspend, quit
}
