/// An entry of a list: a status, a notification, a conversation, an account, or a post in the outbox. Its texts need not be
/// filtered.
package struct ReaderItem: Sendable {
    /// The lines of a whole entry for a width. Their only escape sequences are those of colors.
    /// - pictures: The pictures that have been loaded.
    package typealias Lines = @Sendable (_ columns: Int, _ pictures: ReaderPictures) -> [String]

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
    package var media: [ReaderMedia] = []
    /// The addresses of the pictures that are shown with the entry.
    package var previews: [String] = []
    /// The list that Enter opens instead of a conversation.
    package var opens: ReaderSource?
    /// Whether the entry stays at the top of its list, as the account of a profile does.
    package var isPinned = false
    /// Whether the user follows the account that the entry is about; `nil` if that cannot be changed.
    package var isFollowed: Bool?
    package var poll: ReaderPoll?
    package var reactions: Set<ReaderReaction> = []
    package var lines: Lines

    package init(id: String, lines: @escaping Lines) {
        (self.id, self.lines) = (id, lines)
    }

    /// Its marks in a list.
    var marks: String {
        let hasFiles = statusID != nil && !media.isEmpty
        return (hasFiles ? "▣" : "") + ReaderReaction.allCases.filter(reactions.contains).map(\.mark).joined()
    }

    mutating func set(_ reaction: ReaderReaction, to isSet: Bool) {
        if isSet { reactions.insert(reaction) } else { reactions.remove(reaction) }
    }
}

/// The source of a list of the reader.
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

/// A reaction to a status, which can be undone.
package enum ReaderReaction: CaseIterable, Sendable {
    case favourite, boost, bookmark

    /// The mark of a status.
    var mark: String {
        switch self {
        case .favourite: "★"
        case .boost: "⟳"
        case .bookmark: "⚑"
        }
    }

    /// The message when it has been made, or taken back.
    package func report(isUndone: Bool) -> String {
        switch self {
        case .favourite: isUndone ? "Favourite removed." : "Favourited."
        case .boost: isUndone ? "Boost undone." : "Boosted."
        case .bookmark: isUndone ? "Bookmark removed." : "Bookmarked."
        }
    }
}

/// A poll that is open to the reader.
package struct ReaderPoll: Equatable, Sendable {
    package var options: [String]
    package var isMultiple: Bool

    package init(options: [String], isMultiple: Bool) { (self.options, self.isMultiple) = (options, isMultiple) }
}

/// A file of a status. Its texts need not be filtered.
package struct ReaderMedia: Equatable, Sendable {
    /// The kind and size.
    package var title: String
    /// The description for people who do not see it.
    package var description: String
    /// The address of the file.
    package var address: String?
    /// The address of a small picture of it.
    package var preview: String?

    package init(title: String, description: String, address: String? = nil, preview: String? = nil) {
        (self.title, self.description, self.address, self.preview) = (title, description, address, preview)
    }
}
