import FeedAPI

/// A stream of events.
public enum StreamName: Hashable, Sendable {
    /// What appears in the home timeline of this account, and its notifications.
    case user
    /// The notifications of this account.
    case userNotification
    /// Public statuses of all accounts.
    case `public`
    /// Public statuses of the server's own accounts.
    case publicLocal
    /// Public statuses with a hashtag, without `#`.
    case hashtag(String)
    /// What appears in a list of this account, by its id.
    case list(String)
    /// Conversations of this account.
    case direct

    /// The path of the stream of server-sent events.
    var path: String {
        let suffix =
            switch self {
            case .user: "/user"
            case .userNotification: "/user/notification"
            case .public: "/public"
            case .publicLocal: "/public/local"
            case .hashtag: "/hashtag"
            case .list: "/list"
            case .direct: "/direct"
            }
        return Paths.streaming + suffix
    }

    var parameters: [(String, String?)] {
        switch self {
        case .hashtag(let name): [("tag", name)]
        case .list(let id): [("list", id)]
        case .user, .userNotification, .public, .publicLocal, .direct: []
        }
    }

    /// The value of `stream` on a WebSocket.
    var webSocketName: String {
        switch self {
        case .user: "user"
        case .userNotification: "user:notification"
        case .public: "public"
        case .publicLocal: "public:local"
        case .hashtag: "hashtag"
        case .list: "list"
        case .direct: "direct"
        }
    }
}
