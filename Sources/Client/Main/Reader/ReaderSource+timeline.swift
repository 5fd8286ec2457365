import FeedClientKit
import FeedTerminal

extension ReaderSource {
    /// The timeline that the source shows; `nil` for other sources.
    var timeline: TimelineName? {
        switch self {
        case .home: .home
        case .local: .local
        case .public: .public
        case .bookmarks: .bookmarks
        case .favourites: .favourites
        case .list(let name): .list(name)
        case .tag(let name): .tag(name)
        case .profile(let name): .account(name)
        case .notifications, .conversations, .outbox, .search: nil
        }
    }

    /// The position in the source that the account's devices share; `nil` if there is none.
    var readPosition: ReadPosition? {
        switch self {
        case .home: .home
        case .notifications: .notifications
        default: nil
        }
    }
}

extension ReaderReaction {
    var action: StatusAction {
        switch self {
        case .favourite: .favourite
        case .boost: .boost
        case .bookmark: .bookmark
        }
    }
}
