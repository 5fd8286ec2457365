/// A stream of the Mastodon API.
package enum StreamName: Hashable, Sendable {
    /// The home timeline, the notifications and the changed filters of the account.
    case user
    /// Only the notifications of the account.
    case userNotification
    case `public`
    case publicMedia
    case publicLocal
    case publicLocalMedia
    /// Statuses of other servers. Always empty, because this server does not federate.
    case publicRemote
    case publicRemoteMedia
    /// Public statuses with a hashtag, by its ``Hashtag/key(_:)``.
    case hashtag(String)
    case hashtagLocal(String)
    /// The statuses of the members of a list; only its owner may read the stream.
    case list(Int64)
    /// The conversations of the account.
    case direct

    /// The parameters that a client adds to the name of a stream.
    package struct Parameters: Sendable {
        /// A hashtag as written, with or without `#`.
        package var tag: String?
        /// The id of a list.
        package var list: String?
        package var onlyMedia: Bool

        package init(tag: String? = nil, list: String? = nil, onlyMedia: Bool = false) {
            self.tag = tag
            self.list = list
            self.onlyMedia = onlyMedia
        }
    }

    /// Parses the value of `stream=`, or of the member `stream` of a WebSocket frame.
    /// - Throws: ``FeedError`` `.malformed` for an unknown stream, or a hashtag or list that is missing or malformed. The
    ///   messages are the same as Mastodon's.
    package init(_ channel: String, _ parameters: Parameters = Parameters()) throws(FeedError) {
        switch channel {
        case "user": self = .user
        case "user:notification": self = .userNotification
        case "public": self = parameters.onlyMedia ? .publicMedia : .public
        case "public:media": self = .publicMedia
        case "public:local": self = parameters.onlyMedia ? .publicLocalMedia : .publicLocal
        case "public:local:media": self = .publicLocalMedia
        case "public:remote": self = parameters.onlyMedia ? .publicRemoteMedia : .publicRemote
        case "public:remote:media": self = .publicRemoteMedia
        case "hashtag": self = .hashtag(try Self.tag(parameters.tag))
        case "hashtag:local": self = .hashtagLocal(try Self.tag(parameters.tag))
        case "list": self = .list(try Self.list(parameters.list))
        case "direct": self = .direct
        default: throw .malformed("Unknown stream type")
        }
    }

    /// Parses a path below `/api/v1/streaming/`, for example `public/local`.
    /// - Throws: As ``init(_:_:)``.
    package init(path: String, _ parameters: Parameters = Parameters()) throws(FeedError) {
        guard Self.paths.contains(path) else { throw .malformed("Unknown stream type") }
        try self.init(String(path.map { $0 == "/" ? ":" : $0 }), parameters)
    }

    /// The paths below `/api/v1/streaming/`. Streams of statuses with attached files are selected by `only_media`.
    package static let paths = [
        "user", "user/notification", "public", "public/local", "public/remote", "hashtag", "hashtag/local", "list",
        "direct",
    ]

    private static func tag(_ written: String?) throws(FeedError) -> String {
        guard let written, !written.isEmpty else { throw .malformed("Missing tag name parameter") }
        guard let name = Hashtag.name(written) else { throw .malformed("The tag is not a hashtag") }
        return Hashtag.key(name)
    }

    private static func list(_ id: String?) throws(FeedError) -> Int64 {
        guard let id, !id.isEmpty else { throw .malformed("Missing list name parameter") }
        guard id.utf8.allSatisfy({ (48...57).contains($0) }) else { throw .malformed("The list is not an id") }
        return Int64(id) ?? .max
    }
}

extension StreamName {
    /// The name without its parameter, as in `stream=`.
    package var channel: String {
        switch self {
        case .user: "user"
        case .userNotification: "user:notification"
        case .public: "public"
        case .publicMedia: "public:media"
        case .publicLocal: "public:local"
        case .publicLocalMedia: "public:local:media"
        case .publicRemote: "public:remote"
        case .publicRemoteMedia: "public:remote:media"
        case .hashtag: "hashtag"
        case .hashtagLocal: "hashtag:local"
        case .list: "list"
        case .direct: "direct"
        }
    }

    /// The member `stream` of a WebSocket frame.
    /// - Parameter tag: The hashtag as the client has written it, because clients compare it with their own.
    package func array(tag: String? = nil) -> [String] {
        switch self {
        case .hashtag(let key), .hashtagLocal(let key): [channel, tag ?? key]
        case .list(let id): [channel, String(id)]
        default: [channel]
        }
    }

    /// The scope that a token needs; `nil` for streams that need no token.
    package var scope: Scope? {
        switch self {
        case .user, .list, .direct: .readStatuses
        case .userNotification: .readNotifications
        case .public, .publicMedia, .publicLocal, .publicLocalMedia, .publicRemote, .publicRemoteMedia, .hashtag,
            .hashtagLocal:
            nil
        }
    }

    /// Whether the stream contains only statuses with attached files.
    package var onlyMedia: Bool {
        switch self {
        case .publicMedia, .publicLocalMedia, .publicRemoteMedia: true
        default: false
        }
    }
}

/// An event of a stream and of the change feed. The raw values are the names that the Mastodon streaming API sends.
package enum StreamEventType: String, Sendable, CaseIterable {
    /// A new status or boost; the payload is a Status.
    case update
    /// A status was deleted or a boost was removed; the payload is its id.
    case delete
    /// A status was edited; the payload is a Status.
    case statusUpdate = "status.update"
    /// The payload is a Notification.
    case notification
    /// A direct status changed a conversation; the payload is a Conversation.
    case conversation
    /// The filters of the account changed; there is no payload.
    case filtersChanged = "filters_changed"
    /// Events are missing, because the position of the reader is too old, ahead of the log, or from another epoch. An
    /// extension of the Mastodon API, sent once; the reader loads its timelines again.
    case resync
}
