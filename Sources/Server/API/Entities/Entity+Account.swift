extension Entity {
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
        /// The table of the profile.
        public var fields: [Field]?
        /// The end of a mute, in the list of muted accounts; `nil` for a mute without an end.
        public var mute_expires_at: String?

        /// A row of the table in a profile, as everybody sees it.
        public struct Field: Codable, Sendable, Equatable {
            public var name: String
            /// HTML.
            public var value: String
            /// The time at which the server verified that the linked page links back; `nil` if it does not.
            public var verified_at: String?

            public init(name: String, value: String, verified_at: String? = nil) {
                (self.name, self.value, self.verified_at) = (name, value, verified_at)
            }
        }
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
        /// Whether the logged-in account follows it; `nil` in a status.
        public var following: Bool?
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

extension Entity.Account {
    /// Some servers send no display name, or no separate username.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.id(.id)
        let name = try fields.decodeIfPresent(String.self, forKey: .username)
        acct = try fields.decodeIfPresent(String.self, forKey: .acct) ?? fields.required(name, .username)
        username = name ?? String(Substring(acct.utf8.prefix { $0 != UInt8(ascii: "@") }))
        display_name = try fields.value(.display_name, or: "")
        url = try fields.decodeIfPresent(String.self, forKey: .url)
        avatar = try fields.decodeIfPresent(String.self, forKey: .avatar)
        note = try fields.decodeIfPresent(String.self, forKey: .note)
        created_at = try fields.decodeIfPresent(String.self, forKey: .created_at)
        statuses_count = try fields.decodeIfPresent(Int.self, forKey: .statuses_count)
        followers_count = try fields.decodeIfPresent(Int.self, forKey: .followers_count)
        following_count = try fields.decodeIfPresent(Int.self, forKey: .following_count)
        locked = try fields.decodeIfPresent(Bool.self, forKey: .locked)
        bot = try fields.decodeIfPresent(Bool.self, forKey: .bot)
        self.fields = (try? fields.list(.fields)) ?? nil
        mute_expires_at = try fields.decodeIfPresent(String.self, forKey: .mute_expires_at)
    }
}

extension Entity.Application {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        name = try fields.value(.name, or: "")
        website = try fields.decodeIfPresent(String.self, forKey: .website)
    }
}

extension Entity.Mention {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.id(.id)
        let name = try fields.decodeIfPresent(String.self, forKey: .username)
        acct = try fields.decodeIfPresent(String.self, forKey: .acct) ?? fields.required(name, .username)
        username = name ?? String(Substring(acct.utf8.prefix { $0 != UInt8(ascii: "@") }))
        url = try fields.decodeIfPresent(String.self, forKey: .url)
    }
}

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

extension Entity {
    /// A list of accounts.
    public struct List: Codable, Sendable, Equatable {
        public var id: String
        public var title: String
        /// `none`, `list` or `followed`.
        public var replies_policy: String?
        public var exclusive: Bool?
    }
}
