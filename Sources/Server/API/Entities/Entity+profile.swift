extension Entity {
    /// The profile of the logged-in account, as its owner sees it (CredentialAccount in Mastodon).
    public struct Profile: Codable, Sendable, Equatable {
        /// A row of the table in a profile.
        public struct Field: Codable, Sendable, Equatable {
            public var name: String
            public var value: String

            public init(name: String, value: String) {
                self.name = name
                self.value = value
            }
        }

        /// The values as they were entered, and the defaults for new statuses.
        public struct Source: Codable, Sendable, Equatable {
            /// Plain text.
            public var note: String
            public var fields: [Field]
            /// The default visibility.
            public var privacy: String?
            public var sensitive: Bool?
            public var language: String?
            public var follow_requests_count: Int?
        }

        public var id: String
        public var username: String
        public var acct: String
        public var display_name: String
        public var locked: Bool?
        public var bot: Bool?
        public var discoverable: Bool?
        public var url: String?
        public var avatar: String?
        public var header: String?
        public var source: Source?
    }
}

extension Entity.Profile {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.id(.id)
        username = try fields.decode(String.self, forKey: .username)
        acct = try fields.value(.acct, or: username)
        display_name = try fields.value(.display_name, or: "")
        locked = try fields.decodeIfPresent(Bool.self, forKey: .locked)
        bot = try fields.decodeIfPresent(Bool.self, forKey: .bot)
        discoverable = try fields.decodeIfPresent(Bool.self, forKey: .discoverable)
        url = try fields.decodeIfPresent(String.self, forKey: .url)
        avatar = try fields.decodeIfPresent(String.self, forKey: .avatar)
        header = try fields.decodeIfPresent(String.self, forKey: .header)
        source = try fields.decodeIfPresent(Source.self, forKey: .source)
    }
}

extension Entity.Profile.Source {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        note = try container.value(.note, or: "")
        fields = try container.list(.fields) ?? []
        privacy = try container.decodeIfPresent(String.self, forKey: .privacy)
        sensitive = try container.decodeIfPresent(Bool.self, forKey: .sensitive)
        language = try container.decodeIfPresent(String.self, forKey: .language)
        follow_requests_count = try container.decodeIfPresent(Int.self, forKey: .follow_requests_count)
    }
}
