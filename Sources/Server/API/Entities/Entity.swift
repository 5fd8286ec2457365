/// The entities of the Mastodon API, as a client decodes them. The server writes the same JSON with ``JSONWriter``;
/// a test decodes every response with these types.
///
/// Fields that some servers omit are optional.
public enum Entity {
    /// An account.
    public struct Account: Codable, Sendable, Equatable {
        public var id: String
        public var username: String
        public var acct: String
        public var display_name: String
        public var url: String?
        public var avatar: String?
        public var note: String?
        public var created_at: String?
        public var statuses_count: Int?
        public var followers_count: Int?
        public var following_count: Int?
        public var locked: Bool?
        public var bot: Bool?
    }

    /// The application a status was posted with.
    public struct Application: Codable, Sendable, Equatable {
        public var name: String
        public var website: String?

        public init(name: String, website: String?) {
            self.name = name
            self.website = website
        }
    }

    /// An account mentioned in a status.
    public struct Mention: Codable, Sendable, Equatable {
        public var id: String
        public var username: String
        public var acct: String
        public var url: String?

        public init(id: String, username: String, acct: String) {
            self.id = id
            self.username = username
            self.acct = acct
        }
    }

    /// A hashtag in a status.
    public struct Tag: Codable, Sendable, Equatable {
        public var name: String
        public var url: String?
    }

    /// A status. A boost is a status whose ``reblog`` holds the boosted status.
    public struct Status: Codable, Sendable, Equatable {
        public var id: String
        public var uri: String?
        public var url: String?
        public var created_at: String
        public var edited_at: String?
        public var account: Account
        public var content: String
        public var visibility: String
        public var sensitive: Bool?
        public var spoiler_text: String
        public var language: String?
        public var application: Application?
        public var media_attachments: [MediaAttachment]?
        public var poll: Poll?
        public var mentions: [Mention]
        public var tags: [Tag]
        public var in_reply_to_id: String?
        public var in_reply_to_account_id: String?
        public var replies_count: Int?
        public var reblogs_count: Int?
        public var favourites_count: Int?
        public var text: String?
        public var reblog: Indirect<Status>?
    }

    /// The relationship between the logged-in account and another account.
    public struct Relationship: Codable, Sendable, Equatable {
        public var id: String
        public var following: Bool
        public var showing_reblogs: Bool
        public var notifying: Bool
        public var followed_by: Bool
        public var blocking: Bool
        public var blocked_by: Bool
        public var muting: Bool
        public var muting_notifications: Bool
        public var muting_expires_at: String?
        public var requested: Bool
        public var requested_by: Bool
        public var domain_blocking: Bool
        public var endorsed: Bool
        public var note: String
    }

    /// Information about a server.
    public struct Instance: Codable, Sendable, Equatable {
        /// The usage statistics of a server.
        public struct Stats: Codable, Sendable, Equatable {
            public var user_count: Int
            public var status_count: Int
        }

        public var uri: String
        public var title: String
        public var version: String
        public var stats: Stats?
    }

    /// A stored file.
    public struct File: Codable, Sendable, Equatable {
        public var name: String
        /// In bytes.
        public var size: Int64
        public var type: String
        /// ISO 8601.
        public var modified: String
        /// Lowercase hexadecimal.
        public var sha256: String
        public var url: String
    }

    /// The list of stored files.
    public struct Files: Codable, Sendable, Equatable {
        public var files: [File]
    }

    /// An error response: a message for people and, optionally, a longer description.
    public struct Failure: Codable, Sendable, Equatable {
        public var error: String
        public var error_description: String?
    }
}

extension Entity {
    /// A boxed value, which allows an entity to contain another entity of the same type.
    public final class Indirect<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
        public let value: Value

        public init(_ value: Value) { self.value = value }

        public init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

        public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

        public static func == (left: Indirect, right: Indirect) -> Bool { left.value == right.value }
    }
}

extension Entity.Account {
    /// An account with only its essential fields set.
    public init(id: String, username: String, acct: String, display_name: String, avatar: String?) {
        self.id = id
        self.username = username
        self.acct = acct
        self.display_name = display_name
        self.avatar = avatar
    }
}

extension Entity.Status {
    /// A status with only its essential fields set.
    public init(
        id: String, created_at: String, account: Entity.Account, content: String, visibility: String,
        spoiler_text: String, application: Entity.Application?, mentions: [Entity.Mention], tags: [Entity.Tag]
    ) {
        self.id = id
        self.created_at = created_at
        self.account = account
        self.content = content
        self.visibility = visibility
        self.spoiler_text = spoiler_text
        self.application = application
        self.mentions = mentions
        self.tags = tags
    }
}
