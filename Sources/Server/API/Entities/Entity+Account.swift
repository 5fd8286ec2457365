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

        /// A row of the table in a profile, as everybody sees it.
        public struct Field: Codable, Sendable, Equatable {
            public var name: String
            /// HTML.
            public var value: String
            /// When the server found that the linked page links back; `nil` if it does not.
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
    /// Some servers send no display name, or no separate user name.
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
