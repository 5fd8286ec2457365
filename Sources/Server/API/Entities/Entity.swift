/// The entities of the Mastodon API, as a client decodes them. The server writes the same JSON with ``JSONWriter``;
/// a test decodes every response with these types.
///
/// Fields that some servers omit are optional.
public enum Entity {
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

        /// Servers lack the members that they do not know.
        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            id = try fields.id(.id)
            following = try fields.value(.following, or: false)
            showing_reblogs = try fields.value(.showing_reblogs, or: false)
            notifying = try fields.value(.notifying, or: false)
            followed_by = try fields.value(.followed_by, or: false)
            blocking = try fields.value(.blocking, or: false)
            blocked_by = try fields.value(.blocked_by, or: false)
            muting = try fields.value(.muting, or: false)
            muting_notifications = try fields.value(.muting_notifications, or: false)
            muting_expires_at = try fields.decodeIfPresent(String.self, forKey: .muting_expires_at)
            requested = try fields.value(.requested, or: false)
            requested_by = try fields.value(.requested_by, or: false)
            domain_blocking = try fields.value(.domain_blocking, or: false)
            endorsed = try fields.value(.endorsed, or: false)
            note = try fields.value(.note, or: "")
        }
    }

    /// Information about a server.
    public struct Instance: Codable, Sendable, Equatable {
        /// The usage statistics of a server.
        public struct Stats: Codable, Sendable, Equatable {
            public var user_count: Int?
            public var status_count: Int?
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

        public init(name: String, size: Int64, type: String, modified: String, sha256: String, url: String) {
            (self.name, self.size, self.type) = (name, size, type)
            (self.modified, self.sha256, self.url) = (modified, sha256, url)
        }
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

extension Entity {
    /// A thread of direct statuses.
    public struct Conversation: Codable, Sendable, Equatable {
        public var id: String
        public var unread: Bool
        /// The other accounts that take part.
        public var accounts: [Account]
        /// `nil` if it has been deleted.
        public var last_status: Status?

        public init(id: String, unread: Bool, accounts: [Account], last_status: Status? = nil) {
            self.id = id
            self.unread = unread
            self.accounts = accounts
            self.last_status = last_status
        }

        public init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            id = try fields.id(.id)
            unread = try fields.value(.unread, or: false)
            accounts = try fields.value(.accounts, or: [])
            last_status = try fields.decodeIfPresent(Status.self, forKey: .last_status)
        }
    }
}

extension Entity {
    /// A login of an account: a token, without its secret (`tokenInfo` of GoToSocial).
    public struct Login: Codable, Sendable, Equatable {
        public var id: String
        /// ISO 8601.
        public var created_at: String?
        /// ISO 8601; `nil` if the server does not record it.
        public var last_used: String?
        /// The scopes, separated by spaces.
        public var scope: String?
        /// Whether the request was made with it; `nil` if the server does not say so, as GoToSocial.
        public var current: Bool?
        /// The application that has logged in.
        public var application: Application?

        public init(
            id: String, created_at: String? = nil, scope: String? = nil, current: Bool? = nil,
            application: Application? = nil
        ) {
            self.id = id
            self.created_at = created_at
            self.scope = scope
            self.current = current
            self.application = application
        }
    }
}
